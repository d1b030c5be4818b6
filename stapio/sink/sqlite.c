/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to sqlite:FILE. A table for each print of the script, with a column for each field
 * behind hit, time, cpu, probe, pid and tid; beside them stap_trace, stap_probes,
 * stap_messages, stap_books and stap_skipped. Tables are made when their first row comes.
 *
 * A process that is killed leaves what was committed: the write-ahead log is not synced
 * with the disk, but never ahead of itself.
 */
#include "stapio/sink/sink.h"

#include "stapio/messages.h"

#ifdef HAVE_SQLITE

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "stapio/books.h"
#include "stapio/dictionary.h"
#include "stapio/json.h"
#include "stapio/sink/database.h"

struct sqlite {
	struct database db;
	const struct sink_trace *trace;
	sqlite3_stmt **sites; /* one for each, or NULL: it has no table yet */
	sqlite3_stmt *message, *bucket;
};

/* ---- the tables of sites ---- */

static const char *const own[] = { "hit", "time", "cpu", "probe", "pid", "tid" };

#define OWN (sizeof(own) / sizeof(own[0]))

static bool has_field(const struct site *s, const char *name)
{
	for (uint32_t i = 0; i < s->nfields; i++)
		if (!strcasecmp(s->fields[i].name, name))
			return true;
	return false;
}

/* A column that the script has a field for has "hit_" in front. */
static void add_own(sqlite3_str *sql, const struct site *s)
{
	for (size_t i = 0; i < OWN; i++) {
		char name[80];
		int n = snprintf(name, sizeof(name), "%s", own[i]);

		while (has_field(s, name) && n < 60) {
			memmove(name + 4, name, (size_t)n + 1);
			memcpy(name, "hit_", 4);
			n += 4;
		}
		sqlite3_str_appendf(sql, "%s\"%s\" INTEGER", i ? "," : "", name);
	}
}

/* Returns the table's name: those of the library and ours are not the script's. */
static const char *prefix_of(const struct site *s)
{
	return strncasecmp(s->name, "stap_", 5) && strncasecmp(s->name, "sqlite_", 7) ? ""
										       : "print_";
}

static bool make_table(struct sqlite *q, const struct site *s, const char *table)
{
	static const char *const types[FIELD_TYPES] = {
		[FIELD_SIGNED] = "INTEGER", [FIELD_UNSIGNED] = "INTEGER",
		[FIELD_STRING] = "TEXT",    [FIELD_BYTES] = "BLOB",
	};
	sqlite3_str *sql = sqlite3_str_new(q->db.db);

	sqlite3_str_appendf(sql, "CREATE TABLE \"%s\"(", table);
	add_own(sql, s);
	for (uint32_t i = 0; i < s->nfields; i++)
		sqlite3_str_appendf(sql, ",\"%s\" %s", s->fields[i].name,
				    types[s->fields[i].type]);
	sqlite3_str_appendall(sql, ")");
	return database_run_made(&q->db, sql);
}

static bool open_site(struct sqlite *q, const struct item *i)
{
	char table[96];

	snprintf(table, sizeof(table), "%s%s", prefix_of(i->site), i->site->name);
	return make_table(q, i->site, table) &&
	       database_prepare_insert(&q->db, table, (unsigned)OWN + i->site->nfields,
				       &q->sites[i->index]);
}

/* ---- rows ---- */

static void bind_hit(struct sqlite *q, sqlite3_stmt *s, const struct sink_hit *h)
{
	sqlite3_bind_int64(s, 1, (sqlite3_int64)h->hit);
	sqlite3_bind_int64(s, 2, (sqlite3_int64)h->time);
	if (h->ring + 1 < q->trace->nrings)
		sqlite3_bind_int64(s, 3, h->ring);
	else
		sqlite3_bind_null(s, 3);
	if (h->probe < q->trace->tables->probes.count)
		sqlite3_bind_int64(s, 4, h->probe);
	else
		sqlite3_bind_null(s, 4);
	if (h->has_task) {
		sqlite3_bind_int64(s, 5, h->pid);
		sqlite3_bind_int64(s, 6, h->tid);
	} else {
		sqlite3_bind_null(s, 5);
		sqlite3_bind_null(s, 6);
	}
}

