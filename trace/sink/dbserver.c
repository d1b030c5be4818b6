/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dbserver.h. */
#include "trace/sink/dbserver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "trace/messages.h"
#include "trace/sink/dbdays.h"
#include "trace/sink/dbquery.h"
#include "trace/sink/serverurl.h"
#include "trace/sink/sink.h"
#include "trace/sink/spool.h"
#include "trace/sink/stored.h"
#include "lib/utf8.h"
#include "uapi/rawfile.h"
#include "uapi/record.h"

#define ROWS_MOST    100000 /* rows in a batch; up to twice as many if one hit has many */
#define COMMIT_EVERY 1	    /* s */
#define PAUSE_MOST   2000   /* ms, between two attempts to connect */

/* ---- tables ---- */

/* Puts the SQL of a column's name and type. */
static void put_column(struct dbserver *s, struct dbtext *sql, const struct dbserver_column *c)
{
	dbtext_put_name(sql, c->name);
	dbtext_put_string(sql, " ");
	dbtext_put_string(sql, s->dialect->types[c->type]);
}

/* Rows arrive nearly in order of time: a BRIN index costs them next to nothing. */
static enum dbserver_result make_indexes(struct dbserver *s, struct dbserver_table *t)
{
	enum dbserver_result rc = DBSERVER_DONE;

	for (unsigned i = 0; rc == DBSERVER_DONE && i < t->ncolumns; i++) {
		bool at = t->columns[i].type == DATABASE_INSTANT;
		struct dbtext sql = { 0 };

		if (!t->columns[i].is_indexed || s->dialect->indexes_inside)
			continue;
		dbtext_put_string(&sql, "CREATE INDEX ON ");
		dbtext_put_name(&sql, t->name);
		dbtext_put_string(&sql, at ? " USING brin (" : " (");
		dbtext_put_name(&sql, t->columns[i].name);
		dbtext_put_string(&sql, at ? ") WITH (autosummarize = on)" : ")");
		rc = dbquery_run_text(s, &sql, NULL, NULL, NULL);
	}
	return rc;
}

static enum dbserver_result make_table(struct dbserver *s, struct dbserver_table *t)
{
	struct dbtext sql = { 0 };
	enum dbserver_result rc;

	dbtext_put_string(&sql, "CREATE TABLE ");
	dbtext_put_name(&sql, t->name);
	for (unsigned i = 0; i < t->ncolumns; i++) {
		dbtext_put_string(&sql, i ? ", " : " (");
		put_column(s, &sql, &t->columns[i]);
	}
	for (unsigned i = 0; i < t->ncolumns && s->dialect->indexes_inside; i++) {
		if (!t->columns[i].is_indexed)
			continue;
		dbtext_put_string(&sql, ", INDEX (");
		dbtext_put_name(&sql, t->columns[i].name);
		dbtext_put_string(&sql, ")");
	}
	dbtext_put_string(&sql, ")");
	dbtext_put_string(&sql, s->dialect->table_kind ? s->dialect->table_kind : "");
	if (dbdays_are_for(s, t))
		dbdays_put_kind(t, &sql);
	rc = dbquery_run_text(s, &sql, NULL, NULL, NULL);
	return rc == DBSERVER_DONE ? make_indexes(s, t) : rc;
}

struct comparison {
	struct dbserver *s;
	struct dbserver_table *t;
	bool found;
	const char *differs; /* a column has another type */
	char type[64];
};

static void compare_column(void *ctx, char **columns)
{
	struct comparison *c = ctx;

	c->found = true;
	for (unsigned i = 0; i < c->t->ncolumns; i++) {
		struct dbserver_column *mine = &c->t->columns[i];

		if (strcasecmp(mine->name, columns[0]))
			continue;
		mine->is_there = true;
		if (strcasecmp(c->s->dialect->type_names[mine->type], columns[1])) {
			c->differs = mine->name;
			snprintf(c->type, sizeof(c->type), "%s", columns[1]);
		}
	}
}

