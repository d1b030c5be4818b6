/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads pages of the program that a handler finds missing: never touched, dropped, or
 * swapped out. A handler cannot sleep. So the hit is broken off before it has had a
 * lasting effect, the task loads the page, and the hit is repeated.
 *
 * Hits that find their pages pay nothing for this: a hit runs like any other, a failing
 * read breaks it off (access.c), and its end calls stp_hit_repeat() here.
 *
 * Memory may belong to somebody who can withhold it for any time (userfaultfd, a file
 * system in a process). So the kernel is asked to start reading without waiting, and
 * asked again until the page is there or the time is over. After that, the hit sees the
 * page as missing, as everywhere else.
 *
 * The lock of the mappings may also be held. Just waiting for it is useless: a process
 * that takes it in a loop has it again before the hit runs. So the task holds it for the
 * hit.
 */
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/stacktrace.h>

#include "api.h"
#include "core/port.h"
#include "core/state.h"
#include "kernel/pages.h"
#include "kernel/sleepers.h"

#define PAGES_MOST 32 /* largest number of pages that a hit waits for */

/* Interrupts are off around the hit, so that its state is still that of this CPU. */
static bool hit_run(struct stp_repeat *r, enum stp_repeats repeats, bool has_mappings)
{
	unsigned long flags = port_irq_save();
	struct stp_ctx *c = &stp_cpu_here()->ctx;
	bool ran;

	c->repeats = repeats;
	c->has_mappings = has_mappings;
	ran = r->hit(r->p, r->regs, r->args, r->saved);
	c->has_mappings = false;
	c->repeats = STP_REPEATS_ITSELF;
	r->absence = c->again ? c->absence : (struct stp_absence){ 0 };
	c->again = false;
	port_irq_restore(flags);
	return ran;
}

static bool mappings_lock(void)
{
	bool is_locked;

	if (!current->mm || !stp_sleepers_enter())
		return false;
	is_locked = !mmap_read_lock_killable(current->mm);
	stp_sleepers_leave();
	return is_locked;
}

/* Called in a task that may wait. */
static bool hit_repeated(struct stp_repeat *r, enum stp_repeats repeats)
{
	bool has_mappings, ran;

	r->wants_mappings |= r->absence.size == STP_MAPPINGS;
	has_mappings = r->wants_mappings && mappings_lock();
	ran = hit_run(r, repeats, has_mappings);
	if (has_mappings)
		mmap_read_unlock(current->mm);
	return ran;
}

/* True: the page is there. */
static bool page_bring(unsigned long addr, unsigned long until)
{
	struct page *page;
	long n;

	for (;;) {
		n = get_user_pages_unlocked(addr, 1, &page, FOLL_NOWAIT);
		if (n == 1)
			put_page(page);
		if (n && n != -EAGAIN)
			return n == 1;
		if (time_after(jiffies, until) || stp_sleepers_closed() ||
		    fatal_signal_pending(current))
			return false;
		schedule_timeout_killable(1);
	}
}

static bool pages_bring(unsigned long addr, size_t size, unsigned long until)
{
	unsigned long last = (addr + size - 1) & PAGE_MASK;
	bool ok = true;

	for (addr &= PAGE_MASK; ok && addr <= last; addr += PAGE_SIZE)
		ok = page_bring(addr, until);
	return ok;
}

/* Loads the pages that the hit lacked. For mappings, hit_repeated() just waits. */
static bool absence_bring(const struct stp_absence *a, unsigned long until)
{
	bool ok;

	if (!current->mm || !stp_sleepers_enter())
		return false;
	ok = a->size == STP_MAPPINGS || pages_bring(a->addr, a->size, until);
	stp_sleepers_leave();
	return ok;
}

bool stp_pages_repeat(struct stp_repeat *r)
{
	unsigned long until = jiffies + HZ;
	bool ran;

	for (unsigned int i = 0; i < PAGES_MOST && absence_bring(&r->absence, until); i++) {
		ran = hit_repeated(r, STP_REPEATED);
		if (!r->absence.size)
			return ran;
	}
	return hit_repeated(r, STP_REPEATED_NEVER);
}

#ifdef CONFIG_PREEMPT_COUNT
static bool may_sleep(void)
{
	return preemptible();
}
#else
#define FRAMES_MOST 32

/*
 * The kernel does not show who has disabled preemption. So the caller must be known:
 * ftrace is recognised by the call that is for this script alone.
 */
static bool may_sleep(void)
{
	static const char *const callers[] = { "ftrace_call+", "ftrace_regs_call+",
					       "ftrace_caller+", "ftrace_trampoline+" };
	unsigned long frames[FRAMES_MOST];
	unsigned int n, i = 0;
	char name[KSYM_SYMBOL_LEN];

	if (irqs_disabled() || in_interrupt())
		return false;
	n = stack_trace_save(frames, FRAMES_MOST, 0);
	while (i < n && !within_module(frames[i], THIS_MODULE))
		i++;
	while (i < n && within_module(frames[i], THIS_MODULE))
		i++;
	if (i == n)
		return false;
	sprint_symbol(name, frames[i]);
	for (i = 0; i < ARRAY_SIZE(callers); i++)
		if (!strncmp(name, callers[i], strlen(callers[i])))
			return true;
	return false;
}
#endif

/*
 * At the entry of a system call, no lock is held yet. But ftrace may also serve others,
 * and nothing may sleep in a kprobe.
 */
bool stp_pages_repeat_function(struct stp_repeat *r)
{
	return may_sleep() ? stp_pages_repeat(r) : hit_run(r, STP_REPEATED_NEVER, false);
}

bool stp_pages_begin(struct stp_repeat *r)
{
	bool ran = hit_run(r, STP_REPEATED, false);

	return r->absence.size ? stp_pages_repeat_function(r) : ran;
}
