/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/values.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"

#define FIELDS	    160 /* of a line: a histogram of 128 buckets has the largest number */
#define PROBES_MOST 100000

/* A line, split at its tabs. */
struct line {
	char *field[FIELDS];
	unsigned n;
};

/* Appends a zeroed element to an array whose room is a power of two. */
static void *append(void *array, size_t *count, size_t size)
{
	size_t n = *count;
	char **base = array;

	if (!(n & (n - 1))) {
		char *grown = text_memory((n ? 2 * n : 1) * size);

		memcpy(grown, *base ? *base : grown, n * size);
		free(*base);
		*base = grown;
	}
	(*count)++;
	return *base + n * size;
}
#define APPEND(array, count) append(&(array), &(count), sizeof((array)[0]))

static bool read_long(const char *text, int64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoll(text, &end, 10);
	return !errno && end != text && !*end;
}

static uint64_t read_count(const char *text)
{
	return strtoull(text, NULL, 10);
}

static struct number read_number(const char *text)
{
	struct number n = { 0 };

	n.is_known = read_long(text, &n.v);
	return n;
}

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads \xHH. */
static struct bytes read_bytes(const char *text)
{
	struct bytes ret = { text_memory(strlen(text) + 1), 0 };

	while (*text) {
		int high, low;

		if (text[0] == '\\' && text[1] == 'x' && (high = digit_of(text[2])) >= 0 &&
		    (low = digit_of(text[3])) >= 0) {
			ret.s[ret.len++] = (char)(high << 4 | low);
			text += 4;
		} else {
			ret.s[ret.len++] = *text++;
		}
	}
	return ret;
}

static char *read_name(const char *text)
{
	return read_bytes(text).s;
}

/* ---- globals ---- */

static void read_global(struct values *v, const struct line *l)
{
	static const char *const types[VALUE_TYPES] = {
		[VALUE_LONG] = "long", [VALUE_STRING] = "string", [VALUE_STATS] = "stats"
	};
	struct global *g;

	if (l->n < 4)
		return;
	g = APPEND(v->globals, v->nglobals);
	g->name = read_name(l->field[1]);
	for (unsigned i = 0; i < VALUE_TYPES; i++)
		if (!strcmp(l->field[2], types[i]))
			g->type = (enum value_type)i;
	g->is_busy = strcmp(l->field[3], "ok") != 0;
}

static void read_stat(struct value *value, char *const *field)
{
	read_long(field[0], &value->count);
	value->sum = read_number(field[1]);
	value->min = read_number(field[2]);
	value->max = read_number(field[3]);
	value->variance = read_number(field[5]);
}

static void read_value(struct global *g, const struct line *l)
{
	unsigned fields = g->type == VALUE_STATS ? 6 : 1;
	struct value *value;

	if (l->n != 1 + g->nkeys + fields)
		return;
	value = APPEND(g->values, g->nvalues);
	for (unsigned i = 0; i < g->nkeys; i++)
		value->keys[i] = read_bytes(l->field[1 + i]);
	if (g->type == VALUE_STATS)
		read_stat(value, l->field + 1 + g->nkeys);
	else
		value->text = read_bytes(l->field[1 + g->nkeys]);
}

static void read_bucket(struct histogram *h, char *text)
{
	char *to = strchr(text, ':'), *count = to ? strchr(to + 1, ':') : NULL;
	struct bucket b = { 0 };

	if (!count)
		return;
	*to++ = *count++ = 0;
	b.is_least = !strcmp(text, "-inf");
	b.is_most = !strcmp(to, "inf");
	if ((b.is_least || read_long(text, &b.from)) && (b.is_most || read_long(to, &b.to)) &&
	    read_long(count, &b.count) && b.count >= 0)
		*(struct bucket *)APPEND(h->buckets, h->count) = b;
}

/*
 * True: the bounds of a linear histogram are in order, and can be computed from the
 * lowest.
 */
static bool is_in_order(const struct histogram *h)
{
	return h->is_log || (h->width > 0 && h->low > INT64_MIN && h->low <= h->high);
}

static void read_histogram(struct global *g, const struct line *l)
{
	struct value *value = g->nvalues ? &g->values[g->nvalues - 1] : NULL;
	struct histogram h = { 0 };

	if (!value || l->n < 5)
		return;
	h.is_log = !strcmp(l->field[1], "log");
	read_long(l->field[2], &h.low);
	read_long(l->field[3], &h.high);
	read_long(l->field[4], &h.width);
	if (!is_in_order(&h))
		return;
	for (unsigned i = 5; i < l->n; i++)
		read_bucket(&h, l->field[i]);
	*(struct histogram *)APPEND(value->hists, value->nhists) = h;
}

static void read_quantile(struct global *g, const struct line *l)
{
	static const char *const shares[VALUES_QUANTILES] = { "0.5", "0.9", "0.99" };

	for (unsigned i = 0; i < VALUES_QUANTILES && g->nvalues && l->n == 3; i++)
		if (!strcmp(l->field[1], shares[i]))
			g->values[g->nvalues - 1].quantiles[i] = read_number(l->field[2]);
}

