/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which records are stored where each of them is a line of an output: those whose line
 * has been written.
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
	time_t since; /* the last writing */
	/* Records whose lines are in the output's buffer, from the oldest on. */
	uint64_t from, to;
	struct {
		uint64_t line;
		uint32_t probe;
	} waiting[OUTPUT_ENDS];
};

/* Takes note of a record, the output's last line; about once a second all are written. */
void storedlines_record(struct storedlines *l, uint32_t probe);
/* Says what is stored by now: after the output has been written, or has failed. */
void storedlines_settle(struct storedlines *l);

#endif
