/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A system call of a process without libc: lib/rawcall.h. Returns a result or -errno. */
#ifndef ARCH_RAWCALL_H
#define ARCH_RAWCALL_H

static inline __attribute__((always_inline)) long arch_rawcall6(long n, long a, long b, long c,
								long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

/* The same, for calls of five arguments at most. */
static inline __attribute__((always_inline)) long arch_rawcall(long n, long a, long b, long c,
							       long d, long e)
{
	return arch_rawcall6(n, a, b, c, d, e, 0);
}

#endif