static enum dbserver_result add_columns(struct dbserver *s, struct dbserver_table *t)
{
	enum dbserver_result rc = DBSERVER_DONE;

	for (unsigned i = 0; rc == DBSERVER_DONE && i < t->ncolumns; i++) {
		struct dbtext sql = { 0 };

		if (t->columns[i].is_there)
			continue;
		dbtext_put_string(&sql, "ALTER TABLE ");
		dbtext_put_name(&sql, t->name);
		dbtext_put_string(&sql, " ADD COLUMN ");
		put_column(s, &sql, &t->columns[i]);
		rc = dbquery_run_text(s, &sql, NULL, NULL, NULL);
	}
	return rc;
}

static enum dbserver_result ensure_table(struct dbserver *s, void *table)
{
	struct dbserver_table *t = table;
	struct comparison c = { .s = s, .t = t };
	struct dbtext sql = { 0 };
	enum dbserver_result rc;

	for (unsigned i = 0; i < t->ncolumns; i++)
		t->columns[i].is_there = false;
	dbtext_put_string(&sql, "SELECT column_name, data_type FROM information_schema.columns "
				"WHERE table_schema = ");
	dbtext_put_string(&sql, s->dialect->schema);
	dbtext_put_string(&sql, " AND table_name = ");
	dbtext_put_constant(&sql, t->name);
	rc = dbquery_run_text(s, &sql, compare_column, &c, NULL);
	if (rc != DBSERVER_DONE)
		return rc;
	if (!c.found)
		return make_table(s, t);
	rc = dbdays_check(s, t);
	if (rc != DBSERVER_DONE)
		return rc;
	if (!c.differs)
		return add_columns(s, t);
	snprintf(s->error, sizeof(s->error),
		 "its table \"%s\" has a column \"%s\" of another type, %s: name another schema, "
		 "as in "
		 "?schema=NAME",
		 t->name, c.differs, c.type);
	*s->state = 0;
	return DBSERVER_REFUSED;
}

/* ---- the run ---- */

static enum dbserver_result make_runs(struct dbserver *s, void *unused)
{
	return dbquery_run(s, s->dialect->runs);
}

static enum dbserver_result ensure_runs(struct dbserver *s)
{
	struct dbtext sql = { 0 };
	enum dbserver_result rc;
	int64_t n;

	dbtext_put_string(&sql, "SELECT count(*) FROM information_schema.columns WHERE "
				"table_name = 'stap_runs' AND table_schema = ");
	dbtext_put_string(&sql, s->dialect->schema);
	rc = dbquery_ask_number(s, &sql, &n);
	return rc != DBSERVER_DONE || n ? rc : dbquery_alone(s, make_runs, NULL);
}

struct found_run {
	int64_t number;
	uint64_t stored, check;
	bool is_complete;
};

static void take_run(void *ctx, char **columns)
{
	struct found_run *f = ctx;

	f->number = strtoll(columns[0], NULL, 10);
	f->stored = strtoull(columns[1], NULL, 10);
	f->check = (uint64_t)strtoll(columns[2], NULL, 10);
	f->is_complete = *columns[3] == 't' || *columns[3] == '1';
}

/* Puts the key of a run: as conditions, or only its values. */
static void put_run(struct dbtext *sql, const struct database_run *r, bool conditions)
{
	const char *between = conditions ? " AND " : ", ";
	char text[64];

	snprintf(text, sizeof(text), "%" PRId64, (int64_t)r->realtime);
	dbtext_put_string(sql, conditions ? "realtime = " : "");
	dbtext_put_string(sql, text);
	dbtext_put_string(sql, between);
	dbtext_put_string(sql, conditions ? "time = " : "");
	snprintf(text, sizeof(text), "%" PRId64, (int64_t)r->time);
	dbtext_put_string(sql, text);
	dbtext_put_string(sql, between);
	dbtext_put_string(sql, conditions ? "host = " : "");
	dbtext_put_constant(sql, r->host);
	dbtext_put_string(sql, between);
	dbtext_put_string(sql, conditions ? "module = " : "");
	dbtext_put_constant(sql, r->module);
}

