/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a trace as tables, to any database. Each print of the script has a table with
 * the columns hit, time, at, cpu, probe, pid and tid, and then a column for each field.
 * The other tables are stap_trace, stap_probes, stap_messages, stap_histograms,
 * stap_books and stap_skipped. A database that is shared with other runs has stap_runs
 * instead of stap_trace, and the column "at". Its tables are created before the first
 * record, so that tables that do not fit are reported then. In other databases a print's
 * table is created with its first row.
 */
#ifndef TRACE_SINK_TABULAR_H
#define TRACE_SINK_TABULAR_H

#include "trace/sink/sink.h"

struct database_ops;

void *tabular_open(const struct database_ops *ops, const char *where, const struct sink_trace *t);
bool tabular_item(void *sink, const struct sink_hit *h, const struct item *i);
bool tabular_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind, const char *s,
		  size_t len);
bool tabular_histogram(void *sink, const struct sink_hit *h, const struct histogram *g);
bool tabular_whole(void *sink, const struct sink_hit *h);
bool tabular_books(void *sink, const struct books *b);
void tabular_resume(void *sink, const struct raw_resume *r);
bool tabular_close(void *sink);

/* The sink of a dialect, whose operations are database_NAME. */
#define TABULAR_SINK(name, in_spool)                                                               \
	static void *sink_##name##_open(const char *where, const struct sink_trace *t)             \
	{                                                                                          \
		return tabular_open(&database_##name, where, t);                                   \
	}                                                                                          \
	SINK_OPS(name, sink_##name##_open, tabular_item, tabular_close, .text = tabular_text,      \
		 .histogram = tabular_histogram, .whole = tabular_whole, .books = tabular_books,   \
		 .resume = tabular_resume, .spools = in_spool);

#endif
