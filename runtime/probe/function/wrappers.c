/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wrappers of functions (arch_wrapper.h): ftrace calls them directly, where nobody else's
 * direct call is. A return then takes 80 instructions instead of a kretprobe's 440.
 *
 * A call can sleep in the function for any time, and returns to the wrapper, which is in
 * the module. So when wrappers are removed, the calls that still run are made to return
 * past them: on the stacks of their tasks, the address in the wrapper becomes that of
 * code in the kernel that leaves out what the wrapper has put there, and returns. It is
 * the end of many functions, so the kernel's unwinder knows its frame. No wrapper
 * is registered before such code is found. All of this is done only if a call is running:
 * each wrapper counts calls up and down, on any CPU.
 *
 * The stacks are found by the list of tasks. A task that ends leaves the list: calls that
 * it makes from then on are counted apart, and waited for. Little is left for it to do.
 */
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/sched/task_stack.h>
#include <linux/stop_machine.h>
#include <linux/uaccess.h>

#include "api.h"
#include "compat/ftrace.h"
#include "compat/graphstack.h"
#include "compat/kretprobe.h"
#include "compat/wrapper.h"
#include "core/port.h"
#include "probe/points.h"

#ifdef STP_WRAPS

/* Calls that have begun on this CPU, less those that have returned on it. */
struct wrapped_calls {
	long listed, ending; /* of tasks in the list of tasks; of others */
};
static DEFINE_PER_CPU(struct wrapped_calls, wrapped_calls);

/* A task begins to end, as seen here, in exit_notify() alone, which has no wrapper. */
ARCH_WRAPPER_CALLS void stp_wrappers_begin(void)
{
	if (unlikely(current->exit_state))
		this_cpu_inc(wrapped_calls.ending);
	else
		this_cpu_inc(wrapped_calls.listed);
}

ARCH_WRAPPER_CALLS void stp_wrappers_end(void)
{
	if (unlikely(current->exit_state))
		this_cpu_dec(wrapped_calls.ending);
	else
		this_cpu_dec(wrapped_calls.listed);
}

static struct wrapping {
	struct ftrace_ops ops;
	const struct stp_wrapper *wrapper; /* NULL: not registered */
} wrappings[STP_WRAPPERS_MOST];

static unsigned long wrapper_leaver; /* address of the code that returns past a wrapper */

/* ---- code that returns past a wrapper ---- */

#define LEAVER_SEARCHED (4u << 20) /* bytes of the kernel's code that are searched */
#define LEAVER_BYTES	9	   /* add, and a jump or return */

static const uint8_t leaver_add[] = { 0x48, 0x83, 0xc4, ARCH_WRAPPER_FRAME };

/* Returns the address that a jump at `code`, whose bytes are given, leads to. */
static unsigned long jump_target(unsigned long code, const uint8_t *bytes)
{
	int32_t distance;

	memcpy(&distance, bytes + 1, sizeof(distance));
	return code + 5 + distance;
}

/*
 * True: the bytes return, in the way that this kernel does on this processor, which the
 * wrapper shows: by an instruction, or by a jump to code that does.
 */
static bool is_return_code(unsigned long code, const uint8_t *bytes, unsigned long own)
{
	const uint8_t *mine = (const uint8_t *)own;

	if (bytes[0] != mine[0])
		return false;
	return mine[0] == 0xc3 ||
	       (mine[0] == 0xe9 && jump_target(code, bytes) == jump_target(own, mine));
}

/* Returns the address of the wrapper's own return. */
static unsigned long own_return(const struct stp_wrapper *w)
{
	return (unsigned long)w->code + w->places[STP_WRAPPER_RETURN];
}

static unsigned long leaver_find(const struct stp_wrapper *w)
{
	unsigned long at = (unsigned long)register_ftrace_direct, end = at + LEAVER_SEARCHED;
	uint8_t bytes[256];

	for (; at < end; at += sizeof(bytes) - LEAVER_BYTES) {
		if (copy_from_kernel_nofault(bytes, (void *)at, sizeof(bytes)))
			return 0;
		for (unsigned int i = 0; i + LEAVER_BYTES <= sizeof(bytes); i++)
			if (!memcmp(bytes + i, leaver_add, sizeof(leaver_add)) &&
			    is_return_code(at + i + sizeof(leaver_add),
					   bytes + i + sizeof(leaver_add), own_return(w)))
				return at + i;
	}
	return 0;
}

/* ---- calls that still run ---- */

static bool is_running(bool ending)
{
	long n = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		n += ending ? per_cpu(wrapped_calls.ending, cpu)
			    : per_cpu(wrapped_calls.listed, cpu);
	return n > 0;
}

/* Addresses in wrappers that functions return to. */
struct backs {
	unsigned long all[STP_WRAPPERS_MOST], first, last;
	unsigned int n;
};

static void backs_find(struct backs *b)
{
	*b = (struct backs){ .first = ULONG_MAX };
	for (unsigned int i = 0; i < STP_WRAPPERS_MOST; i++) {
		const struct stp_wrapper *w = wrappings[i].wrapper;
		unsigned long back;

		if (!w)
			continue;
		back = (unsigned long)w->code + w->places[STP_WRAPPER_BACK];
		b->all[b->n++] = back;
		b->first = min(b->first, back);
		b->last = max(b->last, back);
	}
}

