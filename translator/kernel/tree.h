/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees of files that hold kernels, as a root directory does: boot/vmlinuz-RELEASE,
 * lib/modules/RELEASE, usr/src, usr/lib/debug. The machine's own root directory is one,
 * named "". The others come from $STAP_KERNELS, which goes before it, and from
 * stap-fetch-kernel.
 *
 * To add a place of a kernel's files: a row in tree.c.
 */
#ifndef STAP_TREE_H
#define STAP_TREE_H

#include <stdbool.h>

struct arena;
struct session;

enum tree_place {
	TREE_IMAGE,         /* the packed kernel */
	TREE_CONFIG,
	TREE_MODULES,       /* the directory that modules.dep counts from */
	TREE_BUILD,         /* what modules are built in */
	TREE_SOURCE,        /* headers that are the same for all kernels of a version */
	TREE_DEBUG_IMAGE,   /* unpacked, with debuginfo */
	TREE_DEBUG_MODULES,
	TREE_PLACES,
};

/* Where a kernel of the tree at root has it; it need not be there. */
const char *tree_place(struct arena *a, const char *root, const char *release,
		       enum tree_place place);
/* The same for the target, s->kernel. */
const char *kernel_place(struct session *s, enum tree_place place);

/*
 * The first tree that has the kernel's headers,
 * rather one that has its image as well. NULL: none.
 */
const char *tree_of(struct session *s, const char *release);
/* The first tree that has a file of the kernel; the machine's own where none has. */
const char *tree_with(struct session *s, const char *release, enum tree_place place);
/*
 * The newest kernel with headers and a bootable image.
 * Those of $STAP_KERNELS are asked alone first.
 */
bool tree_newest(struct session *s, const char **root, const char **release);

/*
 * For messages: "a, b" the releases that have headers,
 * "" when there are none; "/ or DIR": the trees.
 */
const char *tree_releases(struct session *s);
const char *tree_names(struct session *s);

#endif
