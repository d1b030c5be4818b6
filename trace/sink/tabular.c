/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See tabular.h. */
#include "trace/sink/tabular.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/books.h"
#include "trace/dictionary.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/sink/database.h"

#define NAME_ROOM 96

struct tabular {
	struct database db;
	const struct sink_trace *trace;
	void **sites; /* one for each, or NULL: it has no table yet */
	void *messages, *buckets;
	unsigned nown; /* columns that all rows of hits have */
	uint64_t hit;  /* that the database knows */
	struct database_value *row;
	bool has_books;
};

#define NUMBER(n)	   ((struct database_value){ .number = (int64_t)(n) })
#define NUMBER_IF(has, n)  ((struct database_value){ .is_null = !(has), .number = (int64_t)(n) })
#define TEXT(text, length) ((struct database_value){ .s = (text), .len = (uint32_t)(length) })
#define STRING(text)	   TEXT(text, strlen(text))
#define COUNT(array)	   ((unsigned)(sizeof(array) / sizeof((array)[0])))

/* ---- the tables of sites ---- */

static const struct own_column {
	struct database_column column;
	bool in_shared; /* databases only */
} own[] = {
	{ { "hit", DATABASE_INT64, false }, false },   { { "time", DATABASE_INT64, false }, false },
	{ { "at", DATABASE_INSTANT, true }, true },    { { "cpu", DATABASE_INT64, false }, false },
	{ { "probe", DATABASE_INT64, false }, false }, { { "pid", DATABASE_INT64, true }, false },
	{ { "tid", DATABASE_INT64, false }, false },
};

static bool has_field(const struct site *s, const char *name)
{
	for (uint32_t i = 0; s && i < s->nfields; i++)
		if (!strcasecmp(s->fields[i].name, name))
			return true;
	return false;
}

/*
 * Stores a column's name, with "hit_" before it if a field of the script has this name.
 */
static const char *own_name(const struct site *s, const char *name, char ret[NAME_ROOM])
{
	int n = snprintf(ret, NAME_ROOM, "%s", name);

	while (has_field(s, ret) && n < NAME_ROOM - 8) {
		memmove(ret + 4, ret, (size_t)n + 1);
		memcpy(ret, "hit_", 4);
		n += 4;
	}
	return ret;
}

/* Stores the first columns, which all rows of hits have. Returns their number. */
static unsigned add_own(const struct tabular *q, const struct site *s,
			struct database_column *columns, char names[][NAME_ROOM])
{
	bool shared = q->db.ops->is_shared;
	unsigned n = 0;

	for (unsigned i = 0; i < COUNT(own); i++) {
		if (own[i].in_shared && !shared)
			continue;
		columns[n] = own[i].column;
		columns[n].name = own_name(s, own[i].column.name, names[n]);
		columns[n].is_indexed &= shared;
		n++;
	}
	return n;
}

/*
 * Returns the table's name: names that the library or stap itself uses are not available
 * to the script.
 */
static const char *prefix_of(const struct site *s)
{
	return strncasecmp(s->name, "stap_", 5) && strncasecmp(s->name, "sqlite_", 7) ? ""
										      : "print_";
}

static bool open_site(struct tabular *q, const struct site *s, uint32_t index)
{
	static const enum database_type types[FIELD_TYPES] = {
		[FIELD_SIGNED] = DATABASE_INT64,
		[FIELD_UNSIGNED] = DATABASE_INT64,
		[FIELD_STRING] = DATABASE_TEXT,
		[FIELD_BYTES] = DATABASE_BYTES,
	};
	struct database_column *columns = calloc(COUNT(own) + s->nfields, sizeof(*columns));
	char names[COUNT(own)][NAME_ROOM], *table = NULL;
	unsigned n = columns ? add_own(q, s, columns, names) : 0;

	for (uint32_t i = 0; columns && i < s->nfields; i++)
		columns[n++] = (struct database_column){ s->fields[i].name,
							 types[s->fields[i].type], false };
	if (columns && asprintf(&table, "%s%s", prefix_of(s), s->name) >= 0)
		q->sites[index] = database_table(&q->db, table, columns, n);
	free(table);
	free(columns);
	return q->sites[index];
}

static bool open_sites(struct tabular *q)
{
	const struct fields *f = q->trace->fields;

	for (uint32_t i = 0; i < f->nsites; i++)
		if (f->sites[i].nfields && !open_site(q, &f->sites[i], i))
			return false;
	return true;
}

/* ---- rows ---- */

static void place(struct tabular *q, const struct sink_hit *h)
{
	const struct database_place p = { .offset = h->at, .hits = h->hit - 1, .ring = h->ring };

	q->hit = h->hit;
	q->db.ops->place(q->db.own, &p);
}