static bool sqlite_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	struct sqlite *q = sink;
	sqlite3_stmt *s;

	if (!q->sites[i->index] && !open_site(q, i))
		return false;
	s = q->sites[i->index];
	bind_hit(q, s, h);
	for (uint32_t k = 0; k < i->site->nfields; k++) {
		const struct value *v = &i->values[k];
		int at = (int)(OWN + k + 1);

		if (i->site->fields[k].type == FIELD_STRING)
			sqlite3_bind_text(s, at, v->s, (int)v->len, SQLITE_STATIC);
		else if (i->site->fields[k].type == FIELD_BYTES)
			sqlite3_bind_blob(s, at, v->s, (int)v->len, SQLITE_STATIC);
		else
			sqlite3_bind_int64(s, at, v->number);
	}
	return database_step(&q->db, s);
}

static bool sqlite_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind,
			const char *text, size_t len)
{
	struct sqlite *q = sink;

	bind_hit(q, q->message, h);
	sqlite3_bind_text(q->message, 7, json_kind_name(kind), -1, SQLITE_STATIC);
	sqlite3_bind_text(q->message, 8, text, (int)len, SQLITE_STATIC);
	return database_step(&q->db, q->message);
}

static void bind_bound(sqlite3_stmt *s, int at, bool has, int64_t bound)
{
	if (has)
		sqlite3_bind_int64(s, at, bound);
	else
		sqlite3_bind_null(s, at);
}

/* Puts a row for each bucket with a count, the aggregate's numbers in each. */
static bool sqlite_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	struct sqlite *q = sink;
	const struct stp_hist_item *n = &g->head;
	bool ok = true;

	for (uint32_t i = 0; ok && i < n->shown; i++) {
		struct histogram_bucket b = fields_bucket(g, i);

		if (!b.count)
			continue;
		bind_hit(q, q->bucket, h);
		sqlite3_bind_text(q->bucket, 7, g->name, -1, SQLITE_STATIC);
		sqlite3_bind_int64(q->bucket, 8, n->count);
		bind_bound(q->bucket, 9, n->keeps & STP_KEEP_SUM, n->sum);
		bind_bound(q->bucket, 10, n->keeps & STP_KEEP_MIN, n->min);
		bind_bound(q->bucket, 11, n->keeps & STP_KEEP_MAX, n->max);
		bind_bound(q->bucket, 12, b.has_low, b.low);
		bind_bound(q->bucket, 13, b.has_high, b.high);
		sqlite3_bind_int64(q->bucket, 14, (sqlite3_int64)b.count);
		ok = database_step(&q->db, q->bucket);
	}
	return ok;
}

/* ---- the beginning ---- */

static bool put_trace(struct sqlite *q)
{
	const struct sink_trace *t = q->trace;
	sqlite3_stmt *s = NULL;
	bool ok = database_prepare_insert(&q->db, "stap_trace", 4, &s);

	if (ok) {
		sqlite3_bind_text(s, 1, t->module, -1, SQLITE_STATIC);
		sqlite3_bind_text(s, 2, t->host, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 3, (sqlite3_int64)t->monotonic);
		sqlite3_bind_int64(s, 4, (sqlite3_int64)t->realtime);
		ok = database_step(&q->db, s);
	}
	sqlite3_finalize(s);
	return ok;
}

static bool put_probes(struct sqlite *q)
{
	const struct table *t = &q->trace->tables->probes;
	sqlite3_stmt *s = NULL;
	bool ok = database_prepare_insert(&q->db, "stap_probes", 2, &s);

	for (uint32_t i = 0; ok && i < t->count; i++) {
		sqlite3_bind_int64(s, 1, i);
		sqlite3_bind_text(s, 2, t->rows[i].text, (int)t->rows[i].len, SQLITE_STATIC);
		ok = database_step(&q->db, s);
	}
	sqlite3_finalize(s);
	return ok;
}

