/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines that an object for BPF has in its section .BTF.ext. */
#ifndef BPF_BTFLINES_H
#define BPF_BTFLINES_H

#include <stddef.h>
#include <stdint.h>

struct arena;

/*
 * Returns the line of each of the n instructions of a section, 0: none; NULL: none has
 * one. `ext` is the contents of .BTF.ext, `btf` those of .BTF.
 */
uint32_t *btflines_read(struct arena *a, const char *ext, const char *btf, const char *section,
			size_t n);

#endif