/* Begins a row. Returns the place of the next value. */
static struct database_value *begin_row(struct tabular *q, const struct sink_hit *h)
{
	struct database_value *v = q->row;

	if (q->hit != h->hit && q->db.ops->place)
		place(q, h);
	*v++ = NUMBER(h->hit);
	*v++ = NUMBER(h->time);
	if (q->db.ops->is_shared)
		*v++ = NUMBER(sink_realtime(q->trace, h->time));
	*v++ = NUMBER_IF(h->ring + 1 < q->trace->nrings, h->ring);
	*v++ = NUMBER_IF(h->probe < q->trace->tables->probes.count, h->probe);
	*v++ = NUMBER_IF(h->has_task, h->pid);
	*v++ = NUMBER_IF(h->has_task, h->tid);
	return v;
}

bool tabular_item(void *sink, const struct sink_hit *h, const struct item *i)
{
	struct tabular *q = sink;
	struct database_value *v;

	if (!q->sites[i->index] && !open_site(q, i->site, i->index))
		return false;
	v = begin_row(q, h);
	for (uint32_t k = 0; k < i->site->nfields; k++, v++)
		*v = (struct database_value){ .number = i->values[k].number,
					      .s = i->values[k].s,
					      .len = i->values[k].len };
	return database_row(&q->db, q->sites[i->index], q->row);
}

bool tabular_text(void *sink, const struct sink_hit *h, enum stp_record_kind kind, const char *s,
		  size_t len)
{
	struct tabular *q = sink;
	struct database_value *v = begin_row(q, h);

	*v++ = STRING(json_kind_name(kind));
	*v++ = TEXT(s, len);
	return database_row(&q->db, q->messages, q->row);
}

/* Puts a row for each bucket that is not empty; each row has the aggregate's numbers. */
bool tabular_histogram(void *sink, const struct sink_hit *h, const struct histogram *g)
{
	struct tabular *q = sink;
	const struct stp_hist_item *n = &g->head;
	bool ok = true;

	for (uint32_t i = 0; ok && i < n->shown; i++) {
		struct histogram_bucket b = fields_bucket(g, i);
		struct database_value *v;

		if (!b.count)
			continue;
		v = begin_row(q, h);
		*v++ = STRING(g->name);
		*v++ = NUMBER(n->count);
		*v++ = NUMBER_IF(n->keeps & STP_KEEP_SUM, n->sum);
		*v++ = NUMBER_IF(n->keeps & STP_KEEP_MIN, n->min);
		*v++ = NUMBER_IF(n->keeps & STP_KEEP_MAX, n->max);
		*v++ = NUMBER_IF(b.has_low, b.low);
		*v++ = NUMBER_IF(b.has_high, b.high);
		*v++ = NUMBER(b.count);
		ok = database_row(&q->db, q->buckets, q->row);
	}
	return ok;
}

bool tabular_whole(void *sink, const struct sink_hit *h)
{
	struct tabular *q = sink;

	return database_whole(&q->db);
}

/* ---- the beginning ---- */

static bool put_trace(struct tabular *q)
{
	static const struct database_column columns[] = {
		{ .name = "module", .type = DATABASE_TEXT },
		{ .name = "host", .type = DATABASE_TEXT },
		{ .name = "time", .type = DATABASE_INT64 },
		{ .name = "realtime", .type = DATABASE_INT64 },
	};
	const struct sink_trace *t = q->trace;
	const struct database_value values[] = { STRING(t->module), STRING(t->host),
						 NUMBER(t->monotonic), NUMBER(t->realtime) };
	void *table = database_table(&q->db, "stap_trace", columns, COUNT(columns));

	return table && database_row(&q->db, table, values);
}

static bool put_probes(struct tabular *q)
{
	static const struct database_column columns[] = {
		{ .name = "probe", .type = DATABASE_INT64 },
		{ .name = "point", .type = DATABASE_TEXT },
	};
	const struct table *t = &q->trace->tables->probes;
	void *table = database_table(&q->db, "stap_probes", columns, COUNT(columns));
	bool ok = table;

	for (uint32_t i = 0; ok && i < t->count; i++) {
		const struct database_value values[] = { NUMBER(i),
							 TEXT(t->rows[i].text, t->rows[i].len) };

		ok = database_row(&q->db, table, values);
	}
	return ok;
}

/* Makes a table of hits with more columns than their own. */
static void *table_of_hits(struct tabular *q, const char *name, const struct database_column *more,
			   unsigned nmore)
{
	struct database_column columns[COUNT(own) + 8];
	char names[COUNT(own)][NAME_ROOM];

	q->nown = add_own(q, NULL, columns, names);
	memcpy(columns + q->nown, more, nmore * sizeof(*more));
	return database_table(&q->db, name, columns, q->nown + nmore);
}

