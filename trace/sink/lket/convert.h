/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events on their way: registrations and processes are learned from them, then they go to
 * the forms that are wanted. The readers give them in order of time.
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
	bool takes_registrations; /* they are events for it, too */
	/* The functions return false after they have reported what is wrong. */
	bool (*begin)(struct convert *c, void **ret);
	bool (*event)(struct convert *c, void *form, const struct event *e);
	/* Writes out all events so far. NULL: they are where they belong. */
	bool (*flush)(struct convert *c, void *form);
	/* After the last event, and also after an error. books: NULL, there are none. */
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
	struct database_run run; /* what tells the trace from others */
	struct registry registry;
	struct names names;
	uint64_t first_usec; /* of the earliest event */
	uint64_t events;
	bool damaged; /* something could not be read or written; it has been reported */
	bool cut_reported;
	bool flush_due; /* a form has much that is to be written out */
	void *forms[CONVERT_FORMS];
};

/* False after reporting why not. */
bool convert_init(struct convert *c, const struct convert_options *o);
/* Opens what is written to; the header is known. False after reporting why not. */
bool convert_begin(struct convert *c);
/* Takes an event. False: nothing more can be written. */
bool convert_event(struct convert *c, struct event *e);
/* Writes out all events so far. False: not all of them could be. */
bool convert_flush(struct convert *c);
void convert_end(struct convert *c, const struct books *books);
void convert_deinit(struct convert *c);

/*
 * Readers. Each reads all files, named in argv; false after reporting that they are not
 * its files at all.
 */
bool rawtrace_is(const char *name);
bool rawtrace_read(struct convert *c, char *const *names, unsigned n);
bool bytetrace_read(struct convert *c, char *const *names, unsigned n);

#endif
