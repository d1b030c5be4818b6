/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a database as the program of 2007 did, into a file DBYYYYMMDDhhmmss.db of SQLite:
 *
 *   trace_header  one row                       appNameMap  pid, pname
 *   table_desc    table_name, table_desc        loss        the books: hits of each probe
 *   GROUP_HOOK    a row an event: groupid, hookid, usec (relative), thread_id, process_id,
 *                 parentprocess_id, cpu_id, of returns entry_usec, then the fields
 */
#define _GNU_SOURCE /* tdestroy */
#include "lket/convert.h"

#include "stapio/messages.h"

#ifndef HAVE_SQLITE

static bool begin(struct convert *c, void **ret)
{
	message_error("-m option is not supported since lket-b2a is not compiled with SQLite "
		      "(libsqlite3-dev, sqlite-devel)");
	return false;
}

const struct form_ops sqlite_form = { .begin = begin };

#else

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stapio/books.h"
#include "stapio/sink/database.h"

#define COMMON 7 /* columns that all events have */

/* A hook's table. */
struct event_table {
	sqlite3_stmt *insert;
	unsigned nown, nuser;
	bool has_entry;
};

/* When the entry of a call was, of a thread that is in it. */
struct call {
	uint64_t key; /* thread, group, hook of the entry */
	uint64_t usec;
};

struct sqlite {
	struct database db;
	char name[32];
	struct event_table *tables[256][256];
	void *entries; /* of tsearch(3) */
	bool failed;
};

static bool no_memory(struct sqlite *s)
{
	message_error("%s: no memory", s->name);
	return false;
}

static bool put_header(struct convert *c, struct sqlite *s)
{
	const struct trace_header *h = &c->header;
	sqlite3_str *text = sqlite3_str_new(s->db.db);

	sqlite3_str_appendf(text,
			    "CREATE TABLE trace_header (Major_Ver TINYINT, Minor_Ver TINYINT, "
			    "Big_Endian TINYINT, Timing_Method varchar(20), Bits_Width TINYINT);"
			    "CREATE TABLE appNameMap (pid INT, pname varchar(20));"
			    "CREATE TABLE table_desc (table_name varchar(6), table_desc varchar(32));"
			    "CREATE TABLE loss (probe TEXT, hits BIGINT, delivered BIGINT, "
			    "dropped BIGINT, skipped BIGINT);"
			    "INSERT INTO trace_header VALUES (%u, %u, %d, %Q, %u);",
			    h->major, h->minor, h->big_endian,
			    h->timing == 1   ? "get_cycles"
			    : h->timing == 3 ? "sched_clock"
					     : "do_gettimeofday",
			    h->width);
	return database_run_made(&s->db, text);
}

static bool begin(struct convert *c, void **ret)
{
	struct sqlite *s = calloc(1, sizeof(*s));
	time_t now = time(NULL);
	struct tm tm;

	if (!s || !localtime_r(&now, &tm)) {
		message_error("no memory");
		free(s);
		return false;
	}
	*ret = s;
	strftime(s->name, sizeof(s->name), "DB%Y%m%d%H%M%S.db", &tm);
	s->failed = !database_open(&s->db, s->name, DATABASE_ONCE) || !put_header(c, s);
	return !s->failed;
}

/* ---- tables ---- */

static const char *column_type(enum event_type type)
{
	static const char *const types[] = {
		[EVENT_INT8] = "TINYINT", [EVENT_INT16] = "SMALLINT",	  [EVENT_INT32] = "INT",
		[EVENT_INT64] = "BIGINT", [EVENT_STRING] = "VARCHAR(20)",
	};
	_Static_assert(sizeof(types) / sizeof(types[0]) == EVENT_TYPES, "a row for every type");

	return types[type];
}

