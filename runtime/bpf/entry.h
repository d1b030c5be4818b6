/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry of the handlers, in the unit of the script. The compiler includes only those
 * functions of the runtime that are called from here. translator/bpf/imagelink.c begins
 * with it.
 */
#ifndef STP_BPF_ENTRY_H
#define STP_BPF_ENTRY_H

#include "bpf/arena.h"
#include "core/hit.h"

bool stp_bpf_event(const struct stp_probe *p); /* eventhit.c */

/* Runs a hit of the probe, an address; is_slow: of begin, end or error. */
bool stp_bpf_run(uint64_t probe, uint64_t is_slow)
{
	const struct stp_probe *p = (const struct stp_probe *)probe;

	if (bpf_shared.hit == BPF_HIT_EVENT)
		return stp_bpf_event(p);
	if (!is_slow)
		return stp_hit(p, NULL, NULL, NULL);
	stp_hit_slow(p);
	return true;
}

#endif
