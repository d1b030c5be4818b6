/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a module's description of itself: its ELF section .modinfo, a sequence of
 * "key=value" strings. The image is not trusted: every offset is checked against its
 * size. Nothing here decides whether the kernel will accept the module.
 */
#ifndef STAPRUN_MODINFO_H
#define STAPRUN_MODINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "staprun/image.h"

#define MODINFO_MAX 16384

struct modinfo {
	char text[MODINFO_MAX]; /* the strings, each ended by NUL, and one NUL more */
	size_t len;
};

/* Within the image. */
struct modinfo_section {
	char *data;
	size_t size;
};

/* Returns NULL or an error text. */
const char *modinfo_find_section(const struct image *i, const char *name,
				 struct modinfo_section *ret);
const char *modinfo_read(const struct image *i, struct modinfo *ret);
/* Returns the value of the first `key` after `prev` (NULL: of the first one), or NULL. */
const char *modinfo_next(const struct modinfo *m, const char *key, const char *prev);

#endif
