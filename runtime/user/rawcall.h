/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * System calls without libc, whose functions may be probed. Returns what the kernel does:
 * a result or -errno.
 */
#ifndef STP_USER_RAWCALL_H
#define STP_USER_RAWCALL_H

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline __attribute__((always_inline)) long rawcall5(long n, long a, long b, long c, long d,
							   long e)
{
#if defined(__x86_64__)
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return ret;
#elif defined(__aarch64__)
	register long x8 __asm__("x8") = n;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
			 : "memory");
	return x0;
#else
	long ret = syscall(n, a, b, c, d, e);

	return ret < 0 ? -errno : ret;
#endif
}

#endif
