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
bool stp_bpf_call(const struct stp_probe *p);
bool stp_bpf_syscall(void);

/* Runs the hits of an event. SCRIPT_… are 0 if the script has none of that kind. */
static inline bool event_run(const struct stp_probe *p)
{
	if (SCRIPT_PROCESSES && bpf_shared.part > BPF_PART_CALL_ENDS)
		return stp_bpf_process_event();
	if (SCRIPT_SYSCALLS && bpf_shared.part > BPF_PART_RETURN)
		return stp_bpf_syscall();
	if (SCRIPT_RETURNS && bpf_shared.part != BPF_PART_HIT)
		return stp_bpf_call(p);
	return stp_bpf_event(p);
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
