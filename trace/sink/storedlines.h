/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts stored records for outputs with one line for each record: a record is stored
 * once its line is written.
 */
#ifndef TRACE_SINK_STOREDLINES_H
#define TRACE_SINK_STOREDLINES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "trace/output.h"

struct stored;

struct storedlines {
	struct output *output;
	struct stored *stored;
	time_t since; /* of the last write */
	/* Records whose lines are in the output's buffer, from the oldest on. */
	uint64_t from, to;
	struct {
		uint64_t line;
		uint32_t probe;
	} waiting[OUTPUT_ENDS];
};

/* Counts a record, the output's last line. About once a second all lines are written. */
void storedlines_record(struct storedlines *l, uint32_t probe);
/* Reports the stored records, after the output was written or has failed. */
void storedlines_settle(struct storedlines *l);

#endif
