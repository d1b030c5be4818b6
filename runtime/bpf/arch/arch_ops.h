/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operations that other machines have an instruction for, in BPF.
 * Results are the same as theirs, because the program that loads the handlers also hashes
 * keys.
 */
#ifndef STP_ARCH_OPS_H
#define STP_ARCH_OPS_H

#include <stdint.h>

/* Multiplies *low by a number; returns the upper half of the product. */
static inline __attribute__((always_inline)) uint64_t arch_multiply(uint64_t *low, uint64_t by)
{
	uint64_t a = *low, b = (uint32_t)a * (by >> 32), c = (a >> 32) * (uint32_t)by;
	uint64_t mid = ((uint64_t)(uint32_t)a * (uint32_t)by >> 32) + (uint32_t)b + (uint32_t)c;

	*low = a * by;
	return (a >> 32) * (by >> 32) + (b >> 32) + (c >> 32) + (mid >> 32);
}

#endif
