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

#include "core/embeddednames.h"

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