/* Finds the run in the database, and adds it if it is not there. */
static enum dbserver_result find_run(struct dbserver *s, struct found_run *ret)
{
	struct dbtext sql = { 0 }, ask = { 0 };
	enum dbserver_result rc;

	*ret = (struct found_run){ .number = -1 };
	dbtext_put_string(&sql, s->dialect->insert);
	dbtext_put_string(&sql, " INTO stap_runs (realtime, time, host, module) VALUES (");
	put_run(&sql, s->run, false);
	dbtext_put_string(&sql, ")");
	dbtext_put_string(&sql, s->dialect->or_ignore);
	dbtext_put_string(&ask, "SELECT run, stored, stored_check, is_complete FROM "
				"stap_runs WHERE ");
	put_run(&ask, s->run, true);
	rc = dbquery_run_text(s, &sql, NULL, NULL, NULL);
	if (rc == DBSERVER_DONE)
		return dbquery_run_text(s, &ask, take_run, ret, NULL);
	free(ask.s);
	return rc;
}

static enum dbserver_result use_schema(struct dbserver *s)
{
	struct dbtext sql = { 0 };

	if (!s->schema)
		return DBSERVER_DONE;
	dbtext_put_string(&sql, "SET search_path TO ");
	dbtext_put_name(&sql, s->schema);
	return dbquery_run_text(s, &sql, NULL, NULL, NULL);
}

static enum dbserver_result make_schema(struct dbserver *s, void *unused)
{
	struct dbtext sql = { 0 };

	dbtext_put_string(&sql, "CREATE SCHEMA IF NOT EXISTS ");
	dbtext_put_name(&sql, s->schema);
	return dbquery_run_text(s, &sql, NULL, NULL, NULL);
}

/* Creates the schema that the URL names, if needed. */
static enum dbserver_result ensure_schema(struct dbserver *s)
{
	struct dbtext sql = { 0 };
	enum dbserver_result rc;
	int64_t n;

	if (!s->schema)
		return DBSERVER_DONE;
	dbtext_put_string(&sql, "SELECT count(*) FROM pg_namespace WHERE nspname = ");
	dbtext_put_constant(&sql, s->schema);
	rc = dbquery_ask_number(s, &sql, &n);
	return rc != DBSERVER_DONE || n ? rc : dbquery_alone(s, make_schema, NULL);
}

/* ---- connecting and giving up ---- */

static enum dbserver_result connect(struct dbserver *s)
{
	enum dbserver_result rc = s->dialect->connect(s);

	return rc == DBSERVER_DONE ? use_schema(s) : rc;
}

static void say_failed(const struct dbserver *s)
{
	const char *remedy = s->dialect->remedy(s);

	message_error("%s: %s%s%s", s->url, s->error, remedy ? ": " : "", remedy ? remedy : "");
}

static void say_lost(struct dbserver *s)
{
	char line[768];

	if (s->lost_at)
		return;
	s->lost_at = sink_now();
	snprintf(line, sizeof(line), "the database is away (%s); %s", s->error,
		 s->run->spool ? "records wait in the spool" : "waiting for it");
	sink_say(s->url, line);
}

static void say_back(struct dbserver *s)
{
	char line[64];

	snprintf(line, sizeof(line), "the database is back after %d s",
		 (int)(sink_now() - s->lost_at));
	sink_say(s->url, line);
	s->lost_at = s->over_at = 0;
	s->said_full = false;
}

