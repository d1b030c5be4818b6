/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Locks of globals. */
#ifndef STP_API_LOCK_H
#define STP_API_LOCK_H

#include "core/env.h"

/*
 * Locks are only tried, MAXTRYLOCK times, TRYLOCKDELAY µs apart. So there is no priority
 * inversion, and they are NMI-safe. Readers share a lock. Probes that only add to an
 * array share its lock with each other, and set a bit in a word of their own CPU for
 * that: they write no memory that other CPUs write.
 */
/*
 * ALONE: writing to an array that other probes only add to; ALL: using an array of which
 * other probes use one element (api/shards.h)
 */
enum stp_lock_mode { STP_LOCK_READ, STP_LOCK_WRITE, STP_LOCK_ADD, STP_LOCK_ALONE, STP_LOCK_ALL };
struct stp_map;
struct stp_lock {
	int32_t state;		/* -1 written, n > 0 readers */
	uint32_t refused;	/* hits skipped because they could not get the lock */
	uint64_t adders;	/* the lock's bit in stp_cpu.adding; 0: no probes only add */
	struct stp_map **array; /* STP_LOCK_ALL: the array; or NULL */
};
struct stp_lock_use {
	struct stp_lock *lock;
	uint8_t mode; /* enum stp_lock_mode */
};

#endif
