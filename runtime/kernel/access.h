/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations shared by reading and writing the memory of the probed code. */
#ifndef STP_KERNEL_ACCESS_H
#define STP_KERNEL_ACCESS_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

/*
 * A kernel thread has no user space of its own, and an NMI may have come while it
 * changes.
 */
static inline bool port_user_space_usable(void)
{
	return current->mm && !in_nmi();
}

/*
 * Reads memory of the current process; false when not all of it is there: no page is
 * brought for it. For walks that try addresses.
 */
bool stp_access_peek(void *dst, uint64_t addr, size_t size);
/*
 * Reads 8 bytes without any check of whose they are, while page faults are disabled and
 * port_user_space_usable(): an access, not a copy, which costs a third.
 */
static __always_inline bool stp_access_read_plainly(uint64_t *dst, uint64_t addr)
{
	const unsigned long __user *at = (const unsigned long __user *)(unsigned long)addr;
	unsigned long word;

	if (!access_ok(at, sizeof(*at)) || __get_user(word, at))
		return false;
	*dst = word;
	return true;
}

/* The same as stp_access_peek() of 8 bytes, for walks that read many. */
bool stp_access_peek_word(uint64_t *dst, uint64_t addr);
/*
 * Breaks the hit off, if it may be repeated, for it to wait until somebody who changes
 * what the process has mapped is ready.
 */
void stp_access_put_off(void);

#endif
