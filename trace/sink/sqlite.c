/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A new file of SQLite, written in transactions of many rows. A process that is killed
 * leaves what was committed (DATABASE_LIVE): the write-ahead log is not synced with the
 * disk, but never ahead of itself.
 *
 * A statement costs SQLite more than the row that it inserts. So the rows of a table wait
 * until a statement of BATCH_ROWS takes them, or until the end of the transaction.
 *
 * SQLite stores any bytes as text, and readers that expect UTF-8 fail on others: texts
 * are made valid as for the other databases.
 */
#include "trace/messages.h"
#include "trace/sink/database.h"
#include "trace/sink/tabular.h"

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/sink/newfile.h"
#include "trace/sink/stored.h"
#include "lib/utf8.h"

#define ROWS_MOST    100000 /* of a transaction; up to twice as many if one hit has many */
#define COMMIT_EVERY 1	    /* s, while rows keep coming */
#define BATCH_ROWS   16
#define BATCH_TEXTS  4096 /* bytes of all texts of the waiting rows */

struct sqlite_table {
	struct sqlite_table *next;
	sqlite3_stmt *one, *batch; /* insert one row, and BATCH_ROWS rows */
	char *indexes;		   /* statements that create the indexes, at the end */
	unsigned nwaiting;
	size_t used; /* of texts[] */
	struct database_value *waiting;
	struct database_value *mended; /* a row */
	char texts[BATCH_TEXTS];
	unsigned ncolumns;
	enum database_type types[];
};

struct sqlite {
	sqlite3 *db;
	const char *file;
	unsigned rows; /* of this transaction */
	time_t since;
	struct sqlite_table *tables;
	struct stored *stored; /* or NULL */
	char *text;	       /* buffer for values made valid UTF-8 */
	size_t text_room;
	bool failed; /* this was reported; nothing more is written */
};

static bool failed(struct sqlite *q)
{
	if (!q->failed)
		message_error("%s: %s", q->file, sqlite3_errmsg(q->db));
	q->failed = true;
	return false;
}

static bool run(struct sqlite *q, const char *sql)
{
	return sqlite3_exec(q->db, sql, NULL, NULL, NULL) == SQLITE_OK || failed(q);
}

/* Completes the text of a statement, and runs it. */
static bool run_made(struct sqlite *q, sqlite3_str *text)
{
	char *sql = sqlite3_str_finish(text);
	bool ok = sql && run(q, sql);

	sqlite3_free(sql);
	return ok;
}

static bool open_file(struct sqlite *q, enum database_mode mode)
{
	static const char live[] = "PRAGMA journal_mode = WAL;";
	static const char once[] = "PRAGMA journal_mode = OFF;";
	static const char both[] = "PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE;"
				   "PRAGMA temp_store = FILE; PRAGMA cache_size = -16000; BEGIN";
	int fd = newfile_open(q->file);

	if (fd < 0)
		return false;
	close(fd);
	if (sqlite3_open_v2(q->file, &q->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) !=
	    SQLITE_OK)
		return failed(q);
	return run(q, mode == DATABASE_LIVE ? live : once) && run(q, both);
}

static void *sqlite_open(const char *where, const struct database_run *of)
{
	struct sqlite *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->file = where;
	q->since = sink_now();
	q->stored = of->stored;
	if (open_file(q, of->mode))
		return q;
	sqlite3_close(q->db);
	free(q);
	return NULL;
}

/* ---- tables ---- */

static bool make_table(struct sqlite *q, const char *name, const struct database_column *columns,
		       unsigned n)
{
	static const char *const types[DATABASE_TYPES] = {
		[DATABASE_INT8] = "TINYINT",	 [DATABASE_INT16] = "SMALLINT",
		[DATABASE_INT32] = "INT",	 [DATABASE_INT64] = "BIGINT",
		[DATABASE_NAME] = "VARCHAR(20)", [DATABASE_TEXT] = "TEXT",
		[DATABASE_BYTES] = "BLOB",	 [DATABASE_INSTANT] = "BIGINT",
	};
	sqlite3_str *sql = sqlite3_str_new(q->db);

	sqlite3_str_appendf(sql, "CREATE TABLE \"%w\"(", name);
	for (unsigned i = 0; i < n; i++)
		sqlite3_str_appendf(sql, "%s\"%w\" %s", i ? "," : "", columns[i].name,
				    types[columns[i].type]);
	sqlite3_str_appendall(sql, ")");
	return run_made(q, sql);
}

/* Prepares a statement that inserts this many rows. */
static bool prepare(struct sqlite *q, const char *name, unsigned ncolumns, unsigned rows,
		    sqlite3_stmt **ret)
{
	sqlite3_str *text = sqlite3_str_new(q->db);
	char *sql;
	bool ok;

	sqlite3_str_appendf(text, "INSERT INTO \"%w\" VALUES ", name);
	for (unsigned i = 0; i < rows; i++) {
		sqlite3_str_appendall(text, i ? ",(?" : "(?");
		for (unsigned k = 1; k < ncolumns; k++)
			sqlite3_str_appendall(text, ",?");
		sqlite3_str_appendall(text, ")");
	}
	sql = sqlite3_str_finish(text);
	ok = sql && (sqlite3_prepare_v3(q->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL) ==
			     SQLITE_OK ||
		     failed(q));
	sqlite3_free(sql);
	return ok;
}

