/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges records of many machines in the order of their times by one clock: each machine
 * is a ring of trace/merge.h. A record waits until every other machine has sent something
 * later, but no longer than HOSTS_WAIT: a machine that is silent or has a slow link does
 * not hold up the others. Its records then come late. If all machines send their records
 * at the end of their runs (is_patient), records wait for the slowest machine.
 */
#ifndef TRACE_SOURCE_HOSTS_H
#define TRACE_SOURCE_HOSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/bytequeue.h"
#include "trace/merge.h"
#include "uapi/record.h"

#define HOSTS_WAIT  400000000 /* nanoseconds */
#define HOSTS_MARKS 64

/* The origin of a record: its time by the machine's clock, and its ring there. */
struct hosts_origin {
	uint64_t time;
	unsigned ring;
};

struct hosts_queue {
	struct bytequeue bytes;	      /* records by our clock, except those in the merge */
	struct hosts_origin *origins; /* of these records and of those in the merge */
	size_t first, last, norigins;
	uint64_t time;	    /* of the latest record */
	uint64_t part_time; /* by the machine's clock: of an unfinished hit */
	bool is_part, is_open;
};

/* Takes a record of a machine, head->time by its own clock. */
typedef void hosts_emit(void *ctx, unsigned host, unsigned ring, const struct stp_record *head,
			const uint8_t *body);

struct hosts {
	struct merge merge;
	struct hosts_queue *queues;
	unsigned count;
	hosts_emit *emit;
	void *ctx;
	/* How long records up to a certain time wait; the earliest mark is first. */
	struct hosts_mark {
		int64_t due;
		uint64_t time;
	} marks[HOSTS_MARKS];
	unsigned nmarks;
	uint64_t due_time; /* of the latest mark that has passed */
	bool is_patient;   /* records wait for all others, however long that takes */
	bool no_memory;	   /* a record was lost */
};

/* 0 or -ENOMEM. */
int hosts_init(struct hosts *s, unsigned count, hosts_emit *emit, void *ctx);
void hosts_deinit(struct hosts *s);
/*
 * Announces that records of a machine may arrive from now on, a time of our clock; and
 * that no more will arrive.
 */
void hosts_open(struct hosts *s, unsigned host, uint64_t time);
void hosts_end(struct hosts *s, unsigned host);
/*
 * Adds a record. Its head->time is `time` by our clock; now: the monotonic clock, in ns.
 */
void hosts_add(struct hosts *s, unsigned host, const struct hosts_origin *of, uint64_t time,
	       const struct stp_record *head, const uint8_t *body, int64_t now);
/* Returns the number of queued bytes of a machine. */
size_t hosts_waiting(const struct hosts *s, unsigned host);
/* True: a machine's records have all been emitted. */
bool hosts_is_empty(const struct hosts *s, unsigned host);
/*
 * Emits the records that are due. Returns the time at which more will be due, by the
 * clock of `now`; -1: nothing is queued.
 */
int64_t hosts_emit_due(struct hosts *s, int64_t now);

#endif
