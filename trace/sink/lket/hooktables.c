/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes a database as the program of 2007 did, into a file DBYYYYMMDDhhmmss.db of SQLite
 * or into another one (trace/sink/database.h):
 *
 *   trace_header  one row                       appNameMap  pid, pname
 *   table_desc    table_name, table_desc        loss        the books: hits of each probe
 *   GROUP_HOOK    a row an event: groupid, hookid, usec (relative), thread_id,
 *                 process_id, parentprocess_id, cpu_id, of returns entry_usec, then
 *                 the fields
 */
#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "trace/books.h"
#include "trace/messages.h"
#include "trace/sink/database.h"
#include "trace/sink/lket/convert.h"

#define COMMON	  8 /* maximum number of columns of events before the fields */
#define NAME_ROOM 96

#define NUMBER(n)    ((struct database_value){ .number = (int64_t)(n) })
#define STRING(text) ((struct database_value){ .s = (text), .len = (uint32_t)strlen(text) })
#define COUNT(array) ((unsigned)(sizeof(array) / sizeof((array)[0])))

/* A hook's table. */
struct event_table {
	void *table;
	unsigned nown, nuser;
	bool has_entry;
};

/* The time of the entry of a call that a thread is in. */
struct call {
	uint64_t key; /* thread, group, hook of the entry */
	uint64_t usec;
};

struct hooktables {
	struct database db;
	char name[48];
	struct event_table *tables[256][256];
	void *described, *names, *losses;
	void *entries; /* of tsearch(3) */
	bool failed;
};

static bool no_memory(void)
{
	message_error("no memory");
	return false;
}

static bool put_header(struct convert *c, struct hooktables *s)
{
	static const struct database_column columns[] = {
		{ .name = "Major_Ver", .type = DATABASE_INT8 },
		{ .name = "Minor_Ver", .type = DATABASE_INT8 },
		{ .name = "Big_Endian", .type = DATABASE_INT8 },
		{ .name = "Timing_Method", .type = DATABASE_NAME },
		{ .name = "Bits_Width", .type = DATABASE_INT8 },
	};
	const struct trace_header *h = &c->header;
	const struct database_value values[] = {
		NUMBER(h->major),
		NUMBER(h->minor),
		NUMBER(h->big_endian),
		STRING(h->timing == 1	? "get_cycles"
		       : h->timing == 3 ? "sched_clock"
					: "do_gettimeofday"),
		NUMBER(h->width),
	};
	void *table = database_table(&s->db, "trace_header", columns, COUNT(columns));

	return table && database_row(&s->db, table, values);
}

static bool make_tables(struct hooktables *s)
{
	static const struct database_column names[] = {
		{ .name = "pid", .type = DATABASE_INT32 },
		{ .name = "pname", .type = DATABASE_NAME },
	};
	static const struct database_column described[] = {
		{ .name = "table_name", .type = DATABASE_NAME },
		{ .name = "table_desc", .type = DATABASE_TEXT },
	};
	static const struct database_column losses[] = {
		{ .name = "probe", .type = DATABASE_TEXT },
		{ .name = "hits", .type = DATABASE_INT64 },
		{ .name = "delivered", .type = DATABASE_INT64 },
		{ .name = "dropped", .type = DATABASE_INT64 },
		{ .name = "skipped", .type = DATABASE_INT64 },
	};

	s->names = database_table(&s->db, "appNameMap", names, COUNT(names));
	if (s->names)
		s->described = database_table(&s->db, "table_desc", described, COUNT(described));
	if (s->described)
		s->losses = database_table(&s->db, "loss", losses, COUNT(losses));
	return s->losses;
}

/* Returns the location of the database: -m without --to names a file after the time. */
static const char *place_of(struct convert *c, struct hooktables *s)
{
	time_t now = time(NULL);
	struct tm tm;

	if (c->options->database)
		return c->options->database;
	if (localtime_r(&now, &tm))
		strftime(s->name, sizeof(s->name), "sqlite:DB%Y%m%d%H%M%S.db", &tm);
	return s->name;
}

