/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fixed number of slots, which are taken and released in any context, without a lock.
 */
#ifndef STP_KERNEL_SLOTS_H
#define STP_KERNEL_SLOTS_H

#include <linux/bitops.h>

/* Returns the number of a free slot, and takes it. n: there is none. */
static inline unsigned int stp_slots_take(unsigned long *taken, unsigned int n)
{
	unsigned int i = 0;

	while (i < n && (test_bit(i, taken) || test_and_set_bit_lock(i, taken)))
		i++;
	return i;
}

static inline void stp_slots_leave(unsigned long *taken, unsigned int i)
{
	clear_bit_unlock(i, taken);
}

#endif