/* A table may have more columns than a statement of SQLite before 3.32 can bind. */
static bool prepare_inserts(struct sqlite *q, struct sqlite_table *t, const char *name)
{
	int most = sqlite3_limit(q->db, SQLITE_LIMIT_VARIABLE_NUMBER, -1);

	return prepare(q, name, t->ncolumns, 1, &t->one) &&
	       (t->ncolumns * BATCH_ROWS > (unsigned)most ||
		prepare(q, name, t->ncolumns, BATCH_ROWS, &t->batch));
}

static char *index_statements(struct sqlite *q, const char *name,
			      const struct database_column *columns, unsigned n)
{
	sqlite3_str *sql = sqlite3_str_new(q->db);

	for (unsigned i = 0; i < n; i++)
		if (columns[i].is_indexed)
			sqlite3_str_appendf(sql, "CREATE INDEX \"%w_%w\" ON \"%w\"(\"%w\");",
					    columns[i].name, name, name, columns[i].name);
	return sqlite3_str_finish(sql);
}

static void *sqlite_table(void *db, const char *name, const struct database_column *columns,
			  unsigned n)
{
	struct sqlite *q = db;
	struct sqlite_table *t = calloc(1, sizeof(*t) + n * sizeof(t->types[0]));

	if (t)
		t->waiting = calloc((size_t)n * (BATCH_ROWS + 1), sizeof(t->waiting[0]));
	if (!t || !t->waiting) {
		free(t);
		message_error("%s: no memory", q->file);
		return NULL;
	}
	t->next = q->tables;
	t->ncolumns = n;
	t->mended = t->waiting + (size_t)n * BATCH_ROWS;
	for (unsigned i = 0; i < n; i++)
		t->types[i] = columns[i].type;
	t->indexes = index_statements(q, name, columns, n);
	q->tables = t;
	return make_table(q, name, columns, n) && prepare_inserts(q, t, name) ? t : NULL;
}

/* ---- rows ---- */

static void bind(sqlite3_stmt *to, int at, enum database_type type, const struct database_value *v)
{
	if (v->is_null)
		sqlite3_bind_null(to, at);
	else if (type == DATABASE_BYTES)
		sqlite3_bind_blob(to, at, v->s, (int)v->len, SQLITE_STATIC);
	else if (type == DATABASE_TEXT || type == DATABASE_NAME)
		sqlite3_bind_text(to, at, v->s, (int)v->len, SQLITE_STATIC);
	else
		sqlite3_bind_int64(to, at, v->number);
}

/* Runs a statement with the values of this many rows. */
static bool insert(struct sqlite *q, const struct sqlite_table *t, sqlite3_stmt *to,
		   const struct database_value *v, unsigned rows)
{
	int at = 0;
	bool ok;

	for (unsigned i = 0; i < rows; i++)
		for (unsigned k = 0; k < t->ncolumns; k++, at++)
			bind(to, at + 1, t->types[k], &v[at]);
	ok = sqlite3_step(to) == SQLITE_DONE || failed(q);
	sqlite3_reset(to);
	return ok;
}

static bool insert_waiting(struct sqlite *q, struct sqlite_table *t)
{
	unsigned n = t->nwaiting;

	t->nwaiting = 0;
	t->used = 0;
	if (n == BATCH_ROWS && t->batch)
		return insert(q, t, t->batch, t->waiting, n);
	for (unsigned i = 0; i < n; i++)
		if (!insert(q, t, t->one, t->waiting + (size_t)i * t->ncolumns, 1))
			return false;
	return true;
}

static bool insert_all_waiting(struct sqlite *q)
{
	for (struct sqlite_table *t = q->tables; t; t = t->next)
		if (!insert_waiting(q, t))
			return false;
	return true;
}

static bool is_text(enum database_type type)
{
	return type == DATABASE_TEXT || type == DATABASE_NAME || type == DATABASE_BYTES;
}

static size_t length_of_texts(const struct sqlite_table *t, const struct database_value *v)
{
	size_t n = 0;

	for (unsigned i = 0; i < t->ncolumns; i++)
		if (is_text(t->types[i]) && !v[i].is_null)
			n += v[i].len;
	return n;
}

/*
 * Stores a row among the waiting ones, which have room for it. Copies the texts: those of
 * the caller do not last.
 */
static void keep(struct sqlite_table *t, const struct database_value *v)
{
	struct database_value *to = t->waiting + (size_t)t->nwaiting++ * t->ncolumns;

	memcpy(to, v, t->ncolumns * sizeof(*to));
	for (unsigned i = 0; i < t->ncolumns; i++) {
		if (!is_text(t->types[i]) || v[i].is_null || !v[i].s)
			continue;
		to[i].s = memcpy(t->texts + t->used, v[i].s, v[i].len);
		t->used += v[i].len;
	}
}

