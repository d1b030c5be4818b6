/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls without libc, because functions of libc may be probed. Returns the
 * kernel's answer: a result or -errno.
 */
#ifndef LIB_RAWCALL_H
#define LIB_RAWCALL_H

#include <sys/syscall.h>

#if __has_include("arch_rawcall.h")
#include "arch_rawcall.h"
#define rawcall arch_rawcall
#else
#include <errno.h>
#include <unistd.h>

static inline long rawcall(long n, long a, long b, long c, long d, long e)
{
	long ret = syscall(n, a, b, c, d, e);

	return ret < 0 ? -errno : ret;
}
#endif

#endif
