/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STP_ARCH_CLOCK_H
#define STP_ARCH_CLOCK_H

#include <asm/tsc.h>

/* Returns how many units of arch_cycles() a millisecond has; 0: unknown. */
static inline uint32_t arch_cycles_khz(void)
{
	return tsc_khz;
}

#endif