static bool add(struct sqlite *q, struct sqlite_table *t, const struct database_value *v)
{
	size_t texts = length_of_texts(t, v);

	if (t->used + texts > sizeof(t->texts) && !insert_waiting(q, t))
		return false;
	if (texts > sizeof(t->texts))
		return insert(q, t, t->one, v, 1);
	keep(t, v);
	return t->nwaiting < BATCH_ROWS || insert_waiting(q, t);
}

static bool needs_mending(enum database_type type, const struct database_value *v)
{
	return (type == DATABASE_TEXT || type == DATABASE_NAME) && !v->is_null &&
	       !utf8_is_text(v->s, v->len);
}

/* Makes room for the texts of a row as UTF-8. False: no memory. */
static bool make_room(struct sqlite *q, size_t bytes)
{
	char *larger = q->text_room < bytes ? realloc(q->text, bytes) : q->text;

	if (!larger) {
		message_error("%s: no memory", q->file);
		q->failed = true;
		return false;
	}
	q->text_room = q->text_room < bytes ? bytes : q->text_room;
	q->text = larger;
	return true;
}

/* Returns the row with its texts as UTF-8. NULL: no memory. */
static const struct database_value *mend(struct sqlite *q, struct sqlite_table *t,
					 const struct database_value *v)
{
	size_t bytes = 0, used = 0;

	for (unsigned i = 0; i < t->ncolumns; i++)
		bytes += needs_mending(t->types[i], &v[i]) ? 4 * (size_t)v[i].len : 0;
	if (!bytes)
		return v;
	if (!make_room(q, bytes))
		return NULL;
	memcpy(t->mended, v, t->ncolumns * sizeof(*v));
	for (unsigned i = 0; i < t->ncolumns; i++) {
		struct database_value *to = &t->mended[i];

		if (!needs_mending(t->types[i], &v[i]))
			continue;
		to->s = q->text + used;
		to->len = (uint32_t)utf8_mend(q->text + used, v[i].s, v[i].len);
		used += to->len;
	}
	return t->mended;
}

/* Commits the rows so far. */
static bool commit(struct sqlite *q)
{
	q->rows = 0;
	q->since = sink_now();
	if (!insert_all_waiting(q) || !run(q, "COMMIT"))
		return false;
	stored_all(q->stored);
	return run(q, "BEGIN");
}

static bool sqlite_row(void *db, void *table, const struct database_value *v)
{
	struct sqlite *q = db;

	v = q->failed ? NULL : mend(q, table, v);
	if (!v || !add(q, table, v))
		return false;
	return ++q->rows < 2 * ROWS_MOST || commit(q);
}

static bool sqlite_whole(void *db)
{
	struct sqlite *q = db;

	if (q->failed || (q->rows < ROWS_MOST && sink_now() - q->since < COMMIT_EVERY))
		return !q->failed;
	return commit(q);
}

/* ---- the end ---- */

static bool make_indexes(struct sqlite *q)
{
	for (struct sqlite_table *t = q->tables; t; t = t->next)
		if (t->indexes && !run(q, t->indexes))
			return false;
	return true;
}

static void free_tables(struct sqlite *q)
{
	struct sqlite_table *next;

	for (struct sqlite_table *t = q->tables; t; t = next) {
		next = t->next;
		sqlite3_finalize(t->one);
		sqlite3_finalize(t->batch);
		sqlite3_free(t->indexes);
		free(t->waiting);
		free(t);
	}
}

/*
 * Leaves the file as of the last commit. Further errors are ignored: one was reported
 * already.
 */
static void leave(struct sqlite *q)
{
	if (!sqlite3_get_autocommit(q->db))
		sqlite3_exec(q->db, "ROLLBACK", NULL, NULL, NULL);
	sqlite3_exec(q->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
}

static bool sqlite_close(void *db, enum database_end end)
{
	struct sqlite *q = db;
	bool dropped = end == DATABASE_DROPPED;
	bool ok = !q->failed && (dropped || (commit(q) && make_indexes(q)));

	free_tables(q);
	ok = ok && run(q, dropped ? "ROLLBACK" : "COMMIT") &&
	     run(q, "PRAGMA journal_mode = DELETE");
	if (!ok)
		leave(q);
	ok = sqlite3_close(q->db) == SQLITE_OK && ok;
	free(q->text);
	free(q);
	return ok;
}

const struct database_ops database_sqlite = {
	.label = "SQLite",
	.open = sqlite_open,
	.table = sqlite_table,
	.row = sqlite_row,
	.whole = sqlite_whole,
	.close = sqlite_close,
};

#else

DATABASE_ABSENT(sqlite, "SQLite", "libsqlite3", "Debian: libsqlite3-dev, Fedora: sqlite-devel");

#endif

TABULAR_SINK(sqlite, false)
