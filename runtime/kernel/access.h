/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations shared by reading and writing the memory of the probed code. */
#ifndef STP_KERNEL_ACCESS_H
#define STP_KERNEL_ACCESS_H

#include <linux/preempt.h>
#include <linux/sched.h>

/*
 * A kernel thread has no user space of its own, and an NMI may have come while it
 * changes.
 */
static inline bool port_user_space_usable(void)
{
	return current->mm && !in_nmi();
}

#endif
