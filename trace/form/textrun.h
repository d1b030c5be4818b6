/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes the text of many records of a ring in one loop, which is most of a reader's
 * work. It takes records that are complete, not continued and of plain formats. It stops
 * at any other record, which records_emit() then handles alone.
 */
#ifndef TRACE_FORM_TEXTRUN_H
#define TRACE_FORM_TEXTRUN_H

#include <stdint.h>

#include "trace/form/format.h"

struct output;

struct textrun {
	const uint8_t *at, *end; /* of the ring; FORMAT_SHORT more bytes are readable */
	uint64_t until;		 /* later records are not taken */
	uint64_t last_time;	 /* of the previous record */
	uint64_t records, late;	 /* written; of these, older than the one before */
};

/*
 * Requires an output that takes runs (output_takes_runs()) and has no unfinished record.
 */
void textrun_write(struct textrun *t, struct formats *f, struct output *o);

#endif
