/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the records of many rings by time, in bounded memory. Knows nothing of files or
 * modules: a ring is read through a callback.
 *
 * Every ring has one buffer of fixed size. A round fills the buffers, then emits what is
 * not later than the horizon, the oldest first (a heap of rings, keyed by their first
 * record). A buffer that runs empty on the way is refilled before anything later is
 * emitted. Records of one hit (RECORD_MORE and what follows) stay together.
 *
 * Memory stays bounded when the horizon stands still, as it does while a begin or end
 * probe prints more than a ring holds: a full buffer and a horizon that did not move
 * since the last round let the oldest records pass.
 */
#ifndef TRACE_MERGE_H
#define TRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/record.h"

#define MERGE_FINAL UINT64_MAX /* horizon: nothing will be written any more */
/* A buffer holds at least one record of the largest size. */
#define MERGE_BUFFER_MIN (sizeof(struct stp_record) + STP_RECORD_MAX)
/* So many bytes of memory are there behind a buffer. */
#define MERGE_SPARE 16

struct merge_ops {
	/*
	 * Reads from a ring. Returns bytes, 0 when the ring is empty (or its next record
	 * is larger than size), -errno.
	 */
	ssize_t (*read)(void *ctx, unsigned ring, void *buf, size_t size);
	bool empties; /* a read that leaves room for a record has emptied the ring */
	/* Takes one record. NULL, or what is wrong with it, which ends the merge. */
	const char *(*emit)(void *ctx, unsigned ring, const struct stp_record *head,
			    const uint8_t *body);
	/*
	 * Takes records from the beginning of [at, end), none later than `until`,
	 * and none that is continued; returns the end of those taken and adds to
	 * *records. MERGE_SPARE bytes behind `end` can be read. NULL: all are
	 * emitted one by one.
	 */
	const uint8_t *(*emit_run)(void *ctx, const uint8_t *at, const uint8_t *end, uint64_t until,
				   uint64_t *records);
};

struct merge_ring {
	uint8_t *buf;	   /* NULL until something was read */
	size_t start, end; /* what is there */
	uint64_t offset;   /* of buf[start] in the ring's stream */
};

struct merge {
	const struct merge_ops *ops;
	void *ctx;
	struct merge_ring *rings;
	unsigned *heap; /* indices of rings that have a whole record */
	unsigned nrings, nheap;
	size_t capacity;
	uint64_t horizon; /* of the last round */
	bool full;	  /* a buffer had no room left after the last round */
	int chain;	  /* ring whose hit has begun but not ended, or -1 */
	uint64_t chain_time;
	uint64_t records; /* emitted */
	uint64_t forced;  /* of them, passed before the horizon allowed */
	/* Valid after merge_round() has returned -1. */
	struct merge_error {
		unsigned ring;
		uint64_t offset;
		const char *what;
	} error;
};

/* 0 or -ENOMEM. capacity: bytes a ring, at least MERGE_BUFFER_MIN. */
int merge_init(struct merge *m, unsigned nrings, size_t capacity, const struct merge_ops *ops,
	       void *ctx);
/*
 * Takes all memory that merging will need, which is taken ring by ring otherwise. 0 or
 * -ENOMEM.
 */
int merge_reserve(struct merge *m);
void merge_deinit(struct merge *m);
/*
 * Passes records on. Returns how many, or -1: m->error says where the stream is broken.
 */
long merge_round(struct merge *m, uint64_t horizon);

#endif
