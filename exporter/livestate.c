/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/livestate.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/jsontext.h"
#include "exporter/text.h"
#include "exporter/values.h"
#include "uapi/msg.h"

struct row {
	char *key, *value; /* as JSON */
	uint64_t changed;  /* the look that first found this value */
};

struct table {
	char *head;	      /* members of GLOBAL before "whole" */
	enum value_type type; /* of the rows */
	bool is_array;
	size_t nkeys;
	struct row *rows;
	size_t count;
	uint64_t changed, lost; /* looks at which the head changed, a row vanished */
};

struct livestate {
	uint64_t look;
	int64_t ms;
	struct table *tables;
	size_t count;
	char *books; /* members of the object */
};

/* ---- values as JSON ---- */

static void add_number(struct text *t, const struct number *n)
{
	if (n->is_known)
		text_addf(t, "\"%" PRId64 "\"", n->v);
	else
		text_adds(t, "null");
}

static void add_bound(struct text *t, bool is_none, int64_t bound)
{
	if (is_none)
		text_adds(t, "null,");
	else
		text_addf(t, "\"%" PRId64 "\",", bound);
}

static void add_histogram(struct text *t, const struct histogram *h)
{
	text_addf(t, "{%s\"b\":[", h->is_log ? "\"log\":true," : "");
	for (size_t i = 0; i < h->count; i++) {
		const struct bucket *b = &h->buckets[i];

		text_adds(t, i ? ",[" : "[");
		add_bound(t, b->is_least, b->from);
		add_bound(t, b->is_most, b->to);
		text_addf(t, "%" PRId64 "]", b->count);
	}
	text_adds(t, "]}");
}

static void add_stats(struct text *t, const struct value *v)
{
	text_addf(t, "{\"count\":%" PRId64 ",\"sum\":", v->count);
	add_number(t, &v->sum);
	text_adds(t, ",\"min\":");
	add_number(t, &v->min);
	text_adds(t, ",\"max\":");
	add_number(t, &v->max);
	text_adds(t, ",\"q\":[");
	for (unsigned i = 0; i < VALUES_QUANTILES; i++) {
		text_adds(t, i ? "," : "");
		add_number(t, &v->quantiles[i]);
	}
	text_adds(t, "],\"hists\":[");
	for (size_t i = 0; i < v->nhists; i++) {
		text_adds(t, i ? "," : "");
		add_histogram(t, &v->hists[i]);
	}
	text_adds(t, "]}");
}

static char *key_text(const struct global *g, const struct value *v)
{
	struct text t = { 0 };

	text_adds(&t, "[");
	for (size_t i = 0; i < g->nkeys; i++) {
		text_adds(&t, i ? "," : "");
		jsontext_string(&t, v->keys[i].s, v->keys[i].len);
	}
	text_adds(&t, "]");
	return t.s;
}

static char *value_text(const struct global *g, const struct value *v)
{
	struct text t = { 0 };

	if (g->type == VALUE_STATS)
		add_stats(&t, v);
	else
		jsontext_string(&t, v->text.s, v->text.len);
	return t.s;
}

static char *head_text(const struct global *g)
{
	static const char *const types[VALUE_TYPES] = { "long", "string", "stats" };
	struct text t = { 0 };

	text_adds(&t, "\"name\":");
	jsontext_string(&t, g->name, strlen(g->name));
	text_addf(&t, ",\"type\":\"%s\"", types[g->type]);
	if (g->is_array) {
		text_addf(&t, ",\"entries\":%" PRIu64 ",\"keys\":[", g->entries);
		for (size_t i = 0; i < g->nkeys; i++) {
			text_adds(&t, i ? "," : "");
			jsontext_string(&t, g->keys[i], strlen(g->keys[i]));
		}
		text_adds(&t, "]");
	}
	if (g->help) {
		text_adds(&t, ",\"help\":");
		jsontext_string(&t, g->help, strlen(g->help));
	}
	text_adds(&t, g->is_counter ? ",\"counter\":true" : "");
	text_adds(&t, g->is_busy ? ",\"busy\":true" : "");
	return t.s;
}

/* ---- taking a look ---- */

static int compare_rows(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->key, ((const struct row *)b)->key);
}

static void rows_free(struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(rows[i].key);
		free(rows[i].value);
	}
	free(rows);
}

/* Marks the rows that have not changed. Both lists are sorted by key. */
static void compare_tables(struct table *now, const struct table *before, uint64_t look)
{
	size_t k = 0, kept = 0;

	for (size_t i = 0; i < now->count; i++) {
		struct row *r = &now->rows[i];
		int order = -1;

		while (k < before->count && (order = strcmp(before->rows[k].key, r->key)) < 0)
			k++;
		r->changed = look;
		if (k == before->count || order)
			continue;
		kept++;
		if (!strcmp(before->rows[k].value, r->value))
			r->changed = before->rows[k].changed;
	}
	now->lost = kept < before->count ? look : before->lost;
	now->changed = before->head && !strcmp(now->head, before->head) ? before->changed : look;
}

