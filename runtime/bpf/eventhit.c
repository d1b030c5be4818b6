/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hit of a point in the kernel, in BPF programs. */
#include "bpf/arena.h"
#include "bpf/calls.h"
#include "bpf/processhit.h"
#include "core/hit.h"
#include "core/session.h"
#include "arch_bpf.h"

/* ---- calls that have not returned ---- */

static struct bpf_call *call_at(struct bpf_calls *t, uint64_t owner, uint64_t i)
{
	uint64_t n = (owner * 0x9e3779b97f4a7c15u >> 32) + i;

	return (struct bpf_call *)(t->places + (n & (t->count - 1)) * t->size);
}

#define STACK_BYTES 16384 /* of the kernel's: at most as large as they are, and aligned */

/*
 * A task in the kernel may continue on another stack when it is interrupted. Its stacks
 * have addresses in the upper half.
 */
static bool is_on_same_stack(uint64_t a, uint64_t b)
{
	return (int64_t)a >= 0 || (a ^ b) < STACK_BYTES;
}

/*
 * Returns the place of a new call, or NULL if all that it may have are of calls of its
 * thread. Calls of the thread at the same place of the stack, or higher, were left
 * without a return. In the kernel, the place of a call may be found as the newest one:
 * then the oldest call loses its place.
 */
static struct bpf_call *call_begin(struct bpf_calls *t, uint64_t owner, uint64_t stack)
{
	bool is_in_kernel = (int64_t)stack < 0;
	struct bpf_call *ret = NULL, *oldest = NULL;

	for (uint64_t i = 0; i < BPF_CALLS_TRIED; i++) {
		struct bpf_call *c = call_at(t, owner, i);

		if (c->owner == owner && c->stack <= stack && is_on_same_stack(c->stack, stack)) {
			t->ended++;
			c->owner = 0;
		}
		if (!c->owner && !ret)
			ret = c;
		if ((c->owner != owner || is_in_kernel) && (!oldest || c->serial < oldest->serial))
			oldest = c;
	}
	if (!ret) {
		t->lost++;
		ret = oldest;
	}
	if (!ret)
		return NULL;
	ret->owner = owner;
	ret->stack = stack;
	ret->serial = ++t->serial;
	return ret;
}

static struct bpf_call *call_find(struct bpf_calls *t, uint64_t owner, uint64_t stack)
{
	for (uint64_t i = 0; i < BPF_CALLS_TRIED; i++) {
		struct bpf_call *c = call_at(t, owner, i);

		if (c->owner == owner && c->stack == stack)
			return c;
	}
	return NULL;
}

/*
 * Returns a call of a function of the kernel. Kernels tell the stack pointer after the
 * return, or the one of the registers' own place, or none: then it is the newest call.
 */
static struct bpf_call *call_find_in_kernel(struct bpf_calls *t, uint64_t owner,
					    const struct pt_regs *regs)
{
	struct bpf_call *newest = NULL;

	for (uint64_t i = 0; i < BPF_CALLS_TRIED; i++) {
		struct bpf_call *c = call_at(t, owner, i);

		if (c->owner != owner)
			continue;
		if (c->stack == arch_bpf_entry_stack(regs) ||
		    c->stack == arch_bpf_stack(regs) + sizeof(*regs))
			return c;
		if (!newest || newest->serial < c->serial)
			newest = c;
	}
	return newest && is_on_same_stack(newest->stack, arch_bpf_stack(regs)) ? NULL : newest;
}

static bool run_entry(const struct stp_probe *p, struct pt_regs *regs, uint64_t owner)
{
	struct bpf_calls *t = (struct bpf_calls *)bpf_shared.calls;
	struct bpf_call *c;

	if (t->replaces && stp_bpf_returns_kept() >= BPF_RETURNS_KEPT) {
		t->missed++;
		return false;
	}
	c = call_begin(t, owner, arch_bpf_stack(regs));
	if (!c)
		return false;
	if (stp_hit_entry(p, regs, NULL, c->saved))
		return true;
	c->owner = 0;
	return false;
}

/* The task is not in the run's control group: it has moved, or its entry was filtered. */
static void return_outside(const struct stp_probe *p, struct bpf_call *c)
{
	if (!c)
		return;
	stp_skip_count(stp_cpu_here(), p, STP_SKIP_FILTERED);
	c->owner = 0;
}

