/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the text of many records of a ring in one loop, which is most of a reader's
 * work. It takes records that are whole, not continued and of plain formats; what ends it
 * is records_emit()'s, a record at a time.
 */
#ifndef TRACE_FORM_TEXTRUN_H
#define TRACE_FORM_TEXTRUN_H

#include <stdint.h>

#include "trace/form/format.h"

struct output;

struct textrun {
	const uint8_t *at, *end; /* of the ring; FORMAT_SHORT bytes behind can be read */
	uint64_t until;		 /* later records are not taken */
	uint64_t last_time;	 /* of the record before */
	uint64_t records, late;	 /* written; of them, older than the one before */
};

/* For outputs that take runs (output_takes_runs()), in which no record has begun. */
void textrun_write(struct textrun *t, struct formats *f, struct output *o);

#endif