/*
 * Reads a global. If its lock was held, its rows are left unchanged, unless they are of
 * another type: a machine may send anything.
 */
static void table_take(struct table *t, const struct global *g, uint64_t look)
{
	struct table now = {
		.head = head_text(g), .type = g->type, .is_array = g->is_array, .nkeys = g->nkeys
	};

	if (g->is_busy && g->type == t->type && g->is_array == t->is_array &&
	    g->nkeys == t->nkeys) {
		free(t->head);
		t->head = now.head;
		t->changed = look;
		return;
	}
	now.count = g->nvalues;
	now.rows = text_memory((now.count + 1) * sizeof(*now.rows));
	for (size_t i = 0; i < now.count; i++)
		now.rows[i] = (struct row){ .key = key_text(g, &g->values[i]),
					    .value = value_text(g, &g->values[i]) };
	qsort(now.rows, now.count, sizeof(*now.rows), compare_rows);
	compare_tables(&now, t, look);
	free(t->head);
	rows_free(t->rows, t->count);
	*t = now;
}

static const char *state_word(int state)
{
	return state == STP_RUNNING   ? "running"
	       : state == STP_EXITING ? "ending"
	       : state == STP_STOPPED ? "ended"
				      : "starting";
}

static void add_counts(struct text *t, const char *name, const struct named_count *c, size_t count)
{
	text_addf(t, ",\"%s\":{", name);
	for (size_t i = 0; i < count; i++) {
		text_adds(t, i ? "," : "");
		jsontext_string(t, c[i].name, strlen(c[i].name));
		text_addf(t, ":%" PRIu64, c[i].count);
	}
	text_adds(t, "}");
}

static void take_books(struct livestate *l, const struct values *v)
{
	struct text t = { 0 };

	text_addf(&t, ",\"state\":\"%s\",\"probes\":[", state_word(v->state));
	for (size_t i = 0; i < v->nprobes; i++) {
		const struct probe_books *p = &v->probes[i];
		const char *point = p->point ? p->point : "";

		text_adds(&t, i ? ",[" : "[");
		jsontext_string(&t, point, strlen(point));
		text_addf(&t, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d]",
			  p->hits, p->delivered, p->dropped, p->skipped, p->ns, p->is_off);
	}
	text_adds(&t, "]");
	add_counts(&t, "reasons", v->reasons, v->nreasons);
	add_counts(&t, "contended", v->contended, v->ncontended);
	free(l->books);
	l->books = t.s;
}

void livestate_look(struct livestate *l, const struct values *v, int64_t ms, uint64_t look)
{
	l->look = look;
	l->ms = ms;
	if (v->nglobals > l->count) {
		struct table *grown = text_memory(v->nglobals * sizeof(*grown));

		if (l->count)
			memcpy(grown, l->tables, l->count * sizeof(*grown));
		free(l->tables);
		l->tables = grown;
		l->count = v->nglobals;
	}
	for (size_t i = 0; i < v->nglobals; i++)
		table_take(&l->tables[i], &v->globals[i], l->look);
	take_books(l, v);
}

/* ---- the object for a reader ---- */

static bool has_news(const struct table *t, uint64_t seen)
{
	if (t->changed > seen || t->lost > seen)
		return true;
	for (size_t i = 0; i < t->count; i++)
		if (t->rows[i].changed > seen)
			return true;
	return false;
}

static void write_table(const struct table *t, uint64_t seen, struct text *ret)
{
	bool is_whole = !seen || t->lost > seen;
	const char *comma = "";

	text_addf(ret, "{%s%s,\"rows\":[", t->head, is_whole ? ",\"whole\":true" : "");
	for (size_t i = 0; i < t->count; i++) {
		const struct row *r = &t->rows[i];

		if (!is_whole && r->changed <= seen)
			continue;
		text_addf(ret, "%s[", comma);
		text_adds(ret, r->key);
		text_adds(ret, ",");
		text_adds(ret, r->value);
		text_adds(ret, "]");
		comma = ",";
	}
	text_adds(ret, "]}");
}

void livestate_write(const struct livestate *l, uint64_t seen, struct text *t)
{
	const char *comma = "";

	text_addf(t, "\"look\":%" PRIu64 ",\"time\":%" PRId64 ",\"globals\":[", l->look, l->ms);
	for (size_t i = 0; i < l->count; i++) {
		if (!has_news(&l->tables[i], seen))
			continue;
		text_adds(t, comma);
		write_table(&l->tables[i], seen, t);
		comma = ",";
	}
	text_adds(t, "]");
	text_adds(t, l->books ? l->books : ",\"state\":\"starting\",\"probes\":[]");
}

struct livestate *livestate_create(void)
{
	return text_memory(sizeof(struct livestate));
}

uint64_t livestate_last(const struct livestate *l)
{
	return l->look;
}

void livestate_free(struct livestate *l)
{
	for (size_t i = 0; i < l->count; i++) {
		free(l->tables[i].head);
		rows_free(l->tables[i].rows, l->tables[i].count);
	}
	free(l->tables);
	free(l->books);
	free(l);
}
