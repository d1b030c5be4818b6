/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes --estimate: a paragraph, or a JSON object, for each point of the script. */
#include "estimate/estimate.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/strbuf.h"
#include "module/lockplan.h"
#include "probe/probe.h"

#define NAMED_MOST  3  /* parts of a sum that are named */
#define NAME_WIDEST 44 /* longer names get a separate line */

/* Points from one place in the script. */
struct group {
	struct loc loc;
	const char *name;
	const char *pp; /* of the most expensive point */
	size_t points;
	int64_t low, high;    /* of all */
	struct estimate most; /* of the most expensive point */
	bool is_once;	      /* begin, end and the like */
};
typedef VEC(struct group) groups;

/* Returns the place in the user's script that led to the point. */
static struct loc written_at(const struct derived *d)
{
	struct loc loc = d->loc;

	while (loc.via)
		loc = loc.via->at;
	return loc;
}

/* Returns the point as it is written, on one line. */
static const char *written_name(struct session *s, const struct derived *d, struct loc loc)
{
	struct strbuf name;

	if (d->family->runs_alone || !loc.source || loc.end <= loc.begin ||
	    loc.end > loc.source->len)
		return d->pn ? d->pn : d->pp;
	strbuf_init(&name, s->arena);
	for (uint32_t i = loc.begin; i < loc.end; i++) {
		char c = loc.source->text[i];

		if (!isspace((unsigned char)c))
			strbuf_addc(&name, c);
		else if (name.s[name.len - 1] != ' ')
			strbuf_addc(&name, ' ');
	}
	return name.s;
}

static struct group *group_of(struct session *s, groups *list, const struct derived *d)
{
	struct group new = { .loc = written_at(d), .low = INT64_MAX };

	vec_each(list, i) {
		struct group *g = &list->data[i];

		if (g->loc.source == new.loc.source && g->loc.begin == new.loc.begin &&
		    g->is_once == d->family->runs_alone)
			return g;
	}
	new.name = written_name(s, d, new.loc);
	new.is_once = d->family->runs_alone;
	vec_push(s->arena, list, new);
	return &list->data[list->count - 1];
}

static void group_add(struct session *s, groups *list, const struct derived *d,
		      const struct estimate_locks *locks)
{
	struct group *g = group_of(s, list, d);
	struct estimate one = { 0 };

	estimate_point(s, d, locks, &one);
	g->low = one.low < g->low ? one.low : g->low;
	if (!g->points++ || one.high > g->high) {
		g->high = one.high;
		g->most = one;
		g->pp = d->pp;
	}
}

/*
 * Returns the number rounded to two or three digits: more would pretend a precision that
 * the table does not have.
 */
static int64_t rounded(int64_t n)
{
	int64_t unit = n < 1000 ? 10 : n < 10000 ? 50 : 500;

	return (n + unit / 2) / unit * unit;
}

static const char *range(struct session *s, int64_t low, int64_t high)
{
	low = rounded(low);
	high = rounded(high);
	if (low == high)
		return arena_printf(s->arena, "~%" PRId64, high);
	return arena_printf(s->arena, "~%" PRId64 " to %" PRId64, low, high);
}

static void say_shares(struct strbuf *out, const struct estimate *e)
{
	int64_t rest = e->high;

	strbuf_adds(out, "    ");
	for (size_t i = 0; i < e->shares.count && i < NAMED_MOST; i++) {
		rest -= e->shares.data[i].amount;
		strbuf_addf(out, "%s%" PRId64 " %s", i ? ", " : "", e->shares.data[i].amount,
			    e->shares.data[i].what);
	}
	if (rest > 0)
		strbuf_addf(out, ", %" PRId64 " the rest", rest);
	strbuf_addc(out, '\n');
}

static unsigned line_of(struct session *s, struct loc loc)
{
	unsigned line = 0, column;

	while (source_is_library(loc) && loc.via)
		loc = loc.via->at;
	if (loc.source)
		source_position(s->arena, loc.source, loc.begin, &line, &column);
	return line;
}

static void say_loops(struct session *s, struct strbuf *out, const struct estimate *e)
{
	vec_each(&e->loops, i) {
		const struct estimate_loop *l = &e->loops.data[i];

		strbuf_addf(out, "    and %s %s of the %s at line %u\n", range(s, l->low, l->high),
			    l->is_sort ? "an element, for the order" : "a turn", l->what,
			    line_of(s, l->loc));
	}
}

