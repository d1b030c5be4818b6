/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Single instructions, for both back ends. */
#ifndef STP_ARCH_OPS_H
#define STP_ARCH_OPS_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

/* Interrupts are restored by one instruction. */
#define ARCH_TURNS_IRQS_ON false

/* Multiplies *low by a number; returns the upper half of the product. */
static inline __attribute__((always_inline)) uint64_t arch_multiply(uint64_t *low, uint64_t by)
{
	uint64_t high;

	__asm__("umulh %0, %1, %2" : "=r"(high) : "r"(*low), "r"(by));
	*low *= by;
	return high;
}

/* Returns a count of time that needs no call. */
static inline __attribute__((always_inline)) uint64_t arch_cycles(void)
{
	uint64_t count;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
	return count;
}

#endif
