/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a run with --records: a stream of all records, to another machine, which
 * converts it to text or data. The stream includes messages and, once they are complete,
 * the books; where somebody watches the run, also intermediate books and values.
 */
#include <stdlib.h>

#include "lib/clock.h"
#include "stapio/loop.h"
#include "stapio/options.h"
#include "stapio/runform.h"
#include "trace/form/streamform.h"
#include "trace/source/module.h"

static struct streamform stream;
static struct streamform_clock looks;
static bool look_values;

static int stream_start(struct run *r, const struct options *o, struct records *records,
			const struct raw_header *header)
{
	streamform_start(&stream, records, r->module->nrings, o->module, r->host, header);
	if (header) // of -b: messages were printed during the run
		return 0;
	streamform_messages(&stream);
	streamform_clock_init(&looks, &o->stream);
	look_values = o->stream.look_values;
	return runform_reserve(r);
}

/* Returns the text of values, malloc; NULL: nobody asks, or there are none. */
static char *read_values(struct run *r)
{
	char *ret;

	return look_values && module_read_values(r->module, &ret) >= 0 ? ret : NULL;
}

static void stream_look_at_clock(struct run *r)
{
	uint64_t now = clock_now();
	char *books, *values;

	runform_look_at_clock(r);
	if (!streamform_clock_due(&looks, now) || module_read_books(r->module, &books) < 0)
		return;
	values = read_values(r);
	streamform_look(&stream, books, values);
	free(books);
	free(values);
	streamform_clock_next(&looks, now, clock_now());
}

static bool stream_close(struct run *r)
{
	char *books = NULL, *values = read_values(r);

	if (module_read_books(r->module, &books) < 0)
		books = NULL;
	streamform_end(&stream, books, values);
	free(books);
	free(values);
	return runform_close(r);
}

RUNFORM_OPS(textstream, runform_no_open, stream_start, runform_merge, stream_look_at_clock,
	    runform_next_file, runform_no_child, runform_no_stored, runform_no_end, stream_close,
	    .fills_stdout = true);
RUNFORM_OPS(datastream, runform_no_open, stream_start, runform_merge, stream_look_at_clock,
	    runform_next_file, runform_no_child, runform_no_stored, runform_no_end, stream_close,
	    .is_data = true, .fills_stdout = true);