static bool begin(struct sqlite *q)
{
	static const char sql[] =
		"CREATE TABLE stap_trace(module TEXT, host TEXT, time INTEGER, realtime INTEGER);"
		"CREATE TABLE stap_probes(probe INTEGER PRIMARY KEY, point TEXT);"
		"CREATE TABLE stap_messages(hit INTEGER, time INTEGER, cpu INTEGER, probe INTEGER,"
		" pid INTEGER, tid INTEGER, kind TEXT, text TEXT);"
		"CREATE TABLE stap_histograms(hit INTEGER, time INTEGER, cpu INTEGER,"
		" probe INTEGER, pid INTEGER, tid INTEGER, site TEXT, count INTEGER, sum INTEGER,"
		" min INTEGER, max INTEGER, low INTEGER, high INTEGER, n INTEGER);"
		"CREATE TABLE stap_books(probe INTEGER, cpu TEXT, hits INTEGER, delivered INTEGER,"
		" dropped INTEGER, skipped INTEGER);"
		"CREATE TABLE stap_skipped(reason TEXT, hits INTEGER)";

	return database_run(&q->db, sql) && put_trace(q) && put_probes(q) &&
	       database_prepare_insert(&q->db, "stap_messages", 8, &q->message) &&
	       database_prepare_insert(&q->db, "stap_histograms", 14, &q->bucket);
}

static bool sqlite_close(void *sink);

static void *sqlite_open(const char *where, const struct sink_trace *t)
{
	struct sqlite *q = calloc(1, sizeof(*q));

	if (!q)
		return NULL;
	q->trace = t;
	q->sites = calloc(t->tables->formats.count + 1u, sizeof(sqlite3_stmt *));
	if (database_open(&q->db, where, DATABASE_LIVE) && q->sites && begin(q))
		return q;
	sqlite_close(q);
	return NULL;
}

/* ---- the end ---- */

static bool put_rows(struct sqlite *q, const struct books *b, sqlite3_stmt *s)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < b->nrows; i++) {
		const struct book_row *r = &b->rows[i];

		sqlite3_bind_int64(s, 1, r->probe);
		sqlite3_bind_text(s, 2, r->cpu, -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 3, (sqlite3_int64)r->book.hits);
		sqlite3_bind_int64(s, 4, (sqlite3_int64)r->book.delivered);
		sqlite3_bind_int64(s, 5, (sqlite3_int64)r->book.dropped);
		sqlite3_bind_int64(s, 6, (sqlite3_int64)r->book.skipped);
		ok = database_step(&q->db, s);
	}
	return ok;
}

static bool put_reasons(struct sqlite *q, const struct books *b, sqlite3_stmt *s)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < STP_SKIP_COUNT; i++) {
		if (!b->reasons[i])
			continue;
		sqlite3_bind_text(s, 1, books_reason(i), -1, SQLITE_STATIC);
		sqlite3_bind_int64(s, 2, (sqlite3_int64)b->reasons[i]);
		ok = database_step(&q->db, s);
	}
	return ok;
}

static bool sqlite_books(void *sink, const struct books *b)
{
	struct sqlite *q = sink;
	sqlite3_stmt *rows = NULL, *reasons = NULL;
	bool ok = database_prepare_insert(&q->db, "stap_books", 6, &rows) &&
		  put_rows(q, b, rows) &&
		  database_prepare_insert(&q->db, "stap_skipped", 2, &reasons) &&
		  put_reasons(q, b, reasons);

	sqlite3_finalize(rows);
	sqlite3_finalize(reasons);
	return ok;
}

static bool sqlite_close(void *sink)
{
	struct sqlite *q = sink;
	bool ok;

	for (uint32_t i = 0; q->sites && i < q->trace->tables->formats.count; i++)
		sqlite3_finalize(q->sites[i]);
	sqlite3_finalize(q->message);
	sqlite3_finalize(q->bucket);
	ok = database_close(&q->db, true);
	free(q->sites);
	free(q);
	return ok;
}

#else

static void *sqlite_open(const char *where, const struct sink_trace *t)
{
	message_error("--to sqlite: this stap was built without libsqlite3; with its headers "
		      "(Debian: libsqlite3-dev, Fedora: sqlite-devel) make builds it in");
	return NULL;
}

static bool sqlite_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	return false;
}

static bool sqlite_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind,
			const char *s, size_t len)
{
	return false;
}

static bool sqlite_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	return false;
}

static bool sqlite_books(void *sink, const struct books *b)
{
	return false;
}

static bool sqlite_close(void *sink)
{
	return false;
}

#endif

const struct sink_ops sink_sqlite = {
	.open = sqlite_open,
	.item = sqlite_item,
	.text = sqlite_text,
	.histogram = sqlite_histogram,
	.books = sqlite_books,
	.close = sqlite_close,
};
