/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs statements on a database server, through its dialect. */
#ifndef TRACE_SINK_DBQUERY_H
#define TRACE_SINK_DBQUERY_H

#include "trace/sink/dbserver.h"

enum dbserver_result dbquery_run(struct dbserver *s, const char *sql);
/* Runs the statement in the buffer, and frees the buffer. */
enum dbserver_result dbquery_run_text(struct dbserver *s, struct dbtext *sql,
				      void (*fn)(void *ctx, char **columns), void *ctx,
				      int64_t *changed);
/* The same for a SELECT of one number. */
enum dbserver_result dbquery_ask_number(struct dbserver *s, struct dbtext *sql, int64_t *ret);
/* Reports that there is no memory. */
enum dbserver_result dbquery_no_memory(struct dbserver *s);
/* Runs a function that only one host at a time may run. */
enum dbserver_result dbquery_alone(struct dbserver *s,
				   enum dbserver_result (*fn)(struct dbserver *s, void *what),
				   void *what);

/* Notes the first line of a message. */
void dbquery_error(struct dbserver *s, const char *state, const char *text);

#endif