/* Reads a line about the current global. */
static void read_of_global(struct global *g, const struct line *l)
{
	const char *kind = l->field[0];

	if (!strcmp(kind, "value")) {
		read_value(g, l);
	} else if (!strcmp(kind, "hist")) {
		read_histogram(g, l);
	} else if (!strcmp(kind, "quantile")) {
		read_quantile(g, l);
	} else if (l->n < 2) {
		return;
	} else if (!strcmp(kind, "use")) {
		g->is_counter = !strcmp(l->field[1], "counter");
	} else if (!strcmp(kind, "help") && !g->help) {
		g->help = read_name(l->field[1]);
	} else if (!strcmp(kind, "entries")) {
		g->is_array = true;
		g->entries = read_count(l->field[1]);
	} else if (!strcmp(kind, "key") && l->n == 3 && g->nkeys < VALUES_KEYS) {
		g->is_array = true;
		g->keys[g->nkeys++] = read_name(l->field[2]);
	}
}

/* ---- the run ---- */

static struct probe_books *probe_at(struct values *v, const char *index)
{
	uint64_t n = read_count(index);

	if (n >= PROBES_MOST)
		return NULL;
	while (v->nprobes <= n)
		(void)APPEND(v->probes, v->nprobes);
	return &v->probes[n];
}

static void read_point(struct values *v, const char *index, const char *point)
{
	struct probe_books *p = probe_at(v, index);

	if (p && !p->point)
		p->point = text_copy(point);
}

static void read_books(struct values *v, const struct line *l)
{
	struct probe_books *p = probe_at(v, l->field[1]);

	if (!p)
		return;
	read_point(v, l->field[1], l->field[7]);
	p->hits += read_count(l->field[3]);
	p->delivered += read_count(l->field[4]);
	p->dropped += read_count(l->field[5]);
	p->skipped += read_count(l->field[6]);
}

static void read_time(struct values *v, const char *index, const char *ns)
{
	struct probe_books *p = probe_at(v, index);

	if (p)
		p->ns += read_count(ns);
}

static void read_off(struct values *v, const char *index)
{
	struct probe_books *p = probe_at(v, index);

	if (p)
		p->is_off = true;
}

/*
 * Programs of several users may have the same name: staprun answers for each, and the
 * values are then nobody's.
 */
static void read_owner(struct values *v, const char *field)
{
	if (v->owner == -1)
		read_long(field, &v->owner);
	else
		v->owner = VALUES_OF_SEVERAL;
}

static void read_of_run(struct values *v, const struct line *l)
{
	const char *kind = l->field[0];

	if (!strcmp(kind, "end"))
		v->is_whole = true;
	else if (!strcmp(kind, "state") && l->n > 1)
		v->state = atoi(l->field[1]);
	else if (!strcmp(kind, "started") && l->n > 1)
		read_long(l->field[1], &v->started);
	else if (!strcmp(kind, "owner") && l->n > 1)
		read_owner(v, l->field[1]);
	else if (!strcmp(kind, "point") && l->n > 2)
		read_point(v, l->field[1], l->field[2]);
	else if (!strcmp(kind, "probe") && l->n > 7)
		read_books(v, l);
	else if (!strcmp(kind, "off") && l->n > 1)
		read_off(v, l->field[1]);
	else if (!strcmp(kind, "time") && l->n > 2)
		read_time(v, l->field[1], l->field[2]);
	else if (!strcmp(kind, "skipped") && l->n > 2)
		*(struct named_count *)APPEND(v->reasons, v->nreasons) =
			(struct named_count){ text_copy(l->field[1]), read_count(l->field[2]) };
	else if (!strcmp(kind, "contended") && l->n > 2)
		*(struct named_count *)APPEND(v->contended, v->ncontended) =
			(struct named_count){ text_copy(l->field[1]), read_count(l->field[2]) };
}

static void split(struct line *l, char *text)
{
	l->n = 0;
	while (text && l->n < FIELDS) {
		char *tab = strchr(text, '\t');

		l->field[l->n++] = text;
		if (tab)
			*tab++ = 0;
		text = tab;
	}
}

void values_read(struct values *v, const char *text, size_t len)
{
	char *copy = text_memory(len + 1), *next;
	struct global *g = NULL;
	struct line l;

	memcpy(copy, text, len);
	for (char *at = copy; at < copy + len; at = next) {
		char *end = memchr(at, '\n', (size_t)(copy + len - at));

		next = end ? end + 1 : copy + len;
		if (end)
			*end = 0;
		split(&l, at);
		if (!strcmp(l.field[0], "global")) {
			read_global(v, &l);
			g = v->nglobals ? &v->globals[v->nglobals - 1] : NULL;
			continue;
		}
		if (g)
			read_of_global(g, &l);
		read_of_run(v, &l);
	}
	free(copy);
}

/* ---- the end ---- */

static void value_free(struct value *value)
{
	for (unsigned i = 0; i < VALUES_KEYS; i++)
		free(value->keys[i].s);
	free(value->text.s);
	for (size_t i = 0; i < value->nhists; i++)
		free(value->hists[i].buckets);
	free(value->hists);
}

static void global_free(struct global *g)
{
	for (size_t i = 0; i < g->nvalues; i++)
		value_free(&g->values[i]);
	for (size_t i = 0; i < g->nkeys; i++)
		free(g->keys[i]);
	free(g->values);
	free(g->name);
	free(g->help);
}

static void counts_free(struct named_count *counts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(counts[i].name);
	free(counts);
}

void values_free(struct values *v)
{
	for (size_t i = 0; i < v->nglobals; i++)
		global_free(&v->globals[i]);
	for (size_t i = 0; i < v->nprobes; i++)
		free(v->probes[i].point);
	counts_free(v->reasons, v->nreasons);
	counts_free(v->contended, v->ncontended);
	free(v->globals);
	free(v->probes);
	*v = (struct values){ 0 };
}
