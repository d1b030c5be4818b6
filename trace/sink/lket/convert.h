/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes events to the requested forms, after learning registrations and processes from
 * them. The readers deliver the events in order of time.
 */
#ifndef TRACE_SINK_LKET_CONVERT_H
#define TRACE_SINK_LKET_CONVERT_H

#include "trace/sink/database.h"
#include "trace/sink/lket/event.h"
#include "trace/sink/lket/names.h"
#include "trace/sink/lket/registry.h"

struct books;
struct convert;
struct sink_trace;

/* Forms that events are written in: a file and a row here and in convert.c for each. */
enum convert_form { CONVERT_TEXT, CONVERT_BYTES, CONVERT_TABLES, CONVERT_FORMS };

struct lketform_ops {
	bool takes_registrations; /* registrations are passed to it as events, too */
	/* The functions report errors and then return false. */
	bool (*begin)(struct convert *c, void **ret);
	bool (*event)(struct convert *c, void *form, const struct event *e);
	/* Writes out all events so far. NULL: it does not buffer. */
	bool (*flush)(struct convert *c, void *form);
	/* Called after the last event, and also after an error. books may be NULL. */
	bool (*end)(struct convert *c, void *form, const struct books *books);
};

extern const struct lketform_ops text_form, bytes_form, tables_form;

struct convert_options {
	bool wanted[CONVERT_FORMS];
	bool full;		    /* text of 2007 (-f), with: */
	bool names, ids, processes; /* -n, -i, -a */
	const char *text_name, *bytes_dir;
	const char *database; /* of CONVERT_TABLES; NULL: a new file */
};

struct convert {
	const struct convert_options *options;
	struct trace_header header;
	struct database_run run; /* identifies the trace */
	struct registry registry;
	struct names names;
	uint64_t first_usec; /* of the earliest event */
	uint64_t events;
	bool damaged; /* something could not be read or written; this was reported */
	bool cut_reported;
	bool flush_due; /* a form has buffered much data */
	void *forms[CONVERT_FORMS];
};

/* False after reporting why not. */
bool convert_init(struct convert *c, const struct convert_options *o);
/* Opens the output, once the header is known. Reports errors and returns false. */
bool convert_begin(struct convert *c);
/* Takes an event. False: nothing more can be written. */
bool convert_event(struct convert *c, struct event *e);
/* Writes out all events so far. False: not all could be written. */
bool convert_flush(struct convert *c);
void convert_end(struct convert *c, const struct books *books);
void convert_deinit(struct convert *c);

/*
 * Readers. Each reads all files in argv. It returns false, after reporting it, if they
 * are not files of its kind at all.
 */
bool rawtrace_is(const char *name);
bool rawtrace_read(struct convert *c, char *const *names, unsigned n);
bool bytetrace_read(struct convert *c, char *const *names, unsigned n);

#endif