/* Adds a field's column. Two of one name would be refused: the second gets its number. */
static void add_column(sqlite3_str *sql, const struct registry_hook *h, const struct event *e,
		       unsigned i)
{
	static const char *const common[] = { "groupid",    "hookid",		"usec",
					      "thread_id",  "process_id",	"parentprocess_id",
					      "cpu_id",	    "entry_usec" };
	const struct registry_fields *of = i < e->nown ? &h->own : &h->user;
	unsigned n = i < e->nown ? i : i - e->nown;
	const char *name = of->known && n < of->count ? of->names[n] : "arg";
	bool plain = of->known && n < of->count && *name;

	for (unsigned k = 0; plain && k < sizeof(common) / sizeof(common[0]); k++)
		plain = sqlite3_stricmp(name, common[k]);
	for (unsigned k = 0; plain && k < i; k++) {
		const struct registry_fields *other = k < e->nown ? &h->own : &h->user;
		unsigned at = k < e->nown ? k : k - e->nown;

		plain = !other->known || at >= other->count ||
			sqlite3_stricmp(name, other->names[at]);
	}
	if (plain)
		sqlite3_str_appendf(sql, ", \"%w\" %s", name, column_type(e->fields[i].type));
	else
		sqlite3_str_appendf(sql, ", \"%w %u\" %s", name, i + 1,
				    column_type(e->fields[i].type));
}

static bool make_table(struct sqlite *s, const struct registry_hook *h, const struct event *e,
		       bool has_entry)
{
	sqlite3_str *sql = sqlite3_str_new(s->db.db);

	sqlite3_str_appendf(sql,
			    "CREATE TABLE \"%u_%u\" (groupid TINYINT, hookid TINYINT, usec BIGINT, "
			    "thread_id INT, process_id INT, parentprocess_id INT, cpu_id TINYINT%s",
			    e->group, e->hook, has_entry ? ", entry_usec BIGINT" : "");
	for (unsigned i = 0; i < e->nfields; i++)
		add_column(sql, h, e, i);
	sqlite3_str_appendf(sql, "); INSERT INTO table_desc VALUES ('%u_%u', %Q);", e->group,
			    e->hook, h->name ? h->name : "");
	return database_run_made(&s->db, sql);
}

static bool prepare(struct sqlite *s, struct event_table *t, const struct event *e)
{
	char name[16];

	snprintf(name, sizeof(name), "%u_%u", e->group, e->hook);
	return database_prepare_insert(&s->db, name, COMMON + t->has_entry + e->nfields,
				       &t->insert);
}

/* Returns the hook's table, which the first event makes. NULL after reporting why not. */
static struct event_table *table_of(struct sqlite *s, const struct registry_hook *h,
				    const struct event *e)
{
	struct event_table **t = &s->tables[e->group][e->hook];
	size_t len = h->name ? strlen(h->name) : 0;

	if (*t)
		return *t;
	*t = calloc(1, sizeof(**t));
	if (!*t)
		return no_memory(s) ? *t : NULL;
	(*t)->nown = e->nown;
	(*t)->nuser = e->nfields - e->nown;
	(*t)->has_entry = len > 7 && !strcmp(h->name + len - 7, ".return");
	return make_table(s, h, e, (*t)->has_entry) && prepare(s, *t, e) ? *t : NULL;
}

/* ---- entries and returns ---- */

