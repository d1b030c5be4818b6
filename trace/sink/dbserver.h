/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database server that many hosts may write to and that may become unavailable. The
 * rows of a run are numbered and sent in batches. Each batch is one transaction, which
 * also moves stap_runs.stored from the row before the batch to its last row. So a batch
 * is stored once, however often it is sent. Nothing is dropped before it is committed:
 * the rows of a stream can be made again from its records, which are queued in a spool,
 * and the rows of files from the files.
 *
 * To add a dialect: a file with struct dbserver_dialect, and rows in database.def and
 * sink.def.
 */
#ifndef TRACE_SINK_DBSERVER_H
#define TRACE_SINK_DBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "trace/sink/database.h"
#include "trace/sink/dbtext.h"

#define DBSERVER_NAME 64 /* bytes of a name, with its NUL */

struct dbdays_day;

struct dbserver_column {
	char name[DBSERVER_NAME];
	enum database_type type;
	bool is_indexed, is_there;
};

struct dbserver_table {
	struct dbserver_table *next;
	char name[DBSERVER_NAME];
	struct dbserver_column *columns;
	unsigned ncolumns, nown; /* nown: the first, our own: run, and host (dbdays.h) */
	unsigned at;		 /* the column of the time of day; 0: it has none */
	struct dbdays_day *days; /* that rows are of */
	unsigned ndays;
	struct dbtext rows; /* rows of this batch, in the dialect's form */
	unsigned nrows;
};

/*
 * DBSERVER_AWAY: the connection or the server is gone, or refuses for now; the statement
 * is retried. DBSERVER_REFUSED: the server refuses for good. s->error says why.
 */
enum dbserver_result { DBSERVER_DONE, DBSERVER_AWAY, DBSERVER_REFUSED };

struct dbserver;

struct dbserver_dialect {
	const char *kind;
	size_t batch_bytes;
	/* The names of types, in statements and in information_schema. */
	const char *types[DATABASE_TYPES], *type_names[DATABASE_TYPES];
	const char *schema;		/* the expression for the schema in use */
	const char *lock, *unlock;	/* against other hosts that create tables */
	const char *runs;		/* creates stap_runs */
	const char *table_kind;		/* the text after CREATE TABLE (...), or NULL */
	const char *insert, *or_ignore; /* around an INSERT whose row may already exist */
	bool indexes_inside;		/* indexes are defined inside CREATE TABLE */
	bool has_schemas, has_parts;
	enum dbserver_result (*connect)(struct dbserver *s);
	void (*disconnect)(struct dbserver *s);
	/*
	 * Runs one statement and calls fn for each row that it returns, with the columns
	 * as texts. *changed, which may be NULL, gets the number of changed rows.
	 */
	enum dbserver_result (*run)(struct dbserver *s, const char *sql,
				    void (*fn)(void *ctx, char **columns), void *ctx,
				    int64_t *changed);
	/* Adds a row to the table's batch. */
	void (*encode)(struct dbserver *s, struct dbserver_table *t,
		       const struct database_value *v);
	/* Sends the table's batch. */
	enum dbserver_result (*load)(struct dbserver *s, struct dbserver_table *t);
	/* Returns the remedy for s->error, or NULL. */
	const char *(*remedy)(const struct dbserver *s);
};

struct dbserver {
	const struct dbserver_dialect *dialect;
	void *connection;	   /* the dialect's; NULL: there is none */
	char *url;		   /* for messages: without the password */
	char *where;		   /* for the dialect: without our own parameters */
	char *password;		   /* or NULL */
	char *schema;		   /* or NULL: that of the connection */
	char error[512], state[8]; /* SQLSTATE */

	const struct database_run *run;
	int64_t number;	 /* of the run, in stap_runs */
	uint64_t stored; /* rows of the run that the database has */
	uint64_t stored_check;
	uint64_t row, first; /* the current row; the first of the batch; from 1 */
	uint64_t check;	     /* checksum over all rows so far */
	size_t batched;	     /* bytes */
	time_t since;
	struct dbserver_table *tables;
	bool failed;	  /* it gave up, and this was reported */
	bool was_there;	  /* it has answered once */
	bool has_records; /* its first hit has come */

	struct database_place hit;   /* the hit of the current rows */
	uint64_t hit_row, hit_check; /* rows before it */
	struct database_place mark;  /* the hit that the batch begins in */
	uint64_t mark_row, mark_check;

	unsigned keep_days; /* 0: tables are whole, and nothing is dropped */
	unsigned patience;  /* s, at the end */
	time_t lost_at;	    /* 0: it is there */
	time_t over_at;	    /* once the input is over, the start of `patience` */
	bool said_full;
};

void *dbserver_open(const struct dbserver_dialect *d, const char *where,
		    const struct database_run *run);
void *dbserver_table(void *db, const char *name, const struct database_column *columns,
		     unsigned ncolumns);
bool dbserver_row(void *db, void *table, const struct database_value *values);
bool dbserver_whole(void *db);
void dbserver_place(void *db, const struct database_place *place);
void dbserver_resume(void *db, const struct raw_resume *r);
bool dbserver_close(void *db, enum database_end end);

/* The operations of a dialect, struct dbserver_dialect NAME_dialect. */
#define DBSERVER_DATABASE(name, shown)                                                             \
	static void *name##_open(const char *where, const struct database_run *run)                \
	{                                                                                          \
		return dbserver_open(&name##_dialect, where, run);                                 \
	}                                                                                          \
	const struct database_ops database_##name = {                                              \
		.label = shown,                                                                    \
		.is_shared = true,                                                                 \
		.open = name##_open,                                                               \
		.table = dbserver_table,                                                           \
		.row = dbserver_row,                                                               \
		.whole = dbserver_whole,                                                           \
		.place = dbserver_place,                                                           \
		.resume = dbserver_resume,                                                         \
		.close = dbserver_close,                                                           \
	};

#endif
