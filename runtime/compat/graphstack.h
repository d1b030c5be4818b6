/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The function graph tracer's stack of a task, which has the return addresses that it has
 * taken from the task's own: entries of a struct, later words.
 */
#ifndef STP_COMPAT_GRAPHSTACK_H
#define STP_COMPAT_GRAPHSTACK_H

#include <linux/ftrace.h>
#include <linux/sched.h>

/* Returns the first word of the stack; sets *end to the one after the last in use. */
static inline unsigned long *compat_graphstack(struct task_struct *t, unsigned long **end)
{
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	/* Entries are numbered from 0; of words, it is the number in use. */
	const bool of_words = __builtin_types_compatible_p(typeof(t->ret_stack), unsigned long *);

	if (t->ret_stack) {
		*end = (unsigned long *)(t->ret_stack + t->curr_ret_stack + !of_words);
		return (unsigned long *)t->ret_stack;
	}
#endif
	return *end = NULL;
}

#endif