static void say_full(struct dbserver *s)
{
	char line[256];

	if (s->said_full || !s->run->spool || !spool_is_full(s->run->spool))
		return;
	s->said_full = true;
	snprintf(line, sizeof(line),
		 "the spool is full (%" PRIu64 " MB): the run waits for the database, and its "
		 "books count the losses",
		 spool_waiting(s->run->spool) >> 20);
	sink_say(s->url, line);
}

/*
 * Saves the records that the database does not have in a file, or reports how to send the
 * files again.
 */
static void give_up(struct dbserver *s)
{
	const struct raw_resume rest = { .hits = s->mark.hits,
					 .rows = s->mark_row,
					 .check = s->mark_check };
	const struct stp_record heads[] = {
		{ .probe = STP_NO_PROBE, .len = sizeof(rest), .kind = RAW_RESUME },
		{ .probe = s->mark.ring, .kind = RAW_RING },
	};
	char more[sizeof(heads) + sizeof(rest)];
	const char *file;

	s->failed = true;
	say_failed(s);
	if (!s->run->spool) {
		message_error("%s: %" PRIu64
			      " rows are stored; the same command continues after them",
			      s->url, s->stored);
		return;
	}
	memcpy(more, &heads[0], sizeof(heads[0]));
	memcpy(more + sizeof(heads[0]), &rest, sizeof(rest));
	memcpy(more + sizeof(heads[0]) + sizeof(rest), &heads[1], sizeof(heads[1]));
	// If nothing is stored yet, the stream is saved unchanged.
	file = spool_save(s->run->spool, more, s->mark.offset ? sizeof(more) : 0, s->mark.offset);
	if (file)
		message_error("%s: the rest is in %s: stap-merge --to '%s' - < '%s' sends it",
			      s->url, file, s->url, file);
}

/* True: the time to wait for the database is over. */
static bool is_too_long(struct dbserver *s)
{
	if (s->run->spool && !spool_is_over(s->run->spool))
		return false;
	if (!s->over_at)
		s->over_at = sink_now();
	return sink_now() - s->over_at >= (time_t)s->patience;
}

/* Waits for a new connection. False: that took too long. */
static bool reconnect(struct dbserver *s)
{
	unsigned pause = 100;

	say_lost(s);
	for (;;) {
		s->dialect->disconnect(s);
		if (is_too_long(s)) {
			give_up(s);
			return false;
		}
		usleep(pause * 1000);
		pause = pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST;
		say_full(s);
		if (connect(s) == DBSERVER_DONE)
			return true;
	}
}

/*
 * Calls fn until it succeeds. While a stream's records wait, even a refusal is retried:
 * somebody may solve its cause. Files can be sent again instead.
 */
static bool retry(struct dbserver *s, enum dbserver_result (*fn)(struct dbserver *s, void *what),
		  void *what)
{
	enum dbserver_result rc;
	unsigned pause = 100;

	while (!s->failed && (rc = fn(s, what)) != DBSERVER_DONE) {
		if (rc == DBSERVER_REFUSED && (!s->has_records || !s->run->spool)) {
			s->failed = true;
			say_failed(s);
		} else if (!reconnect(s)) {
			break;
		} else {
			usleep(pause * 1000);
			pause = pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST;
		}
	}
	if (!s->failed && s->lost_at)
		say_back(s);
	return !s->failed;
}

/* ---- batches ---- */

static enum dbserver_result load_tables(struct dbserver *s)
{
	enum dbserver_result rc = DBSERVER_DONE;

	for (struct dbserver_table *t = s->tables; rc == DBSERVER_DONE && t; t = t->next)
		if (t->nrows)
			rc = t->rows.no_memory ? dbquery_no_memory(s) : s->dialect->load(s, t);
	return rc;
}

/*
 * Moves the mark in stap_runs past the batch. Sets *moved to false if it was there
 * already. The row is locked from here on: every other reader of it waits for the end of
 * this transaction, even if its connection is gone.
 */