static bool is_back(const struct backs *b, unsigned long address)
{
	for (unsigned int i = 0; i < b->n; i++)
		if (address == b->all[i])
			return true;
	return false;
}

/*
 * Makes the call that returns to the address at this place, if it is in a wrapper, return
 * past the wrapper. A word that only looks like such an address is one that nobody reads.
 */
static __no_sanitize_address void call_leaves(const void *backs, unsigned long *place)
{
	const struct backs *b = backs;

	if (unlikely(*place - b->first <= b->last - b->first) && is_back(b, *place))
		*place = wrapper_leaver;
}

/* Does so with the calls on a task's stack, from that address on. */
static __no_sanitize_address void calls_leave_stack(const struct backs *b, struct task_struct *t,
						    unsigned long *at)
{
	unsigned long *first = task_stack_page(t), *end = (void *)first + THREAD_SIZE;

	if (at < first || at >= end)
		at = first;
	for (; at < end; at++)
		call_leaves(b, at);
}

/*
 * Does so with those whose return address others have taken from the stack: a function
 * that a wrapped one ends in, by a jump, returns to the wrapper, and may be theirs.
 */
static void calls_leave_hooks(const struct backs *b, struct task_struct *t)
{
	unsigned long *end, *at = compat_graphstack(t, &end);

	for (; at < end; at++)
		call_leaves(b, at);
	compat_kretprobe_places(t, call_leaves, b);
}

/*
 * Returns the end of the task's stack that is in use. On other CPUs tasks run that keep
 * these; the calls on their stacks are older than that.
 */
static unsigned long *stack_end(const struct task_struct *t, unsigned long *here)
{
	if (t == current)
		return here;
#ifdef CONFIG_SMP
	if (t->on_cpu)
		return NULL;
#endif
	return (unsigned long *)t->thread.sp;
}

/* True: the task has a stack, which one that has ended need not have. */
static bool has_stack(struct task_struct *t)
{
#ifdef CONFIG_THREAD_INFO_IN_TASK
	return refcount_read(&t->stack_refcount) && task_stack_page(t);
#else
	return task_stack_page(t);
#endif
}

/* Runs while all other CPUs stand still. */
static int calls_leave(void *data)
{
	unsigned long *here = __builtin_frame_address(0);
	const struct backs *b = data;
	struct task_struct *p, *t;

	rcu_read_lock();
	for_each_process_thread(p, t)
		if (has_stack(t)) {
			calls_leave_stack(b, t, stack_end(t, here));
			calls_leave_hooks(b, t);
		}
	rcu_read_unlock();
	return 0;
}

static void calls_settle(void)
{
	static struct backs backs; /* not on a stack that is searched */

	if (is_running(false)) {
		backs_find(&backs);
		stop_machine(calls_leave, &backs, NULL);
	}
	while (is_running(true))
		msleep(1);
		/* Some may still be in the wrapper, or about to leave it. */
#ifdef CONFIG_TASKS_RUDE_RCU
	synchronize_rcu_tasks_rude();
#endif
	synchronize_rcu_tasks();
	synchronize_rcu();
}

/* ---- registering ---- */

/*
 * Functions in which a task may wait, or be interrupted, that no list of tasks has: a
 * CPU's idle task gives the CPU to others; a task that ends leaves the lists. The last
 * one begins in one task and ends in another.
 */
static const char *const unlisted[] = { "do_idle",     "schedule_idle", "cpu_startup_entry",
					"exit_notify", "do_task_dead",	"__switch_to" };

static bool is_of_unlisted(const struct stp_probe *p)
{
	const struct stp_point_function *point = p->point;

	for (unsigned int i = 0; i < ARRAY_SIZE(unlisted); i++)
		if (!strcmp(point->symbol ?: "", unlisted[i]))
			return true;
	return false;
}

static __cold bool wrapper_register(unsigned int n, unsigned long ip, const struct stp_probe *p)
{
	const struct stp_wrapper *w = &stp_script.wrappers[p->index];
	struct wrapping *at = &wrappings[n];

	if (is_of_unlisted(p) || (!wrapper_leaver && !(wrapper_leaver = leaver_find(w))))
		return false;
	if (compat_ftrace_set(&at->ops, &ip, 1) ||
	    compat_ftrace_direct(&at->ops, (unsigned long)w->code)) {
		compat_ftrace_forget(&at->ops);
		return false;
	}
	at->ops.flags |= FTRACE_OPS_FL_PERMANENT; /* see entries.c */
	at->wrapper = w;
	return true;
}

static __cold void wrappers_remove(void)
{
	bool any = false;

	for (unsigned int i = 0; i < STP_WRAPPERS_MOST; i++) {
		struct wrapping *at = &wrappings[i];

		if (!at->wrapper)
			continue;
		compat_ftrace_direct_end(&at->ops, (unsigned long)at->wrapper->code);
		any = true;
	}
	if (any)
		calls_settle();
	for (unsigned int i = 0; i < STP_WRAPPERS_MOST; i++)
		wrappings[i].wrapper = NULL;
}

#else

static __cold bool wrapper_register(unsigned int n, unsigned long ip, const struct stp_probe *p)
{
	return false;
}

static __cold void wrappers_remove(void)
{
}

#endif

const struct stp_wrapping stp_wrapping = { .add = wrapper_register, .remove = wrappers_remove };
