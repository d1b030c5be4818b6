/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single instructions, for both back ends. */
#ifndef STP_ARCH_OPS_H
#define STP_ARCH_OPS_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

/* struct ftrace_regs begins with a struct pt_regs: arch_ftrace.h checks it. */
#define ARCH_FTRACE_BEGINS_WITH_REGS
/* arch_wrapper.h has wrappers of functions. */
#define ARCH_HAS_WRAPPERS

/* Interrupts are restored by a test and an instruction that turns them on. */
#define ARCH_TURNS_IRQS_ON true

/* Multiplies *low by a number; returns the upper half of the product. */
static inline __attribute__((always_inline)) uint64_t arch_multiply(uint64_t *low, uint64_t by)
{
	uint64_t high;

	__asm__("mulq %2" : "+a"(*low), "=d"(high) : "rm"(by) : "cc");
	return high;
}

/*
 * Returns a count of time that needs no call. The kernel's get_cycles() is avoided: with
 * this builtin the compiler drops the upper half where only the lower one is wanted.
 */
static inline __attribute__((always_inline)) uint64_t arch_cycles(void)
{
	return __builtin_ia32_rdtsc();
}

#endif
