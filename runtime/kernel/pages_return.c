/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads pages of the program for return probes of system calls (pages.c does it for
 * others).
 *
 * The kernel calls the handler of a return without preemption, in the middle of its own
 * work. A hit that finds a page missing there is deferred: its arguments are saved, and
 * the task runs it again on its way to user mode, where it may wait. Until then the task
 * has run no code of its own, so that the hit still sees the registers, the values saved
 * at the entry and the memory that it would have seen.
 *
 * Values saved at the entry are read while the kernel's return probe begins, with
 * interrupts off. If a page is missing then, no return probe is begun. It begins again
 * when the page is there, like other hits at the entry of a system call.
 */
#include <linux/bitmap.h>
#include <linux/sched.h>

#include "api.h"
#include "core/port.h"
#include "kernel/deferral.h"
#include "kernel/pages.h"
#include "kernel/slots.h"

/*
 * Limit of tasks that wait at the same time. A hit that finds no free place sees the page
 * as missing.
 */
#define PLACES 256

struct put_off {
	struct callback_head work; /* of the task's first one, which also runs those after it */
	struct task_struct *task;  /* that task, until its work runs */
	struct put_off *next;
	struct stp_repeat repeat;
	struct pt_regs regs;
	int64_t saved[];
};

static struct {
	uint8_t *places;
	DECLARE_BITMAP(taken, PLACES);
} put_offs;

static size_t place_size(void)
{
	return sizeof(struct put_off) + stp_script.max_saved * sizeof(int64_t);
}

static struct put_off *place(unsigned int i)
{
	return (struct put_off *)(put_offs.places + i * place_size());
}

static struct put_off *place_take(void)
{
	unsigned int i = stp_slots_take(put_offs.taken, PLACES);

	return i < PLACES ? place(i) : NULL;
}

static void place_leave(const struct put_off *h)
{
	stp_slots_leave(put_offs.taken, ((uint8_t *)h - put_offs.places) / place_size());
}

/* Runs hits in the order in which they were deferred; works run in the reverse order. */
static void run_put_off(struct callback_head *work)
{
	struct put_off *h = container_of(work, struct put_off, work), *next;

	WRITE_ONCE(h->task, NULL);
	for (; h; h = next) {
		next = h->next;
		stp_pages_repeat(&h->repeat);
		place_leave(h);
	}
	stp_deferral_end();
}

static struct put_off *last_of(const struct task_struct *task)
{
	for (unsigned int i = 0; i < PLACES; i++) {
		struct put_off *h = place(i);

		if (READ_ONCE(h->task) != task)
			continue;
		while (h->next)
			h = h->next;
		return h;
	}
	return NULL;
}

/* Makes the task run it. Nobody else accesses the hits that a task has deferred. */
static bool add(struct put_off *h)
{
	struct put_off *last = last_of(current);

	h->next = NULL;
	if (last) {
		last->next = h;
		return true;
	}
	init_task_work(&h->work, run_put_off);
	WRITE_ONCE(h->task, current);
	if (stp_deferral_add(current, &h->work, TWA_RESUME))
		return true;
	WRITE_ONCE(h->task, NULL);
	return false;
}

/* Kernel threads and dying tasks never return to user mode. */
static bool goes_to_user_mode(const struct task_struct *task)
{
	return !(task->flags & (PF_KTHREAD | PF_EXITING));
}

static bool put_off(const struct stp_repeat *r)
{
	const struct stp_point_function *point = r->p->point;
	struct put_off *h = goes_to_user_mode(current) ? place_take() : NULL;

	if (!h)
		return false;
	h->repeat = *r;
	h->regs = *r->regs;
	memcpy(h->saved, r->saved, point->nsaved * sizeof(int64_t));
	h->repeat.regs = &h->regs;
	h->repeat.saved = h->saved;
	if (add(h))
		return true;
	place_leave(h);
	return false;
}

/* Called for a return, and for the entry of the system call that begins one. */
bool stp_pages_repeat_return(struct stp_repeat *r)
{
	if (r->hit == r->p->hit)
		return !put_off(r) && stp_pages_repeat_function(r);
	return stp_pages_begin(r);
}

static int create(void)
{
	put_offs.places = port_alloc(PLACES * place_size());
	return put_offs.places ? 0 : -ENOMEM;
}

static void destroy(void)
{
	port_free(put_offs.places);
	put_offs.places = NULL;
}

const struct stp_part stp_pages_return_part = { .create = create, .destroy = destroy };