static enum dbserver_result move_mark(struct dbserver *s, bool complete, bool *moved)
{
	struct dbtext sql = { 0 };
	enum dbserver_result rc;
	char text[256];
	int64_t changed = 0, at = 0;

	snprintf(text, sizeof(text),
		 "UPDATE stap_runs SET stored = %" PRIu64 ", stored_check = %" PRId64
		 "%s WHERE run = %" PRId64 " AND stored = %" PRIu64,
		 s->row, (int64_t)s->check, complete ? ", is_complete = true" : "", s->number,
		 s->first - 1);
	rc = s->dialect->run(s, text, NULL, NULL, &changed);
	*moved = changed == 1;
	if (rc != DBSERVER_DONE || changed == 1)
		return rc;
	snprintf(text, sizeof(text), "SELECT stored FROM stap_runs WHERE run = %" PRId64,
		 s->number);
	dbtext_put_string(&sql, text);
	rc = dbquery_ask_number(s, &sql, &at);
	if (rc != DBSERVER_DONE || (uint64_t)at == s->row)
		return rc;
	dbquery_error(s, NULL,
		      "another process writes this run, or its row in stap_runs was changed");
	return DBSERVER_REFUSED;
}

static enum dbserver_result try_batch(struct dbserver *s, void *complete)
{
	enum dbserver_result rc = dbdays_make(s);
	bool moved = false;

	if (rc == DBSERVER_DONE)
		rc = dbquery_run(s, "BEGIN");
	if (rc == DBSERVER_DONE)
		rc = move_mark(s, complete, &moved);
	if (rc == DBSERVER_DONE && moved)
		rc = load_tables(s);
	if (rc == DBSERVER_DONE)
		rc = dbquery_run(s, "COMMIT");
	if (rc == DBSERVER_REFUSED && s->connection) {
		char error[sizeof(s->error)], state[sizeof(s->state)];

		memcpy(error, s->error, sizeof(error));
		memcpy(state, s->state, sizeof(state));
		dbquery_run(s, "ROLLBACK");
		memcpy(s->error, error, sizeof(error));
		memcpy(s->state, state, sizeof(state));
	}
	return rc;
}

static enum dbserver_result send_batch(struct dbserver *s, void *complete)
{
	enum dbserver_result rc = try_batch(s, complete);

	/* No partition fits a row: another host has dropped its day as too old. */
	if (rc != DBSERVER_REFUSED || !s->keep_days || strcmp(s->state, "23514"))
		return rc;
	dbdays_forget(s);
	return try_batch(s, complete);
}

/* Sends the rows so far. complete: these are the last rows. */
static bool flush(struct dbserver *s, bool complete)
{
	static char yes;

	if ((!s->batched && !complete) || s->failed)
		return !s->failed;
	if (!retry(s, send_batch, complete ? &yes : NULL))
		return false;
	s->stored = s->row;
	s->first = s->row + 1;
	s->batched = 0;
	for (struct dbserver_table *t = s->tables; t; t = t->next) {
		t->nrows = 0;
		t->rows.len = 0;
	}
	s->since = sink_now();
	stored_all(s->run->stored);
	if (s->run->spool)
		spool_release(s->run->spool, s->hit.offset);
	return true;
}

static void on_idle(void *ctx)
{
	flush(ctx, false);
}

/* True: the batch is `times` as large as it should be. */
static bool is_large(const struct dbserver *s, unsigned times)
{
	return s->batched >= times * s->dialect->batch_bytes ||
	       s->row - s->first >= times * ROWS_MOST;
}

