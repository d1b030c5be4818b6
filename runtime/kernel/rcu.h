/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rcu_read_lock() for handlers. In kernels before 6.3, code of a processor that is
 * becoming idle can be probed while RCU does not watch the processor. Pointers to memory
 * that RCU frees must not be followed there.
 */
#ifndef STP_KERNEL_RCU_H
#define STP_KERNEL_RCU_H

#include <linux/rcupdate.h>

/*
 * True: objects that are read from now on stay valid until stp_rcu_end(). False: they do
 * not, and stp_rcu_end() must not be called.
 */
static inline bool stp_rcu_begin(void)
{
	bool watching = rcu_is_watching();

	if (watching)
		rcu_read_lock();
	return watching;
}

static inline void stp_rcu_end(void)
{
	rcu_read_unlock();
}

#endif
