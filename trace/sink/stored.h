/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the stored records of a trace: those that a sink has committed or written for
 * good. The counts are in a file that the writer of the stream reads (uapi/rawfile.h),
 * however this process ends. Without such a writer they are in this process alone.
 */
#ifndef TRACE_SINK_STORED_H
#define TRACE_SINK_STORED_H

#include <stdbool.h>
#include <stdint.h>

struct stored {
	uint64_t *told;	 /* stored records of each probe, and last those of none */
	uint64_t *given; /* likewise: given to the sink and not yet reported as stored */
	uint32_t nprobes;
	bool skips; /* the record being given will not be stored */
};

/* Sets it up in an open file; -1: none. False: it failed, which was reported. */
bool stored_open(struct stored *s, int fd, uint32_t nprobes);
/* Counts a complete record that was given to the sink. */
void stored_give(struct stored *s, uint32_t probe);
/* Notes that the record being given will not be stored. */
static inline void stored_skip(struct stored *s)
{
	s->skips = true;
}
/* Reports all records given so far as stored. s may be NULL, here and below. */
void stored_all(struct stored *s);
/* Reports n records of a probe as stored. */
void stored_some(struct stored *s, uint32_t probe, uint64_t n);
/* Returns the number of stored records. */
uint64_t stored_sum(const struct stored *s);
void stored_close(struct stored *s);

#endif
