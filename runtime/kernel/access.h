/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations shared by reading and writing the memory of the probed code. */
#ifndef STP_KERNEL_ACCESS_H
#define STP_KERNEL_ACCESS_H

#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

/*
 * A kernel thread has no user space of its own, and an NMI may arrive while it is
 * switched.
 */
static inline bool port_user_space_usable(void)
{
	return current->mm && !in_nmi();
}

/*
 * Reads memory of the current process. False: not all of it is present; pages are not
 * loaded. For walks that try addresses.
 */
bool stp_access_peek(void *dst, uint64_t addr, size_t size);
/*
 * Reads 8 bytes without any access check, while page faults are disabled and
 * port_user_space_usable(). This is an access, not a copy, and costs a third of one.
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

/* Like stp_access_peek() of 8 bytes, for walks that read many words. */
bool stp_access_peek_word(uint64_t *dst, uint64_t addr);
/*
 * Aborts the hit, if it may be repeated, so that it waits until a change of the process's
 * mappings is finished.
 */
void stp_access_put_off(void);

#endif
