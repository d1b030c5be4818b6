/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Trees of files that hold kernels, laid out like a root directory: boot/vmlinuz-RELEASE,
 * lib/modules/RELEASE, usr/src, usr/lib/debug. The machine's own root directory is one,
 * named "". The others come from $STAP_KERNELS, which is searched before it, and from
 * stap-fetch-kernel: /var/lib/stap/kernels, and ~/.systemtap/kernels if the user has
 * some.
 *
 * To add a place of a kernel's files: a row in tree.c; of images, in vm/images.def.
 */
#ifndef STAP_TREE_H
#define STAP_TREE_H

#include <stdbool.h>

struct arena;
struct session;

enum tree_place {
	TREE_IMAGE, /* the packed kernel */
	TREE_CONFIG,
	TREE_MODULES,	  /* the directory that modules.dep is relative to */
	TREE_BUILD,	  /* the directory in which modules are built */
	TREE_SOURCE,	  /* headers that are the same for all kernels of a version */
	TREE_DEBUG_IMAGE, /* unpacked, with debuginfo */
	TREE_DEBUG_MODULES,
	TREE_PLACES,
};

/*
 * Returns the place of a kernel's file in the tree at root: of several places the first
 * that exists, else the first.
 */
const char *tree_place(struct arena *a, const char *root, const char *release,
		       enum tree_place place);
/* The same for the target, s->kernel. */
const char *kernel_place(struct session *s, enum tree_place place);

/*
 * True: the kernel's build directory exists. A link to headers that are not installed
 * does not count.
 */
bool tree_has_headers(struct session *s, const char *root, const char *release);
/*
 * Returns the first tree that has the kernel's headers and image, else the first that has
 * its headers. NULL: none. A directory of $STAP_KERNELS with the headers is preferred to
 * all other trees, even without an image.
 */
const char *tree_of(struct session *s, const char *release);
/*
 * The same for a guest, which needs the image: a tree with headers only is not preferred.
 */
const char *tree_of_guest(struct session *s, const char *release);
/* Returns the first tree that has a file with the kernel's types. NULL: none. */
const char *tree_with_types(struct session *s, const char *release);
/*
 * Returns the first tree that has a file of the kernel; the machine's own if none has it.
 */
const char *tree_with(struct session *s, const char *release, enum tree_place place);
/*
 * Finds the newest kernel with headers and a bootable image, in the trees of
 * $STAP_KERNELS first, and only if they have none in the others.
 */
bool tree_newest(struct session *s, const char **root, const char **release);

/*
 * Texts for messages: tree_releases() returns the releases that have headers, "a, b" or
 * ""; tree_names() the trees, "/ or DIR".
 */
const char *tree_releases(struct session *s);
const char *tree_names(struct session *s);

#endif