static bool begin(struct convert *c, void **ret)
{
	struct hooktables *s = calloc(1, sizeof(*s));

	if (!s)
		return no_memory();
	*ret = s;
	s->failed = !database_open(&s->db, place_of(c, s), &c->run) || !put_header(c, s) ||
		    !make_tables(s);
	return !s->failed;
}

/* ---- tables ---- */

/*
 * Stores a field's name. The database would refuse two of the same name: the second one
 * gets its number appended.
 */
static void name_field(const struct database_column *before, unsigned n,
		       const struct registry_fields *of, unsigned index, unsigned number,
		       char ret[NAME_ROOM])
{
	bool known = of->known && index < of->count;
	bool plain = known && *of->names[index];

	snprintf(ret, NAME_ROOM, "%s", known ? of->names[index] : "arg");
	for (unsigned k = 0; plain && k < n; k++)
		plain = strcasecmp(ret, before[k].name);
	if (!plain)
		snprintf(ret, NAME_ROOM, "%.70s %u", known ? of->names[index] : "arg", number);
}

static unsigned add_common(struct database_column *to, bool has_entry)
{
	static const struct database_column common[COMMON] = {
		{ "groupid", DATABASE_INT8, false },
		{ "hookid", DATABASE_INT8, false },
		{ "usec", DATABASE_INT64, true },
		{ "thread_id", DATABASE_INT32, false },
		{ "process_id", DATABASE_INT32, true },
		{ "parentprocess_id", DATABASE_INT32, false },
		{ "cpu_id", DATABASE_INT8, false },
		{ "entry_usec", DATABASE_INT64, false },
	};

	memcpy(to, common, sizeof(common));
	return has_entry ? COMMON : COMMON - 1;
}

static bool make_table(struct hooktables *s, struct event_table *t, const struct registry_hook *h,
		       const struct event *e)
{
	static const enum database_type types[] = {
		[EVENT_INT8] = DATABASE_INT8,	[EVENT_INT16] = DATABASE_INT16,
		[EVENT_INT32] = DATABASE_INT32, [EVENT_INT64] = DATABASE_INT64,
		[EVENT_STRING] = DATABASE_NAME,
	};
	_Static_assert(sizeof(types) / sizeof(types[0]) == EVENT_TYPES, "a row for every type");
	struct database_column columns[COMMON + EVENT_FIELDS];
	static char names[EVENT_FIELDS][NAME_ROOM];
	unsigned n = add_common(columns, t->has_entry);
	char table[16];
	const struct database_value described[] = { { .s = table },
						    STRING(h->name ? h->name : "") };
	struct database_value *row = (struct database_value *)(uintptr_t)described;

	for (unsigned i = 0; i < e->nfields; i++, n++) {
		bool is_own = i < e->nown;

		name_field(columns, n, is_own ? &h->own : &h->user, is_own ? i : i - e->nown, i + 1,
			   names[i]);
		columns[n] = (struct database_column){ names[i], types[e->fields[i].type], false };
	}
	row[0].len = (uint32_t)snprintf(table, sizeof(table), "%u_%u", e->group, e->hook);
	t->table = database_table(&s->db, table, columns, n);
	return t->table && database_row(&s->db, s->described, described);
}

