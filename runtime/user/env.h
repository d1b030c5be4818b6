/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that core/ uses, in user space; kernel/env.h is the other half. Also included by
 * the translator and by stapio with the files they share, so it declares nothing that
 * conflicts with them. Atomics are the compiler's, so that ThreadSanitizer sees them.
 */
#ifndef STP_USER_ENV_H
#define STP_USER_ENV_H

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef likely
#define likely(x)   __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

#ifndef READ_ONCE
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n((p), (v), __ATOMIC_RELEASE)
#define smp_mb()		__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()		__atomic_thread_fence(__ATOMIC_RELEASE)
#endif

#ifndef barrier
#define barrier() __atomic_signal_fence(__ATOMIC_SEQ_CST)
#endif

static inline bool try_cmpxchg64(uint64_t *p, uint64_t *old, uint64_t new_value)
{
	return __atomic_compare_exchange_n(p, old, new_value, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

static inline bool try_cmpxchg32(int32_t *p, int32_t *old, int32_t new_value)
{
	return __atomic_compare_exchange_n(p, old, new_value, false, __ATOMIC_SEQ_CST,
					   __ATOMIC_RELAXED);
}

#endif
