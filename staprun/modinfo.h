/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a module file says about itself: its ELF section .modinfo, a sequence of "key=value" strings. The file
 * is not trusted: every offset is checked against its size. Nothing here decides whether the kernel will take
 * the module.
 */
#ifndef STAPRUN_MODINFO_H
#define STAPRUN_MODINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODINFO_MAX 16384

struct modinfo {
	char text[MODINFO_MAX]; /* the strings, each ended by NUL, and one NUL more */
	size_t len;
};

struct modinfo_section {
	uint64_t offset, size;
};

bool modinfo_find_section(int fd, const char *name, struct modinfo_section *ret);
/* NULL, or what is wrong. */
const char *modinfo_read(int fd, struct modinfo *ret);
/* The value of the first `key` after `prev` (NULL: of the first), or NULL. */
const char *modinfo_next(const struct modinfo *m, const char *key, const char *prev);

#endif