static void say_notes(struct strbuf *out, const struct estimate *e)
{
	if (e->recurses)
		strbuf_adds(out, "    a function calls itself: one call is counted\n");
	if (!e->unknown.count)
		return;
	strbuf_adds(out, "    guessed:");
	vec_each(&e->unknown, i)
		strbuf_addf(out, "%s %s()", i ? "," : "", e->unknown.data[i]);
	strbuf_addc(out, '\n');
}

static void say_group(struct session *s, struct strbuf *out, const struct group *g, int width)
{
	strbuf_addf(out, "%-*s", width, g->name);
	if ((int)strlen(g->name) > width)
		strbuf_addf(out, "\n%-*s", width, "");
	strbuf_addf(out, "  %s instructions %s", range(s, g->low, g->high),
		    g->is_once ? "once" : "a hit");
	if (g->points > 1)
		strbuf_addf(out, ", %zu points", g->points);
	strbuf_addc(out, '\n');
	say_shares(out, &g->most);
	say_loops(s, out, &g->most);
	say_notes(out, &g->most);
}

static int widest(const groups *list)
{
	int most = 0;

	vec_each(list, i) {
		int width = (int)strlen(list->data[i].name);

		if (width > most && width <= NAME_WIDEST)
			most = width;
	}
	return most;
}

static void write_text(struct session *s, struct strbuf *out, const groups *list)
{
	int width = widest(list);
	bool prints = false;

	vec_each(list, i) {
		say_group(s, out, &list->data[i], width);
		prints |= list->data[i].most.prints && !list->data[i].is_once;
	}
	if (prints)
		strbuf_addf(out, "%-*s  ~%d instructions an event that prints, in stapio\n", width,
			    "the reader", estimate_reader);
}

/* ---- --json ---- */

static json_t *json_loops(struct session *s, const struct estimate *e)
{
	json_t *list = json_array();

	vec_each(&e->loops, i) {
		const struct estimate_loop *l = &e->loops.data[i];

		json_array_append_new(list,
				      json_pack("{s:i, s:s, s:s, s:I, s:I}", "line",
						(int)line_of(s, l->loc), "loop", l->what, "per",
						l->is_sort ? "element" : "turn", "low",
						(json_int_t)l->low, "high", (json_int_t)l->high));
	}
	return list;
}

static json_t *json_shares(const struct estimate *e)
{
	json_t *shares = json_object();

	vec_each(&e->shares, i)
		json_object_set_new(shares, e->shares.data[i].what,
				    json_integer(e->shares.data[i].amount));
	return shares;
}

static json_t *json_guessed(const struct estimate *e)
{
	json_t *list = json_array();

	vec_each(&e->unknown, i)
		json_array_append_new(list, json_string(e->unknown.data[i]));
	return list;
}

static void json_group(struct session *s, struct strbuf *out, const struct group *g)
{
	const struct estimate *e = &g->most;
	json_t *object =
		json_pack("{s:s, s:I, s:b, s:I, s:I, s:i, s:o, s:o, s:b, s:o}", "estimate", g->name,
			  "points", (json_int_t)g->points, "once", g->is_once, "low",
			  (json_int_t)g->low, "high", (json_int_t)g->high, "reader",
			  e->prints ? estimate_reader : 0, "shares", json_shares(e), "loops",
			  json_loops(s, e), "recurses", e->recurses, "guessed", json_guessed(e));
	char *text = json_dumps(object, JSON_COMPACT);

	strbuf_addf(out, "%s\n", text ? text : "");
	free(text);
	json_decref(object);
}

static void write_json(struct session *s, struct strbuf *out, const groups *list)
{
	vec_each(list, i)
		json_group(s, out, &list->data[i]);
}

static void (*const forms[])(struct session *s, struct strbuf *out, const groups *list) = {
	[ESTIMATE_TEXT] = write_text,
	[ESTIMATE_JSON] = write_json,
};

void estimate_show(struct session *s, enum estimate_form form, FILE *to)
{
	struct program *p = s->program;
	struct lockplan locks;
	groups list = { 0 };
	struct strbuf out;

	strbuf_init(&out, s->arena);
	lockplan_make(&locks, s);
	vec_each(&p->probes, i)
		group_add(s, &list, p->probes.data[i],
			  &(struct estimate_locks){
				  .globals = lockplan_count(&locks, p, i),
				  .elements = lockplan_elements(&locks, p, i),
			  });
	forms[form](s, &out, &list);
	fwrite(out.s, 1, out.len, to);
}
