/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A database behind a server, which many hosts may write to and which may go away. The
 * rows of a run are numbered; they are sent in batches, each in one transaction that also
 * moves stap_runs.stored from the row before the batch to its last: so a batch is in the
 * database once, however often it is sent. Nothing is given up before it is committed:
 * rows of a stream can be made again from its records, which wait in a spool, those of
 * files from the files.
 *
 * To add a dialect: a file with struct server_dialect, and rows in database.def and
 * sink.def.
 */
#ifndef STAPIO_SINK_SERVER_H
#define STAPIO_SINK_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "stapio/sink/database.h"

#define SERVER_NAME 64 /* bytes of a name, with its NUL */

/* Bytes that grow. */
struct server_bytes {
	char *s;
	size_t len, room;
	bool no_memory;
};

struct server_column {
	char name[SERVER_NAME];
	enum database_type type;
	bool is_indexed, is_there;
};

struct server_table {
	struct server_table *next;
	char name[SERVER_NAME];
	struct server_column *columns; /* the first is the run */
	unsigned ncolumns;
	struct server_bytes rows; /* of this batch, as the dialect sends them */
	unsigned nrows;
};

/*
 * SERVER_AWAY: the connection or the server is gone, or refuses for now: it is tried
 * again. SERVER_REFUSED: it will not do that. s->error says why.
 */
enum server_result { SERVER_DONE, SERVER_AWAY, SERVER_REFUSED };

struct server;

struct server_dialect {
	const char *kind;
	size_t batch_bytes;
	/* What types are called, in statements and by information_schema. */
	const char *types[DATABASE_TYPES], *type_names[DATABASE_TYPES];
	const char *schema;	 /* the expression for the schema in use */
	const char *lock, *unlock; /* against others who make tables */
	const char *runs;	 /* makes stap_runs */
	const char *table_kind;	 /* behind CREATE TABLE (...), or NULL */
	const char *insert, *or_ignore; /* around an INSERT that may find the row there */
	bool indexes_inside;	 /* of CREATE TABLE */
	bool has_schemas;
	enum server_result (*connect)(struct server *s);
	void (*disconnect)(struct server *s);
	/*
	 * Runs one statement; fn: is called for each row that it returns, with the columns
	 * as texts. *changed, which may be NULL: how many rows it changed.
	 */
	enum server_result (*run)(struct server *s, const char *sql,
				  void (*fn)(void *ctx, char **columns), void *ctx,
				  int64_t *changed);
	/* Adds a row to those of the table. */
	void (*encode)(struct server *s, struct server_table *t, const struct database_value *v);
	/* Sends the table's rows. */
	enum server_result (*load)(struct server *s, struct server_table *t);
	/* Says what helps against s->error, or NULL. */
	const char *(*remedy)(const struct server *s);
};

struct server {
	const struct server_dialect *dialect;
	void *connection; /* the dialect's; NULL: there is none */
	char *url;	  /* as it is shown: without the password */
	char *where;	  /* for the dialect: without what is ours */
	char *password;	  /* or NULL */
	char *schema;	  /* or NULL: that of the connection */
	char error[512], state[8]; /* SQLSTATE */

	const struct database_run *run;
	int64_t number;	     /* of the run, in stap_runs */
	uint64_t stored;     /* rows of it that the database has */
	uint64_t stored_check;
	uint64_t row, first; /* the present one; of the batch; from 1 */
	uint64_t check;	     /* over all rows so far */
	size_t batched;	     /* bytes */
	struct timespec since;
	struct server_table *tables;
	bool failed;	 /* given up; it has been reported */
	bool was_there;	  /* it has answered once */
	bool is_going_on; /* its first hit has come */

	struct database_place hit;    /* that rows are of now */
	uint64_t hit_row, hit_check;  /* rows before it */
	struct database_place mark;   /* the hit that the batch begins in */
	uint64_t mark_row, mark_check;

	unsigned patience; /* s, at the end */
	time_t lost_at;	   /* 0: it is there */
	time_t over_at;	   /* patience is counted from here, once the input is over */
	bool said_full;
};

void *server_open(const struct server_dialect *d, const char *where,
		  const struct database_run *run);
void *server_table(void *db, const char *name, const struct database_column *columns,
		   unsigned ncolumns);
bool server_row(void *db, void *table, const struct database_value *values);
void server_place(void *db, const struct database_place *place);
void server_resume(void *db, const struct raw_resume *r);
bool server_close(void *db, enum database_end end);

/* Returns room for n bytes more, or NULL. */
char *server_room(struct server_bytes *b, size_t n);
void server_put(struct server_bytes *b, const void *from, size_t n);
/* Puts a text as UTF-8: other bytes, and NULs, become \xHH. */
void server_put_text(struct server_bytes *b, const char *s, size_t len);
/* Notes the first line of a message. */
void server_error(struct server *s, const char *state, const char *text);

/* The operations of a dialect, struct server_dialect NAME_dialect. */
#define SERVER_DATABASE(name, shown)                                                               \
	static void *name##_open(const char *where, const struct database_run *run)                \
	{                                                                                          \
		return server_open(&name##_dialect, where, run);                                   \
	}                                                                                          \
	const struct database_ops database_##name = {                                              \
		.label = shown,                                                                    \
		.is_shared = true,                                                                 \
		.open = name##_open,                                                               \
		.table = server_table,                                                             \
		.row = server_row,                                                                 \
		.place = server_place,                                                             \
		.resume = server_resume,                                                           \
		.close = server_close,                                                             \
	};

#endif
