/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Breakpoints in user programs. */
#ifndef STP_COMPAT_UPROBE_H
#define STP_COMPAT_UPROBE_H

#include <linux/err.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <linux/uprobes.h>

#include "stp_facts.h"

#define COMPAT_RETURNS_MOST 64 /* the kernel keeps as many per task */

#ifdef STP_HAVE_UPROBE_CONSUMER_DATA
#define COMPAT_UPROBE_DATA , __u64 *data
#else
#define COMPAT_UPROBE_DATA
#endif

/* True: a consumer of entries and returns has data for each call, a session. */
static inline bool compat_uprobe_has_sessions(void)
{
#ifdef STP_HAVE_UPROBE_CONSUMER_DATA
	return true;
#else
	return false;
#endif
}

/* Parameter that tells filters why they are called; kernels without handles have it. */
#ifdef STP_HAVE_UPROBE_HANDLE
#define COMPAT_UPROBE_WHY
#else
#define COMPAT_UPROBE_WHY , enum uprobe_filter_ctx why
#endif

/* Result of registration and argument of removal. */
#ifdef STP_HAVE_UPROBE_HANDLE
typedef struct uprobe *compat_uprobe;
#else
typedef bool compat_uprobe;
#endif

/* True: the kernel replaces a nop of 10 bytes with a call. Others may refuse a probe. */
static inline bool compat_uprobe_calls_at_nop10(void)
{
#if defined(STP_HAVE_UPROBE_SYSCALL) && !defined(STP_HAVE_UPROBE_NOP5)
	return true;
#else
	return false;
#endif
}

/* True: an instruction is left out when a handler moves the instruction pointer. */
static inline bool compat_uprobe_moves(void)
{
#if defined(STP_HAVE_UPROBE_MOVES) && defined(STP_HAVE_UPROBE_CONSUMER_LIST)
	return true;
#else
	return false;
#endif
}

/*
 * True: apart from these two consumers, of which the second may be registered, there are
 * none at their place. False if the kernel does not show it.
 */
static inline bool compat_uprobe_alone(const struct uprobe_consumer *uc,
				       const struct uprobe_consumer *second)
{
#ifdef STP_HAVE_UPROBE_CONSUMER_LIST
	const struct list_head *next = READ_ONCE(uc->cons_node.next);
	const struct list_head *prev = READ_ONCE(uc->cons_node.prev);

	return next == prev ||
	       (next == &second->cons_node && READ_ONCE(second->cons_node.next) == prev) ||
	       (prev == &second->cons_node && READ_ONCE(second->cons_node.prev) == next);
#else
	return false;
#endif
}

/*
 * Registers a probe. ref_ctr: offset in the file of a counter that is incremented in each
 * process while the probe is there; 0: none.
 */
static inline int compat_uprobe_add(struct inode *inode, loff_t offset, loff_t ref_ctr,
				    struct uprobe_consumer *uc, compat_uprobe *ret)
{
#ifdef STP_HAVE_UPROBE_HANDLE
	*ret = uprobe_register(inode, offset, ref_ctr, uc);
	if (IS_ERR(*ret)) {
		int error = PTR_ERR(*ret);

		*ret = NULL;
		return error;
	}
	return 0;
#else
	int error = uprobe_register_refctr(inode, offset, ref_ctr, uc);

	*ret = !error;
	return error;
#endif
}

/* Removes a probe. Handlers may still run until compat_uprobe_sync(). */
static inline void compat_uprobe_remove(struct inode *inode, loff_t offset,
					struct uprobe_consumer *uc, compat_uprobe *u)
{
	if (!*u)
		return;
#ifdef STP_HAVE_UPROBE_HANDLE
	uprobe_unregister_nosync(*u, uc);
#else
	uprobe_unregister(inode, offset, uc);
#endif
	*u = 0;
}

/* True: the kernel will miss the return of a call that the task begins now. */
static inline bool compat_uprobe_is_too_deep(void)
{
#ifdef CONFIG_UPROBES
	return current->utask && current->utask->depth >= COMPAT_RETURNS_MOST;
#else
	return false;
#endif
}

/* True: the task is in calls whose return addresses may have been replaced. */
static inline bool compat_uprobe_has_returns(void)
{
#ifdef CONFIG_UPROBES
	return current->utask && READ_ONCE(current->utask->return_instances);
#else
	return false;
#endif
}

/*
 * Replaces the address at the slot by the real return address of that call, when a return
 * probe has put its own address there. The list is the current task's: an interrupt may
 * find it in the middle of a change, so it is read with the same care as foreign memory.
 * On kernels that keep it in another way the address stays as it is.
 */
static inline void compat_uprobe_return_address(uint64_t slot, uint64_t *address)
{
#if defined(CONFIG_UPROBES) && defined(STP_HAVE_RETURN_INSTANCE_LIST)
	struct return_instance *at = current->utask ? READ_ONCE(current->utask->return_instances)
						    : NULL,
			       ri;

	for (unsigned int i = 0; at && i < COMPAT_RETURNS_MOST; i++, at = ri.next) {
		if (copy_from_kernel_nofault(&ri, at, sizeof(ri)))
			return;
		if (ri.stack == slot) {
			*address = ri.orig_ret_vaddr;
			return;
		}
	}
#endif
}

static inline void compat_uprobe_sync(void)
{
#ifdef STP_HAVE_UPROBE_HANDLE
	uprobe_unregister_sync();
#endif
}

#endif
