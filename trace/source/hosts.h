/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of many machines in the order of their times by one clock: each machine is a
 * ring of trace/merge.h. A record waits until every other machine has sent something
 * later, but no longer than HOSTS_WAIT: a machine that says nothing, or whose link is
 * slow, holds up nobody. Its records come late then. Where all send what they have at
 * the end of their runs (is_patient), records wait for the slowest.
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

/* How a record came: by the machine's clock, of one of its rings. */
struct hosts_origin {
	uint64_t time;
	unsigned ring;
};

struct hosts_queue {
	struct bytequeue bytes;	      /* records by the clock here, but those in the merge */
	struct hosts_origin *origins; /* of those, and of those in the merge */
	size_t first, last, norigins;
	uint64_t time;	    /* of the latest record */
	uint64_t part_time; /* by the machine's clock: of a hit that goes on */
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
	/* Until when records wait that are no later than a time, the first one first. */
	struct hosts_mark {
		int64_t due;
		uint64_t time;
	} marks[HOSTS_MARKS];
	unsigned nmarks;
	uint64_t due_time; /* of the latest mark that has passed */
	bool is_patient;   /* a record waits for the others however long they take */
	bool no_memory;	   /* a record was lost */
};

/* 0 or -ENOMEM. */
int hosts_init(struct hosts *s, unsigned count, hosts_emit *emit, void *ctx);
void hosts_deinit(struct hosts *s);
/* More can come of that machine from now on, a time of the clock here; and no more. */
void hosts_open(struct hosts *s, unsigned host, uint64_t time);
void hosts_end(struct hosts *s, unsigned host);
/*
 * Adds a record, whose head->time is `time` by the clock here; now: of a clock that
 * nobody sets, in ns.
 */
void hosts_add(struct hosts *s, unsigned host, const struct hosts_origin *of, uint64_t time,
	       const struct stp_record *head, const uint8_t *body, int64_t now);
/* Returns the bytes of a machine that wait. */
size_t hosts_waiting(const struct hosts *s, unsigned host);
/* True: a machine's records have all been emitted. */
bool hosts_is_empty(const struct hosts *s, unsigned host);
/*
 * Emits the records whose turn it is. Returns when there will be more, by the clock of
 * `now`; -1: nothing waits.
 */
int64_t hosts_emit_due(struct hosts *s, int64_t now);

#endif
