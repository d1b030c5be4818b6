/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The form of a run with --to: a stream of all records to a stap-merge process, which
 * converts it to data and reports what it has stored.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/selfpath.h"
#include "lib/sinkpipe.h"
#include "stapio/loop.h"
#include "stapio/options.h"
#include "stapio/runform.h"
#include "trace/books.h"
#include "trace/form/streamform.h"
#include "trace/messages.h"
#include "trace/source/module.h"

static struct {
	struct sinkpipe pipe;
	struct streamform stream;
	uint64_t *stored; /* records of each probe, and last those of no probe */
	bool closed;	  /* the stream was closed without an error */
} sink;

static int failed(const char *why)
{
	message_error("--to: %s", why);
	return -1;
}

/* Finds stap-merge, next to stapio or in the bin directory of the same tree. */
static bool find_merge(char path[PATH_MAX])
{
	static const char *const places[] = { "stap-merge", "../../bin/stap-merge" };

	return selfpath_find(places, sizeof(places) / sizeof(places[0]), path);
}

/*
 * Starts the process that converts the records to data, before privileges are dropped and
 * the sandbox is entered: it has the user's rights.
 */
static int sink_open(struct run *r, const struct options *o)
{
	char path[PATH_MAX];
	int rc;

	if (!find_merge(path))
		return failed("stap-merge is not where stapio is: it comes with stap");
	rc = sinkpipe_start(&sink.pipe, path, o->sink, STDOUT_FILENO);
	if (rc)
		return failed(strerror(-rc));
	r->output.fd = sink.pipe.fd;
	r->output.name = o->sink;
	r->output.is_pipe = r->output.may_block = r->output.is_sink = true;
	return 0;
}

static int sink_start(struct run *r, const struct options *o, struct records *records,
		      const struct raw_header *header)
{
	sink.stored = calloc(r->tables.probes.count + 1u, sizeof(*sink.stored));
	if (!sink.stored)
		return failed("no memory");
	streamform_start(&sink.stream, records, r->module->nrings, o->module, r->host, NULL);
	return runform_reserve(r);
}

static bool sink_reaped(pid_t pid, int status)
{
	return sinkpipe_reaped(&sink.pipe, pid, status);
}

static uint64_t count_stored(const struct run *r)
{
	return sinkpipe_stored(&sink.pipe, sink.stored, r->tables.probes.count + 1);
}

static void sink_stored(struct run *r, struct books *b)
{
	b->stored = sink.stored;
	b->all_stored = count_stored(r);
	b->given = sink.stream.given;
}

/*
 * Waits for the sink's end, and reports what it has not stored. False: something was
 * lost.
 */
static bool wait_for_end(const struct run *r, const struct options *o)
{
	bool ok = sinkpipe_finish(&sink.pipe);
	char text[160];

	if (!sinkpipe_explain(&sink.pipe, sink.stream.given, count_stored(r), text, sizeof(text)))
		return ok;
	message_error("%s: %s", o->sink, text);
	return false;
}

/*
 * Ends the sink before the run's books are read for the last time, because they record
 * what it stored.
 */
static bool sink_end(struct run *r, const struct options *o)
{
	char *books = NULL;

	if (module_read_books(r->module, &books) < 0)
		books = NULL;
	streamform_end(&sink.stream, books, NULL);
	free(books);
	sink.closed = output_close(&r->output);
	return wait_for_end(r, o);
}

static bool sink_close(struct run *r)
{
	return sink.closed;
}

RUNFORM_OPS(sink, sink_open, sink_start, runform_merge, runform_look_at_clock, runform_next_file,
	    sink_reaped, sink_stored, sink_end, sink_close, .is_data = true);