bool dbserver_row(void *db, void *table, const struct database_value *values)
{
	struct dbserver *s = db;
	struct dbserver_table *t = table;
	size_t before = t->rows.len;

	if (s->failed)
		return false;
	s->dialect->encode(s, t, values);
	if (t->rows.no_memory) {
		message_error("%s: no memory", s->url);
		s->failed = true;
		return false;
	}
	s->row++;
	s->check = dbtext_checksum(s->check, t->rows.s + before, t->rows.len - before);
	if (s->row <= s->stored) {
		t->rows.len = before;
		s->first = s->row + 1;
		if (s->row < s->stored || s->check == s->stored_check)
			return true;
		message_error("%s: run %" PRId64 " has other rows: it was written from other files",
			      s->url, s->number);
		s->failed = true;
		return false;
	}
	if (!s->batched) {
		s->mark = s->hit;
		s->mark_row = s->hit_row;
		s->mark_check = s->hit_check;
	}
	if (dbdays_are_for(s, t))
		dbdays_note(t, values);
	t->nrows++;
	s->batched += t->rows.len - before;
	return !is_large(s, 2) || flush(s, false);
}

bool dbserver_whole(void *db)
{
	struct dbserver *s = db;

	return !(is_large(s, 1) || sink_now() - s->since >= COMMIT_EVERY) || flush(s, false);
}

void dbserver_place(void *db, const struct database_place *p)
{
	struct dbserver *s = db;

	s->hit = *p;
	s->has_records = true;
	s->hit_row = s->row;
	s->hit_check = s->check;
}

void dbserver_resume(void *db, const struct raw_resume *r)
{
	struct dbserver *s = db;

	// The rows so far are those with which every stream begins.
	if (!flush(s, false))
		return;
	s->row = r->rows;
	s->first = s->row + 1;
	s->check = r->check;
	if (s->row <= s->stored)
		return;
	message_error("%s: it has %" PRIu64
		      " rows of this run, but this is the rest after %" PRIu64,
		      s->url, s->stored, r->rows);
	s->failed = true;
}

/* ---- tables, for the sink ---- */

/* Stores the name of a table, or of a column: one that is not taken. */
static void fit_name(const struct dbserver_table *t, unsigned upto, const char *name,
		     char ret[DBSERVER_NAME])
{
	static const char *const taken[] = { "ctid", "xmin", "xmax", "cmin", "cmax", "tableoid" };

	dbtext_fit(name, DBSERVER_NAME, ret);
	for (unsigned i = 0; t && i < sizeof(taken) / sizeof(taken[0]); i++)
		if (!strcmp(ret, taken[i]))
			snprintf(ret, DBSERVER_NAME, "%s_", name);
	for (unsigned i = 0; t && i < upto; i++)
		if (!strcasecmp(ret, t->columns[i].name) && strlen(ret) < DBSERVER_NAME - 2)
			strcat(ret, "_");
}

/* Stores the name of a column of ours: "run", or a name that no other column has. */
static void name_own(const char *own, const struct database_column *columns, unsigned n,
		     char name[DBSERVER_NAME])
{
	strcpy(name, own);
	for (unsigned i = 0; i < n; i++)
		if (!strcasecmp(columns[i].name, name) && strlen(name) < DBSERVER_NAME - 8) {
			memmove(name + 4, name, strlen(name) + 1);
			memcpy(name, "hit_", 4);
			i = 0;
		}
}

/* Puts our own columns first: the run, and the host if tables are partitioned by host. */
static void name_columns(struct dbserver *s, struct dbserver_table *t,
			 const struct database_column *columns, unsigned n)
{
	unsigned at = 0;

	while (at < n && columns[at].type != DATABASE_INSTANT)
		at++;
	t->nown = s->keep_days && at < n ? 2 : 1;
	t->at = at < n ? t->nown + at : 0;
	t->ncolumns = t->nown + n;
	name_own("run", columns, n, t->columns[0].name);
	t->columns[0].type = DATABASE_INT64;
	if (t->nown > 1) {
		name_own("host", columns, n, t->columns[1].name);
		t->columns[1].type = DATABASE_NAME;
	}
	for (unsigned i = 0; i < n; i++) {
		struct dbserver_column *c = &t->columns[t->nown + i];

		fit_name(t, t->nown + i, columns[i].name, c->name);
		c->type = columns[i].type;
		c->is_indexed = columns[i].is_indexed;
	}
}

