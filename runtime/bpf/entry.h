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
#ifdef SCRIPT_OWN_EVENTS
#include "bpf/ownhit.h"
#endif

/*
 * eventhit.c: a hit of a point in the kernel; an entry or a return of a return's; the
 * begin or the end of a system call.
 */
bool stp_bpf_event(const struct stp_probe *p);
bool stp_bpf_call(const struct stp_probe *p);
bool stp_bpf_syscall(void);

/*
 * Runs a hit that has no code of its own. True: that is left to the caller, because the
 * event is one of a point.
 */
static inline bool is_of_point(const struct stp_probe *p)
{
	if (SCRIPT_EVENTS && bpf_shared.hit == BPF_HIT_EVENT) {
		if (SCRIPT_PROCESSES && bpf_shared.part > BPF_PART_CALL_ENDS)
			stp_bpf_process_event();
		else if (SCRIPT_SYSCALLS && bpf_shared.part > BPF_PART_RETURN)
			stp_bpf_syscall();
		else if (SCRIPT_RETURNS && bpf_shared.part != BPF_PART_HIT)
			stp_bpf_call(p);
		else
			return true;
	} else if (SCRIPT_TIMERS && !bpf_shared.is_slow) {
		stp_hit(p, NULL, NULL, NULL);
	} else {
		stp_hit_slow(p);
	}
	return false;
}

#ifdef SCRIPT_OWN_EVENTS
/*
 * SCRIPT_OWN_EVENTS are the points that have code of their own, if the script has few;
 * SCRIPT_OWN_EVENT is the number of the only one, or -1.
 */
#define OWN(p) (SCRIPT_OWN_EVENT < 0 ? (p)->index : SCRIPT_OWN_EVENT)

/* Returns the context of the hit if it may run. */
static __attribute__((noinline)) struct stp_cpu *own_asks(const struct stp_probe *p)
{
	struct stp_cpu *cpu = stp_cpu_here();

	if (!is_of_point(p))
		return NULL;
#define EVENT(i, n, handler)                                                                       \
	case n:                                                                                    \
		return ownhit_asks(cpu, p, i) ? cpu : NULL;
	switch (OWN(p)) {
		SCRIPT_OWN_EVENTS(EVENT)
	}
#undef EVENT
	return NULL;
}

static inline void own_run(struct stp_cpu *cpu, const struct stp_probe *p)
{
	bool is_alone =
		SCRIPT_OWN_EVENT >= 0 && !SCRIPT_TIMERS && !SCRIPT_SYSCALLS && !SCRIPT_PROCESSES;

#define EVENT(i, n, handler)                                                                       \
	case n:                                                                                    \
		ownhit_run(cpu, &probes[n], i, handler, is_alone, SCRIPT_NOTES);                   \
		break;
	switch (OWN(p)) {
		SCRIPT_OWN_EVENTS(EVENT)
	}
#undef EVENT
}
#endif

/*
 * Runs a hit of the probe, an address. cpu: of a point with code of its own, which need
 * not ask whether it may run: the address of its struct stp_cpu; else 0.
 */
bool stp_bpf_run(uint64_t probe, uint64_t cpu)
{
	const struct stp_probe *p = (const struct stp_probe *)probe;
#ifdef SCRIPT_OWN_EVENTS
	struct stp_cpu *here = (struct stp_cpu *)cpu;

	if (unlikely(!here)) {
		here = own_asks(p);
		if (!here)
			return true;
	}
	own_run(here, p);
#else
	if (is_of_point(p))
		stp_bpf_event(p);
#endif
	return true;
}

#endif