static bool begin(struct tabular *q)
{
	static const struct database_column of_messages[] = {
		{ .name = "kind", .type = DATABASE_TEXT },
		{ .name = "text", .type = DATABASE_TEXT },
	};
	static const struct database_column of_buckets[] = {
		{ .name = "site", .type = DATABASE_TEXT },
		{ .name = "count", .type = DATABASE_INT64 },
		{ .name = "sum", .type = DATABASE_INT64 },
		{ .name = "min", .type = DATABASE_INT64 },
		{ .name = "max", .type = DATABASE_INT64 },
		{ .name = "low", .type = DATABASE_INT64 },
		{ .name = "high", .type = DATABASE_INT64 },
		{ .name = "n", .type = DATABASE_INT64 },
	};
	_Static_assert(COUNT(of_buckets) <= 8, "table_of_hits() has room for as many");

	if ((!q->db.ops->is_shared && !put_trace(q)) || !put_probes(q))
		return false;
	q->messages = table_of_hits(q, "stap_messages", of_messages, COUNT(of_messages));
	if (q->messages)
		q->buckets = table_of_hits(q, "stap_histograms", of_buckets, COUNT(of_buckets));
	return q->messages && q->buckets && (!q->db.ops->is_shared || open_sites(q));
}

/* Returns how many values the longest row of a hit has. */
static size_t longest_row(const struct fields *f)
{
	size_t most = 8;

	for (uint32_t i = 0; i < f->nsites; i++)
		if (f->sites[i].nfields > most)
			most = f->sites[i].nfields;
	return COUNT(own) + most;
}

void *tabular_open(const struct database_ops *ops, const char *where, const struct sink_trace *t)
{
	const struct database_run run = { .module = t->module,
					  .host = t->host,
					  .time = t->monotonic,
					  .realtime = t->realtime,
					  .spool = t->spool,
					  .stored = t->stored };
	struct tabular *q = calloc(1, sizeof(*q));

	if (q) {
		q->trace = t;
		q->db.ops = ops;
		q->sites = calloc(t->tables->formats.count + 1u, sizeof(void *));
		q->row = calloc(longest_row(t->fields), sizeof(*q->row));
	}
	if (!q || !q->sites || !q->row)
		message_error("no memory");
	else
		q->db.own = database_begin(ops, where, &run);
	if (q && q->db.own && begin(q))
		return q;
	if (q)
		tabular_close(q);
	return NULL;
}

void tabular_resume(void *sink, const struct raw_resume *r)
{
	struct tabular *q = sink;

	if (q->db.ops->resume)
		q->db.ops->resume(q->db.own, r);
}

/* ---- the end ---- */

static bool put_rows(struct tabular *q, const struct books *b)
{
	static const struct database_column columns[] = {
		{ .name = "probe", .type = DATABASE_INT64 },
		{ .name = "cpu", .type = DATABASE_TEXT },
		{ .name = "hits", .type = DATABASE_INT64 },
		{ .name = "delivered", .type = DATABASE_INT64 },
		{ .name = "dropped", .type = DATABASE_INT64 },
		{ .name = "skipped", .type = DATABASE_INT64 },
	};
	void *table = database_table(&q->db, "stap_books", columns, COUNT(columns));
	bool ok = table;

	for (uint32_t i = 0; ok && i < b->nrows; i++) {
		const struct book_row *r = &b->rows[i];
		const struct database_value values[] = {
			NUMBER(r->probe),	   STRING(r->cpu),	    NUMBER(r->book.hits),
			NUMBER(r->book.delivered), NUMBER(r->book.dropped), NUMBER(r->book.skipped),
		};

		ok = database_row(&q->db, table, values);
	}
	return ok;
}

static bool put_reasons(struct tabular *q, const struct books *b)
{
	static const struct database_column columns[] = {
		{ .name = "reason", .type = DATABASE_TEXT },
		{ .name = "hits", .type = DATABASE_INT64 },
	};
	void *table = database_table(&q->db, "stap_skipped", columns, COUNT(columns));
	bool ok = table;

	for (unsigned i = 0; ok && i < STP_SKIP_COUNT; i++) {
		const struct database_value values[] = { STRING(books_reason_word(i)),
							 NUMBER(b->reasons[i]) };

		ok = !b->reasons[i] || database_row(&q->db, table, values);
	}
	return ok;
}

bool tabular_books(void *sink, const struct books *b)
{
	struct tabular *q = sink;

	q->has_books = put_rows(q, b) && put_reasons(q, b);
	return q->has_books;
}

bool tabular_close(void *sink)
{
	struct tabular *q = sink;
	bool ok = database_close(&q->db, q->has_books ? DATABASE_WHOLE : DATABASE_PART);

	free(q->sites);
	free(q->row);
	free(q);
	return ok;
}
