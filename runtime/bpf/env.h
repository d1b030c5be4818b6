/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that core/ uses, in BPF programs; kernel/env.h and user/env.h are the others.
 * Structures are laid out as in user space: the program that loads the handlers works on
 * the same memory. All functions declared here have their bodies in bpf/runtime.c.
 */
#ifndef STP_BPF_ENV_H
#define STP_BPF_ENV_H

#include <asm-generic/errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#undef __always_inline
#define __always_inline inline

typedef __PTRDIFF_TYPE__ ssize_t;

#define PORT_SYMBOL_BYTES 256

#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/*
 * Programs run on one CPU at a time, with the loader waiting, so it is enough to order
 * accesses for the compiler.
 */
#define barrier()	    __asm__ volatile("" ::: "memory")
#define READ_ONCE(x)	    (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)    ((void)(*(volatile __typeof__(x) *)&(x) = (v)))
#define smp_load_acquire(p) READ_ONCE(*(p))
#define smp_store_release(p, v)                                                                    \
	do {                                                                                       \
		barrier();                                                                         \
		WRITE_ONCE(*(p), (v));                                                             \
	} while (0)
#define smp_mb()  barrier()
#define smp_rmb() barrier()
#define smp_wmb() barrier()

static inline bool try_cmpxchg64(uint64_t *p, uint64_t *old, uint64_t new_value)
{
	uint64_t seen = __sync_val_compare_and_swap(p, *old, new_value);
	bool same = seen == *old;

	*old = seen;
	return same;
}

/* BPF compares 64 bits, or 32 in a register of their own. */
static inline bool try_cmpxchg32(int32_t *p, int32_t *old, int32_t new_value)
{
	int32_t seen = __sync_val_compare_and_swap(p, *old, new_value);
	bool same = seen == *old;

	*old = seen;
	return same;
}

void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int byte, size_t n);
int memcmp(const void *a, const void *b, size_t n);
void *memchr(const void *s, int byte, size_t n);
char *strchr(const char *s, int byte);
size_t strlen(const char *s);
size_t strnlen(const char *s, size_t most);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);
int snprintf(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int vsnprintf(char *to, size_t size, const char *format, va_list args);

#endif
