/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges the records of many rings by time, in bounded memory. It knows nothing about
 * files or modules: it reads a ring through a callback.
 *
 * Every ring has one buffer of fixed size. A round fills the buffers, then emits the
 * records that are not later than the horizon, the oldest first (a heap of rings, keyed
 * by their first record). A buffer that becomes empty during a round is refilled before
 * anything later is emitted. The records of one hit (RECORD_MORE and those that follow)
 * stay together.
 *
 * Memory stays bounded even when the horizon stands still, as it does while a begin or
 * end probe prints more than a ring holds: if a buffer is full and the horizon has not
 * moved since the last round, the oldest records pass.
 */
#ifndef TRACE_MERGE_H
#define TRACE_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "uapi/record.h"

#define MERGE_FINAL UINT64_MAX /* a horizon: nothing more will be written */
/* A buffer holds at least one record of the largest size. */
#define MERGE_BUFFER_MIN (sizeof(struct stp_record) + STP_RECORD_MAX)
/* Bytes of memory that are allocated after the end of a buffer. */
#define MERGE_SPARE 16

struct merge_ops {
	/*
	 * Reads from a ring. Returns the number of bytes, 0 if the ring is empty (or its
	 * next record is larger than size), or -errno.
	 */
	ssize_t (*read)(void *ctx, unsigned ring, void *buf, size_t size);
	bool empties; /* if a read leaves room for a record, the ring is empty */
	/* Takes one record. Returns NULL, or an error text, which ends the merge. */
	const char *(*emit)(void *ctx, unsigned ring, const struct stp_record *head,
			    const uint8_t *body);
	/*
	 * Takes records from the beginning of [at, end), none later than `until` and none
	 * that is continued. Returns the end of the taken records and adds their number
	 * to *records. MERGE_SPARE bytes after `end` are readable. NULL: all records are
	 * emitted one by one.
	 */
	const uint8_t *(*emit_run)(void *ctx, const uint8_t *at, const uint8_t *end, uint64_t until,
				   uint64_t *records);
};

struct merge_ring {
	uint8_t *buf;	   /* NULL until something was read */
	size_t start, end; /* the unread bytes */
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
	bool full;	  /* a buffer was full after the last round */
	int chain;	  /* ring whose hit has begun but not ended, or -1 */
	uint64_t chain_time;
	uint64_t records; /* emitted */
	uint64_t forced;  /* of these, passed before the horizon allowed */
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
 * Allocates all memory that merging will need. Otherwise each ring's memory is allocated
 * when it is first read. 0 or -ENOMEM.
 */
int merge_reserve(struct merge *m);
void merge_deinit(struct merge *m);
/*
 * Runs one round. Returns the number of emitted records, or -1: m->error says where the
 * stream is broken.
 */
long merge_round(struct merge *m, uint64_t horizon);

#endif