/*
 * A call that is not known was skipped at its entry, has no place, or began before the
 * probe was there. Then it is not a hit. Without a table the return saves nothing: it
 * shares its program with others that do.
 */
static bool run_return(const struct stp_probe *p, struct pt_regs *regs, uint64_t owner)
{
	struct bpf_calls *t = (struct bpf_calls *)bpf_shared.calls;
	struct bpf_call *c;
	bool ret;

	if (!t)
		return stp_hit(p, regs, NULL, NULL);
	c = bpf_shared.only == BPF_ALL_TASKS ? call_find_in_kernel(t, owner, regs)
					     : call_find(t, owner, arch_bpf_entry_stack(regs));
	if (bpf_shared.cgroup && !p->unfiltered && !stp_bpf_task_passes()) {
		return_outside(p, c);
		return false;
	}
	if (!c && READ_ONCE(t->skipped)) {
		__atomic_sub_fetch(&t->skipped, 1, __ATOMIC_RELAXED);
		stp_skip(stp_cpu_here(), p, STP_SKIP_LOCK);
	} else if (!c && t->lost) {
		t->lost--;
		t->missed++;
	}
	if (!c)
		return false;
	ret = stp_hit(p, regs, NULL, c->saved);
	c->owner = 0;
	return ret;
}

/* ---- system calls ---- */

static struct bpf_syscall_point *point_after(uint64_t address)
{
	return (struct bpf_syscall_point *)address;
}

static bool call_begins(struct pt_regs *regs)
{
	const struct bpf_syscall *call = (struct bpf_syscall *)bpf_shared.calls;
	struct bpf_under_way *u = (struct bpf_under_way *)bpf_shared.place;
	struct bpf_syscall_point *e = point_after(call->entries), *r = point_after(call->returns);

	for (; e; e = point_after(e->next))
		stp_hit((const struct stp_probe *)e->probe, regs, NULL, NULL);
	for (; u && r; r = point_after(r->next))
		if (r->saves)
			u->words[r->at] = stp_hit_entry((const struct stp_probe *)r->probe, regs,
							NULL, u->words + r->at + 1);
	return true;
}

static bool call_ends(struct pt_regs *regs)
{
	struct bpf_under_way *u = (struct bpf_under_way *)bpf_shared.place;
	const struct bpf_syscall *call = (struct bpf_syscall *)u->call;

	for (struct bpf_syscall_point *r = point_after(call->returns); r;
	     r = point_after(r->next)) {
		const struct stp_probe *p = (const struct stp_probe *)r->probe;

		if (r->saves && u->lost)
			stp_skip(stp_cpu_here(), p, STP_SKIP_LOCK);
		else if (!r->saves || u->words[r->at])
			stp_hit(p, regs, NULL, u->words + r->at + 1);
	}
	smp_store_release(&u->task, 0);
	return true;
}

/* ---- the hit ---- */

bool stp_bpf_is_meant_by(void)
{
	if (bpf_shared.only == BPF_ALL_TASKS)
		return true;
	return bpf_shared.only ? bpf_shared.only == (uint64_t)stp_bpf_pid() : stp_bpf_is_meant();
}

static struct pt_regs *registers(void)
{
	return bpf_shared.regs ? (struct pt_regs *)bpf_shared.args : NULL;
}

bool stp_bpf_event(const struct stp_probe *p)
{
	struct pt_regs *regs = registers();

	return stp_bpf_is_meant_by() &&
	       stp_hit(p, regs, regs ? NULL : (const int64_t *)bpf_shared.args, NULL);
}

bool stp_bpf_syscall(void)
{
	struct pt_regs *regs = (struct pt_regs *)bpf_shared.args;

	return bpf_shared.part == BPF_PART_CALL_BEGINS ? call_begins(regs) : call_ends(regs);
}

bool stp_bpf_call(const struct stp_probe *p)
{
	uint64_t owner;

	if (!stp_bpf_is_meant_by())
		return false;
	/* Idle tasks are threads of one number. */
	owner = bpf_shared.only == BPF_ALL_TASKS ? (uint64_t)stp_bpf_task() : stp_bpf_owner();
	if (bpf_shared.part == BPF_PART_ENTRY)
		return run_entry(p, registers(), owner);
	return run_return(p, registers(), owner);
}
