/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that are partitioned by host and day: keep=DAYS in the URL. Older days are
 * removed with DROP TABLE, which takes no time. A table T of hits has a column "host"
 * after the run. Its partition T@HOST holds all rows of a host, and has a partition
 * T@HOST@YEAR-MONTH-DAY for each day (UTC) with rows. Hosts come before days because
 * creating or dropping a partition blocks all writers of its parent table.
 */
#ifndef TRACE_SINK_DBDAYS_H
#define TRACE_SINK_DBDAYS_H

#include "trace/sink/dbserver.h"

/* A day with rows in a table, counted since 1970. */
struct dbdays_day {
	int64_t day;
	bool is_made; /* as far as we know: another host may have dropped it */
};

/* True: the table is partitioned, if the URL asks for that. */
bool dbdays_are_for(const struct dbserver *s, const struct dbserver_table *t);
/* Compares the existing table with the URL's request. */
enum dbserver_result dbdays_check(struct dbserver *s, const struct dbserver_table *t);
/* Writes the text that follows CREATE TABLE (...). */
void dbdays_put_kind(const struct dbserver_table *t, struct dbtext *sql);
/* Notes the day of a row. */
void dbdays_note(struct dbserver_table *t, const struct database_value *values);
/* Creates the partitions that the batch needs, and drops those of expired days. */
enum dbserver_result dbdays_make(struct dbserver *s);
/* Lets all partitions be created again, after one was found missing. */
void dbdays_forget(struct dbserver *s);
void dbdays_free(struct dbserver_table *t);

#endif