static int compare_entries(const void *a, const void *b)
{
	const struct call *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static uint64_t entry_key(const struct event *e, unsigned hook)
{
	return (uint64_t)(uint32_t)e->tid << 16 | (uint64_t)e->group << 8 | hook;
}

static bool note_entry(struct sqlite *s, const struct event *e, uint64_t usec)
{
	struct call key = { .key = entry_key(e, e->hook) }, *made;
	struct call **found = tfind(&key, &s->entries, compare_entries);

	if (found) {
		(*found)->usec = usec;
		return true;
	}
	made = malloc(sizeof(*made));
	if (!made)
		return false;
	*made = (struct call){ key.key, usec };
	return tsearch(made, &s->entries, compare_entries) != NULL;
}

static uint64_t entry_of(const struct sqlite *s, const struct event *e)
{
	struct call key = { .key = entry_key(e, e->hook - 1u) };
	struct call **found = tfind(&key, &s->entries, compare_entries);

	return found ? (*found)->usec : 0;
}

/* ---- events ---- */

static bool is_entry(const struct registry_hook *h)
{
	size_t len = h->name ? strlen(h->name) : 0;

	return len > 6 && !strcmp(h->name + len - 6, ".entry");
}

static void bind_field(sqlite3_stmt *to, int column, const struct event_field *f)
{
	if (f->type == EVENT_STRING)
		sqlite3_bind_text(to, column, f->text, (int)f->len, SQLITE_STATIC);
	else
		sqlite3_bind_int64(to, column, f->number);
}

static void bind(struct sqlite *s, const struct event_table *t, const struct event *e,
		 uint64_t usec)
{
	const int64_t common[COMMON] = { e->group, e->hook, (int64_t)usec, e->tid,
					 e->pid,   e->ppid, e->cpu };
	int column = 0;

	for (unsigned i = 0; i < COMMON; i++)
		sqlite3_bind_int64(t->insert, ++column, common[i]);
	if (t->has_entry)
		sqlite3_bind_int64(t->insert, ++column, (int64_t)entry_of(s, e));
	/* The table has the columns of its first event: others may have fewer, or more. */
	for (unsigned i = 0; i < t->nown; i++, column++)
		if (i < e->nown)
			bind_field(t->insert, column + 1, &e->fields[i]);
	for (unsigned i = 0; i < t->nuser; i++, column++)
		if (e->nown + i < e->nfields)
			bind_field(t->insert, column + 1, &e->fields[e->nown + i]);
}

static bool take_event(struct convert *c, void *form, const struct event *e)
{
	const struct registry_hook *h = registry_of(&c->registry, e->group, e->hook);
	uint64_t usec = e->usec < c->first_usec ? 0 : e->usec - c->first_usec;
	struct sqlite *s = form;
	struct event_table *t = h ? table_of(s, h, e) : NULL;

	s->failed |= !t || (is_entry(h) && !note_entry(s, e, usec) && !no_memory(s));
	if (s->failed)
		return false;
	bind(s, t, e, usec);
	s->failed = !database_step(&s->db, t->insert);
	sqlite3_clear_bindings(t->insert);
	return !s->failed;
}

/* ---- the end ---- */

static void put_name(void *ctx, int32_t pid, const char *text)
{
	struct sqlite *s = ctx;
	sqlite3_str *sql = sqlite3_str_new(s->db.db);

	sqlite3_str_appendf(sql, "INSERT INTO appNameMap VALUES (%d, %Q)", pid, text);
	if (!database_run_made(&s->db, sql))
		s->failed = true;
}

static bool put_books(struct sqlite *s, const struct books *books)
{
	for (uint32_t i = 0; books && i < books->nprobes; i++) {
		const struct book *b = &books->probes[i];
		sqlite3_str *sql;

		if (!b->point)
			continue;
		sql = sqlite3_str_new(s->db.db);
		sqlite3_str_appendf(sql, "INSERT INTO loss VALUES (%Q, %lld, %lld, %lld, %lld)",
				    b->point, (long long)b->hits, (long long)b->delivered,
				    (long long)b->dropped, (long long)b->skipped);
		if (!database_run_made(&s->db, sql))
			return false;
	}
	return true;
}

static bool make_indexes(struct sqlite *s)
{
	for (unsigned i = 0; i < 65536; i++) {
		unsigned g = i >> 8, h = i & 255;
		sqlite3_str *sql;

		if (!s->tables[g][h])
			continue;
		sql = sqlite3_str_new(s->db.db);
		sqlite3_str_appendf(sql,
				    "CREATE INDEX \"usec_%u_%u\" ON \"%u_%u\" (usec);"
				    "CREATE INDEX \"process_%u_%u\" ON \"%u_%u\" (process_id)",
				    g, h, g, h, g, h, g, h);
		if (!database_run_made(&s->db, sql))
			return false;
	}
	return true;
}

static void free_all(struct sqlite *s)
{
	for (unsigned i = 0; i < 65536; i++) {
		struct event_table *t = s->tables[i >> 8][i & 255];

		if (t)
			sqlite3_finalize(t->insert);
		free(t);
	}
	tdestroy(s->entries, free);
}

static bool end(struct convert *c, void *form, const struct books *books)
{
	struct sqlite *s = form;
	bool ok = !s->failed;

	if (ok)
		names_each(&c->names, put_name, s);
	ok = ok && !s->failed && put_books(s, books) && database_commit(&s->db) &&
	     make_indexes(s);
	free_all(s);
	ok = database_close(&s->db, ok) && ok;
	if (ok)
		message_verbose("%s", s->name);
	free(s);
	return ok;
}

const struct form_ops sqlite_form = { .begin = begin, .event = take_event, .end = end };

#endif
