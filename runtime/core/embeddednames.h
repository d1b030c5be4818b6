/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel names that embedded C uses, for user space and BPF programs, which have no
 * kernel headers. Included by their embedded.h.
 */
#ifndef STP_CORE_EMBEDDEDNAMES_H
#define STP_CORE_EMBEDDEDNAMES_H

#include "core/env.h"

/* Globals are set by name on the program's command line (user/main.c). */
#define STP_PARAM(name, index) _Static_assert(1, #name)
#define STP_MARK(level)	       _Static_assert(1, level)

typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef long long s64;
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;

static inline ssize_t strscpy(char *dst, const char *src, size_t size)
{
	size_t len = strnlen(src, size);

	if (!size)
		return -E2BIG;
	if (len == size) {
		memcpy(dst, src, size - 1);
		dst[size - 1] = 0;
		return -E2BIG;
	}
	memcpy(dst, src, len + 1);
	return (ssize_t)len;
}

#endif
