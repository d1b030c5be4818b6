/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Brings pages of the program that a handler finds missing: never touched, dropped, or
 * swapped out. A handler cannot sleep. So the hit is broken off before it has done
 * anything that lasts, the task brings the page, and the hit is repeated.
 *
 * Memory may belong to somebody who keeps it back for as long as he likes (userfaultfd,
 * a file system in a process). So the kernel is asked to start reading without waiting,
 * and asked again until the page is there or the time is over. After that the hit sees
 * the page missing, as it does everywhere else.
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>

#include "api.h"
#include "core/port.h"
#include "core/state.h"
#include "kernel/sleepers.h"

#define PAGES_MOST 32 /* pages that a hit waits for */

struct absence {
	uint64_t addr;
	size_t size; /* 0: the hit has ended, well or not */
};

/* Interrupts are off around the hit, so that what it leaves is still this CPU's. */
static bool hit_noting(const struct stp_probe *p, stp_hit_function *hit, struct pt_regs *regs,
		       const int64_t *args, int64_t *saved, struct absence *ret)
{
	unsigned long flags = port_irq_save();
	struct stp_ctx *c = &stp_cpu_here()->ctx;
	bool ran;

	c->pages = p;
	ran = hit(p, regs, args, saved);
	c->pages = NULL;
	*ret = c->again ? (struct absence){ c->absent, c->absent_size } : (struct absence){ 0 };
	c->again = false;
	port_irq_restore(flags);
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

static bool pages_bring(const struct absence *a, unsigned long until)
{
	unsigned long addr = a->addr & PAGE_MASK, last = (a->addr + a->size - 1) & PAGE_MASK;
	bool ok = true;

	if (!stp_sleepers_enter())
		return false;
	for (; ok && addr <= last; addr += PAGE_SIZE)
		ok = page_bring(addr, until);
	stp_sleepers_leave();
	return ok;
}

bool stp_pages_hit(const struct stp_probe *p, stp_hit_function *hit, struct pt_regs *regs,
		   const int64_t *args, int64_t *saved)
{
	unsigned long until = 0;
	struct absence a;
	bool ran;

	for (unsigned int brought = 0; brought < PAGES_MOST; brought++) {
		ran = hit_noting(p, hit, regs, args, saved, &a);
		if (likely(!a.size))
			return ran;
		if (!brought)
			until = jiffies + HZ;
		if (!pages_bring(&a, until))
			break;
	}
	return hit(p, regs, args, saved);
}
