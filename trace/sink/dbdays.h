/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables in parts, one for each host and day: keep=DAYS in the URL. What is older goes by
 * DROP TABLE, which takes no time. A table T of hits has a column "host" behind the run;
 * its part T@HOST is all of a host, and has a part T@HOST@YEAR-MONTH-DAY for each day
 * (UTC) that rows are of. Hosts are in front of days since making or dropping a part
 * stops those who write to the table that it is of.
 */
#ifndef TRACE_SINK_DBDAYS_H
#define TRACE_SINK_DBDAYS_H

#include "trace/sink/dbserver.h"

/* A day that a table has rows of, since 1970. */
struct dbdays_day {
	int64_t day;
	bool is_made; /* as far as we know: another host may have dropped it */
};

/* True: the table is in parts, when the URL asks for that. */
bool dbdays_are_for(const struct dbserver *s, const struct dbserver_table *t);
/* Compares the table that is there with what the URL asks for. */
enum dbserver_result dbdays_check(struct dbserver *s, const struct dbserver_table *t);
/* Puts what stands behind CREATE TABLE (...). */
void dbdays_put_kind(const struct dbserver_table *t, struct dbtext *sql);
/* Notes the day of a row. */
void dbdays_note(struct dbserver_table *t, const struct database_value *values);
/* Makes the parts that the batch needs, and drops those of days that have gone. */
enum dbserver_result dbdays_make(struct dbserver *s);
/* Makes them all once more: one was not there. */
void dbdays_forget(struct dbserver *s);
void dbdays_free(struct dbserver_table *t);

#endif