static enum dbserver_result ensure_alone(struct dbserver *s, void *table)
{
	return dbquery_alone(s, ensure_table, table);
}

void *dbserver_table(void *db, const char *name, const struct database_column *columns, unsigned n)
{
	struct dbserver *s = db;
	struct dbserver_table *t = calloc(1, sizeof(*t));

	if (t)
		t->columns = calloc(n + 2, sizeof(*t->columns));
	if (!t || !t->columns) {
		message_error("%s: no memory", s->url);
		free(t);
		return NULL;
	}
	fit_name(NULL, 0, name, t->name);
	name_columns(s, t, columns, n);
	t->next = s->tables;
	s->tables = t;
	return retry(s, ensure_alone, t) ? t : NULL;
}

/* ---- the beginning and the end ---- */

static enum dbserver_result open_run(struct dbserver *s)
{
	struct found_run found;
	enum dbserver_result rc = connect(s);

	s->was_there |= rc == DBSERVER_DONE;
	if (rc == DBSERVER_DONE)
		rc = ensure_schema(s);
	if (rc == DBSERVER_DONE)
		rc = ensure_runs(s);
	if (rc == DBSERVER_DONE)
		rc = find_run(s, &found);
	if (rc != DBSERVER_DONE)
		return rc;
	s->number = found.number;
	s->stored = found.stored;
	s->stored_check = found.check;
	if (!found.is_complete)
		return found.number < 0 ? dbquery_no_memory(s) : DBSERVER_DONE;
	snprintf(s->error, sizeof(s->error), "the run is there already, complete: run %" PRId64,
		 found.number);
	*s->state = 0;
	return DBSERVER_REFUSED;
}

static void free_all(struct dbserver *s)
{
	struct dbserver_table *next;

	for (struct dbserver_table *t = s->tables; t; t = next) {
		next = t->next;
		free(t->rows.s);
		dbdays_free(t);
		free(t->columns);
		free(t);
	}
	if (s->password)
		memset(s->password, 0, strlen(s->password));
	free(s->password);
	free(s->url);
	free(s->where);
	free(s->schema);
	free((void *)(uintptr_t)s->run);
	free(s);
}

static struct dbserver *create(const struct dbserver_dialect *d, const struct database_run *run)
{
	struct dbserver *s = calloc(1, sizeof(*s));
	struct database_run *copy = malloc(sizeof(*copy));

	if (!s || !copy) {
		message_error("no memory");
		free(s);
		free(copy);
		return NULL;
	}
	*copy = *run;
	s->run = copy;
	s->dialect = d;
	s->first = 1;
	s->since = sink_now();
	return s;
}

void *dbserver_open(const struct dbserver_dialect *d, const char *where,
		    const struct database_run *run_of)
{
	struct dbserver *s = create(d, run_of);
	enum dbserver_result rc;
	unsigned tries = 100;

	if (!s)
		return NULL;
	if (!serverurl_parse(s, where)) {
		free_all(s);
		return NULL;
	}
	// Retry a server that answered once and then went away.
	while ((rc = open_run(s)) == DBSERVER_AWAY && s->was_there && tries--) {
		d->disconnect(s);
		usleep(PAUSE_MOST * 50);
	}
	if (rc == DBSERVER_DONE) {
		if (s->run->spool)
			spool_on_idle(s->run->spool, on_idle, s);
		return s;
	}
	say_failed(s);
	d->disconnect(s);
	free_all(s);
	return NULL;
}

bool dbserver_close(void *db, enum database_end end)
{
	struct dbserver *s = db;
	bool ok = end != DATABASE_DROPPED && flush(s, end == DATABASE_WHOLE);

	s->dialect->disconnect(s);
	free_all(s);
	return ok;
}