/* Returns the hook's table; the first event creates it. NULL: the error was reported. */
static struct event_table *table_of(struct hooktables *s, const struct registry_hook *h,
				    const struct event *e)
{
	struct event_table **t = &s->tables[e->group][e->hook];
	size_t len = h->name ? strlen(h->name) : 0;

	if (*t)
		return *t;
	*t = calloc(1, sizeof(**t));
	if (!*t)
		return no_memory() ? *t : NULL;
	(*t)->nown = e->nown;
	(*t)->nuser = e->nfields - e->nown;
	(*t)->has_entry = len > 7 && !strcmp(h->name + len - 7, ".return");
	return make_table(s, *t, h, e) ? *t : NULL;
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

static bool note_entry(struct hooktables *s, const struct event *e, uint64_t usec)
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

static uint64_t entry_of(const struct hooktables *s, const struct event *e)
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

/*
 * Returns a number as a column of its width stores it: registrations do not say whether
 * it is signed.
 */
static struct database_value value_of(const struct event_field *f)
{
	if (f->type == EVENT_STRING)
		return (struct database_value){ .s = f->text, .len = f->len };
	return NUMBER(f->number);
}

static bool put(struct hooktables *s, const struct event_table *t, const struct event *e,
		uint64_t usec)
{
	struct database_value row[COMMON + EVENT_FIELDS] = {
		NUMBER(e->group), NUMBER(e->hook), NUMBER(usec),   NUMBER(e->tid),
		NUMBER(e->pid),	  NUMBER(e->ppid), NUMBER(e->cpu),
	};
	const struct database_value none = { .is_null = true };
	unsigned n = COMMON - 1;

	if (t->has_entry)
		row[n++] = NUMBER(entry_of(s, e));
	/*
	 * The table has the columns of its first event: other events may have fewer or
	 * more fields.
	 */
	for (unsigned i = 0; i < t->nown; i++)
		row[n++] = i < e->nown ? value_of(&e->fields[i]) : none;
	for (unsigned i = 0; i < t->nuser; i++)
		row[n++] = e->nown + i < e->nfields ? value_of(&e->fields[e->nown + i]) : none;
	return database_row(&s->db, t->table, row);
}

static bool take_event(struct convert *c, void *form, const struct event *e)
{
	const struct registry_hook *h = registry_of(&c->registry, e->group, e->hook);
	uint64_t usec = e->usec < c->first_usec ? 0 : e->usec - c->first_usec;
	struct hooktables *s = form;
	struct event_table *t = h ? table_of(s, h, e) : NULL;

	s->failed |= !t || (is_entry(h) && !note_entry(s, e, usec) && !no_memory());
	s->failed = s->failed || !put(s, t, e, usec) || !database_whole(&s->db);
	return !s->failed;
}

/* ---- the end ---- */

static void put_name(void *ctx, int32_t pid, const char *text)
{
	struct hooktables *s = ctx;
	const struct database_value row[] = { NUMBER(pid), STRING(text) };

	s->failed = s->failed || !database_row(&s->db, s->names, row);
}

static bool put_books(struct hooktables *s, const struct books *books)
{
	for (uint32_t i = 0; books && i < books->nprobes; i++) {
		const struct book *b = &books->probes[i];
		const struct database_value row[] = {
			STRING(b->point ? b->point : ""),
			NUMBER(b->hits),
			NUMBER(b->delivered),
			NUMBER(b->dropped),
			NUMBER(b->skipped),
		};

		if (b->point && !database_row(&s->db, s->losses, row))
			return false;
	}
	return true;
}

static void free_all(struct hooktables *s)
{
	for (unsigned i = 0; i < 65536; i++)
		free(s->tables[i >> 8][i & 255]);
	tdestroy(s->entries, free);
}

static bool end(struct convert *c, void *form, const struct books *books)
{
	struct hooktables *s = form;
	bool ok = !s->failed;

	if (ok)
		names_each(&c->names, put_name, s);
	ok = ok && !s->failed && put_books(s, books);
	ok = database_close(&s->db, !ok		 ? DATABASE_DROPPED
				    : c->damaged ? DATABASE_PART
						 : DATABASE_WHOLE) &&
	     ok;
	free_all(s);
	if (ok && *s->name)
		message_verbose("%s", strchr(s->name, ':') + 1);
	free(s);
	return ok;
}

const struct lketform_ops tables_form = { .begin = begin, .event = take_event, .end = end };
