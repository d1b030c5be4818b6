/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new SQLite database that rows are written to, in transactions of many: --to
 * sqlite:FILE, and lket-b2a -m. Only where libsqlite3 is built in. All return false when
 * it cannot be done, which has been reported.
 */
#ifndef STAPIO_SINK_DATABASE_H
#define STAPIO_SINK_DATABASE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <time.h>

struct database {
	sqlite3 *db;
	const char *file; /* the caller's, until database_close() */
	unsigned rows;	  /* of this transaction */
	time_t since;
};

/*
 * How the file is written: DATABASE_LIVE, a process that is killed leaves what was
 * committed; DATABASE_ONCE, it leaves nothing of use, and it takes less time.
 */
enum database_kind { DATABASE_LIVE, DATABASE_ONCE };

/* Makes the file, which may not be there, and begins a transaction. */
bool database_open(struct database *d, const char *file, enum database_kind kind);
bool database_run(struct database *d, const char *sql);
/* Finishes the text, and runs it. */
bool database_run_made(struct database *d, sqlite3_str *text);
bool database_prepare(struct database *d, const char *sql, sqlite3_stmt **ret);
/* Prepares "INSERT INTO table VALUES (?, ...)". The table's name may hold any bytes. */
bool database_prepare_insert(struct database *d, const char *table, unsigned columns,
			     sqlite3_stmt **ret);
/* Puts a row, and commits where that is due. The statement may be used again. */
bool database_step(struct database *d, sqlite3_stmt *s);
/* Commits what is there; more may follow, in a new transaction. */
bool database_commit(struct database *d);
/*
 * Closes what database_open() has tried to open; its statements are finalized. commit:
 * false, what was not committed is thrown away.
 */
bool database_close(struct database *d, bool commit);

#endif
