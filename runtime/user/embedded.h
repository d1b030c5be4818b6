/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel names that embedded C uses, for scripts that run in user space. Only generated C
 * and the runtime see them.
 */
#ifndef STP_USER_EMBEDDED_H
#define STP_USER_EMBEDDED_H

#include "user/env.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

pid_t gettid(void); /* glibc declares it for _GNU_SOURCE only */

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

/* Returns the length that fitted, not the length of the whole text. */
static inline int __attribute__((format(printf, 3, 4)))
scnprintf(char *dst, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(dst, size, fmt, args);
	va_end(args);
	return n < 0 || !size ? 0 : n < (int)size ? n : (int)size - 1;
}

/* glibc has these from 2.38 on. */
#if !defined(__GLIBC_PREREQ) || !__GLIBC_PREREQ(2, 38)
static inline size_t strlcpy(char *dst, const char *src, size_t size)
{
	strscpy(dst, src, size);
	return strlen(src);
}

static inline size_t strlcat(char *dst, const char *src, size_t size)
{
	size_t used = strnlen(dst, size);

	if (used < size)
		strscpy(dst + used, src, size - used);
	return used + strlen(src);
}
#endif

#endif
