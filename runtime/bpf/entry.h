/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry of the handlers, in the unit of the script. The compiler includes only those
 * functions of the runtime that are called from here. translator/bpf/imagelink.c begins
 * with it.
 */
#ifndef STP_BPF_ENTRY_H
#define STP_BPF_ENTRY_H

#include "bpf/arena.h"
#include "bpf/processhit.h"
#include "core/hit.h"

/*
 * eventhit.c: a hit of a point in the kernel; an entry or a return of a return's; the
 * begin or the end of a system call.
 */
bool stp_bpf_event(const struct stp_probe *p);
bool stp_bpf_is_meant_by(void); /* the event is about a process that the point means */
bool stp_bpf_call(const struct stp_probe *p);
bool stp_bpf_syscall(void);

/*
 * A hit of a point that has code of its own: of a function of the kernel, whose hits have
 * registers and are of all tasks; or of another point.
 */
static inline __attribute__((__always_inline__)) bool own_event(const struct stp_probe *p,
								void (*handler)(struct stp_ctx *c))
{
	bool is_function = p->family == &stp_family_function;
	bool has_regs = is_function || bpf_shared.regs;
	const struct stp_hit_args h = {
		.p = p,
		.handler = handler,
		.regs = has_regs ? (struct pt_regs *)bpf_shared.args : NULL,
		.args = has_regs ? NULL : (const int64_t *)bpf_shared.args,
		.books = true,
		.named = true,
	};

	return (is_function || stp_bpf_is_meant_by()) && stp_hit_here(&h);
}

/*
 * SCRIPT_OWN_EVENTS are the points that have, if the script has few of them;
 * SCRIPT_OWN_EVENT is the number of the only one, or -1.
 */
static inline bool event_of(const struct stp_probe *p)
{
#ifdef SCRIPT_OWN_EVENTS
#define EVENT(n, handler)                                                                          \
	case n:                                                                                    \
		return own_event(&probes[n], handler);
	switch (SCRIPT_OWN_EVENT < 0 ? p->index : SCRIPT_OWN_EVENT) {
		SCRIPT_OWN_EVENTS(EVENT)
	}
#undef EVENT
	return false;
#else
	return stp_bpf_event(p);
#endif
}

/* Runs the hits of an event. SCRIPT_… are 0 if the script has none of that kind. */
static inline bool event_run(const struct stp_probe *p)
{
	if (SCRIPT_PROCESSES && bpf_shared.part > BPF_PART_CALL_ENDS)
		return stp_bpf_process_event();
	if (SCRIPT_SYSCALLS && bpf_shared.part > BPF_PART_RETURN)
		return stp_bpf_syscall();
	if (SCRIPT_RETURNS && bpf_shared.part != BPF_PART_HIT)
		return stp_bpf_call(p);
	return event_of(p);
}

/* Runs a hit of the probe, an address; is_slow: of begin, end or error. */
bool stp_bpf_run(uint64_t probe, uint64_t is_slow)
{
	const struct stp_probe *p = (const struct stp_probe *)probe;

	if (SCRIPT_EVENTS && bpf_shared.hit == BPF_HIT_EVENT)
		return event_run(p);
	if (SCRIPT_TIMERS && !is_slow)
		return stp_hit(p, NULL, NULL, NULL);
	stp_hit_slow(p);
	return true;
}

#endif
