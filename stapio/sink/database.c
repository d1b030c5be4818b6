/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See database.h. */
#ifdef HAVE_SQLITE

#include "stapio/sink/database.h"

#include <unistd.h>

#include "stapio/messages.h"
#include "stapio/sink/created.h"

#define ROWS_MOST    100000 /* of a transaction */
#define COMMIT_EVERY 1	    /* s, while rows keep coming */
#define LOOK_EVERY   256    /* rows, at the clock */

static bool failed(struct database *d)
{
	message_error("%s: %s", d->file, sqlite3_errmsg(d->db));
	return false;
}

static time_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
	return t.tv_sec;
}

bool database_open(struct database *d, const char *file, enum database_kind kind)
{
	static const char live[] = "PRAGMA journal_mode = WAL;";
	static const char once[] = "PRAGMA journal_mode = OFF;";
	static const char both[] =
		"PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
		"PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; BEGIN";

	int fd = created_file(file);

	*d = (struct database){ .file = file, .since = now() };
	if (fd < 0)
		return false;
	close(fd);
	if (sqlite3_open_v2(file, &d->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		return failed(d);
	return database_run(d, kind == DATABASE_LIVE ? live : once) && database_run(d, both);
}

bool database_run(struct database *d, const char *sql)
{
	return sqlite3_exec(d->db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(d);
}

bool database_run_made(struct database *d, sqlite3_str *text)
{
	char *sql = sqlite3_str_finish(text);
	bool ok = sql && database_run(d, sql);

	sqlite3_free(sql);
	return ok;
}

bool database_prepare(struct database *d, const char *sql, sqlite3_stmt **ret)
{
	return sqlite3_prepare_v3(d->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL) ==
		       SQLITE_OK ||
	       failed(d);
}

bool database_prepare_insert(struct database *d, const char *table, unsigned columns,
			     sqlite3_stmt **ret)
{
	sqlite3_str *text = sqlite3_str_new(d->db);
	char *sql;
	bool ok;

	sqlite3_str_appendf(text, "INSERT INTO \"%w\" VALUES (?", table);
	for (unsigned i = 1; i < columns; i++)
		sqlite3_str_appendall(text, ",?");
	sqlite3_str_appendall(text, ")");
	sql = sqlite3_str_finish(text);
	ok = sql && database_prepare(d, sql, ret);
	sqlite3_free(sql);
	return ok;
}

bool database_commit(struct database *d)
{
	d->rows = 0;
	d->since = now();
	return database_run(d, "COMMIT; BEGIN");
}

bool database_step(struct database *d, sqlite3_stmt *s)
{
	bool ok = sqlite3_step(s) == SQLITE_DONE || failed(d);

	sqlite3_reset(s);
	d->rows++;
	if (!ok || (d->rows < ROWS_MOST &&
		    (d->rows % LOOK_EVERY || now() - d->since < COMMIT_EVERY)))
		return ok;
	return database_commit(d);
}

bool database_close(struct database *d, bool commit)
{
	bool ok = d->db && !sqlite3_get_autocommit(d->db) &&
		  database_run(d, commit ? "COMMIT" : "ROLLBACK") &&
		  database_run(d, "PRAGMA journal_mode = DELETE");

	return sqlite3_close(d->db) == SQLITE_OK && ok;
}

#endif
