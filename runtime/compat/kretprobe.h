/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Get from an instance to its kretprobe, and to the return addresses that kretprobes have
 * taken from stacks.
 */
#ifndef STP_COMPAT_KRETPROBE_H
#define STP_COMPAT_KRETPROBE_H

#include <linux/kprobes.h>
#include <linux/sched.h>

#include "stp_facts.h"

/* Returns NULL if the kretprobe is being unregistered. */
static inline struct kretprobe *compat_kretprobe_of(struct kretprobe_instance *ri)
{
#ifdef STP_HAVE_KRETPROBE_INSTANCE_RP
	return ri->rp;
#else
	return get_kretprobe(ri);
#endif
}

/*
 * Calls `is` with each return address that a kretprobe has taken from this place of the
 * current task's stack, until it returns true. In kernels whose tasks have no lists of
 * them, they are private to the kernel, and nothing is found.
 */
static inline bool compat_kretprobe_returns(unsigned long sp,
					    bool (*is)(const void *ctx, unsigned long address),
					    const void *ctx)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct llist_node *node;
	struct rethook_node *at;

	for (node = current->rethooks.first; node; node = node->next) {
		at = llist_entry(node, struct rethook_node, llist);
		if (at->frame == sp && is(ctx, at->ret_addr))
			return true;
	}
#elif defined(STP_HAVE_KRETPROBE_TASK_LIST)
	struct llist_node *node;
	struct kretprobe_instance *at;

	for (node = current->kretprobe_instances.first; node; node = node->next) {
		at = llist_entry(node, struct kretprobe_instance, llist);
		if ((unsigned long)at->fp == sp && is(ctx, (unsigned long)at->ret_addr))
			return true;
	}
#endif
	return false;
}

/*
 * Calls fn with the place of each return address that a kretprobe has taken from a task's
 * stack, if the kernel has these by the task.
 */
static inline void compat_kretprobe_places(struct task_struct *t,
					   void (*fn)(const void *ctx, unsigned long *place),
					   const void *ctx)
{
#ifdef CONFIG_KRETPROBE_ON_RETHOOK
	struct llist_node *node;

	for (node = t->rethooks.first; node; node = node->next)
		fn(ctx, &llist_entry(node, struct rethook_node, llist)->ret_addr);
#elif defined(STP_HAVE_KRETPROBE_TASK_LIST)
	struct llist_node *node;
	struct kretprobe_instance *at;

	for (node = t->kretprobe_instances.first; node; node = node->next) {
		at = llist_entry(node, struct kretprobe_instance, llist);
		fn(ctx, (unsigned long *)&at->ret_addr);
	}
#endif
}

#endif
