/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many records of a trace are stored: what a sink has committed, or written, and will
 * not take back. Kept where the writer of a stream reads it (uapi/rawfile.h), whatever
 * this process ends by; without one, for this process alone.
 */
#ifndef TRACE_SINK_STORED_H
#define TRACE_SINK_STORED_H

#include <stdbool.h>
#include <stdint.h>

struct stored {
	uint64_t *told;	 /* of each probe, and last of none: are stored */
	uint64_t *given; /* likewise: the sink has them, and has not said so */
	uint32_t nprobes;
	bool skips; /* the record that is being given will not be stored */
};

/* Sets it up in the file that is open there; -1: none. False: it has been reported. */
bool stored_open(struct stored *s, int fd, uint32_t nprobes);
/* Takes note of a whole record that the sink has been given. */
void stored_give(struct stored *s, uint32_t probe);
/* Says that the record which is being given will not be stored. */
static inline void stored_skip(struct stored *s)
{
	s->skips = true;
}
/* Says that all which has been given so far is stored. s may be NULL, here and below. */
void stored_all(struct stored *s);
/* Says it of n records of a probe. */
void stored_some(struct stored *s, uint32_t probe, uint64_t n);
/* Returns how many are stored. */
uint64_t stored_sum(const struct stored *s);
void stored_close(struct stored *s);

#endif
