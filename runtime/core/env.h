/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names that both back ends provide: fixed-width integers, strings, atomics, likely(). */
#ifndef STP_ENV_H
#define STP_ENV_H

#ifdef __KERNEL__
#include "kernel/env.h"
#elif defined(__bpf__)
#include "bpf/env.h"
#else
#include "user/env.h"
#endif

/*
 * Makes a small inline function of every hit inline in BPF programs, too, which are
 * compiled to be small.
 */
#ifdef __bpf__
#define STP_BPF_INLINE __attribute__((__always_inline__))
#else
#define STP_BPF_INLINE
#endif

/* Keeps a function that few hits call out of what is inline in BPF programs. */
#ifdef __bpf__
#define STP_BPF_APART __attribute__((noinline))
#else
#define STP_BPF_APART
#endif

/*
 * Follows a declarator. The variable is written before it is read, so it need not be
 * cleared, which the kernel's compiler options would do.
 */
#if __has_attribute(uninitialized)
#define STP_UNSET __attribute__((uninitialized))
#else
#define STP_UNSET
#endif

#endif
