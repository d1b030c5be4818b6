/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/probe.h"

#include <string.h>

#include "ast/ast.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "probe/pointdrift.h"

#define FAMILY(name) extern const struct probe_family probe_family_##name;
#include "probe/families.def"
#undef FAMILY

const struct probe_family *const probe_families[] = {
#define FAMILY(name) &probe_family_##name,
#include "probe/families.def"
#undef FAMILY
};
const unsigned probe_family_count = sizeof(probe_families) / sizeof(probe_families[0]);

const char *const probe_words[] = {
	"begin",    "end",	 "error",     "never",	   "timer",	"s",	    "sec",
	"ms",	    "msec",	 "us",	      "usec",	   "ns",	"nsec",	    "jiffies",
	"hz",	    "randomize", "profile",   "tick",	   "kernel",	"module",   "process",
	"thread",   "syscall",	 "function",  "statement", "call",	"inline",   "return",
	"exported", "callee",	 "callees",   "label",	   "maxactive", "trace",    "kprobe",
	"perf",	    "procfs",	 "netfilter", "hook",	   "pf",	"priority", NULL
};

struct error *probe_result_doubt(struct session *s, const char *function, const char *problem)
{
	if (!problem)
		return NULL;
	return error_create(s->arena, ERROR_ABSENT, "the result of '%s' is not certain: %s",
			    function, problem);
}

struct derived *probe_derived_new(struct session *s, const struct probe_family *f,
				  const struct point *p, derived_list *ret)
{
	struct derived *d = arena_new(s->arena, struct derived);

	d->family = f;
	d->loc = p->loc;
	d->pp = unparse_point(s->arena, p);
	vec_push(s->arena, ret, d);
	return d;
}

/* Renames the component "program", which became "process". */
static const struct point *point_now(struct session *s, const struct point *p)
{
	struct point *copy;

	if (strcmp(p->components.data[0].name, "program"))
		return p;
	copy = arena_new(s->arena, struct point);
	*copy = *p;
	copy->components.data = arena_array(s->arena, struct component, p->components.count);
	memcpy(copy->components.data, p->components.data,
	       p->components.count * sizeof(*p->components.data));
	copy->components.data[0].name = "process";
	return copy;
}

/* NULL with nothing appended: no family knows this kind of point. */
static struct error *ask_families(struct session *s, const struct point *p, derived_list *ret)
{
	size_t before = ret->count;

	for (unsigned i = 0; i < probe_family_count; i++) {
		struct error *err = probe_families[i]->resolve(s, p, ret);

		if (err || ret->count > before)
			return err;
	}
	return NULL;
}

/*
 * True: the families have the point. Otherwise *err is the reason, and nothing is
 * appended.
 */
static bool is_there(struct session *s, const struct point *p, derived_list *ret,
		     struct error **err)
{
	size_t before = ret->count;

	*err = ask_families(s, p, ret);
	if (!*err && ret->count > before)
		return true;
	ret->count = before;
	return false;
}

/* Resolves the replacement of a point that is missing or has been renamed. */
static struct error *resolve_drifted(struct session *s, const struct point *p, struct error *err,
				     derived_list *ret)
{
	size_t before = ret->count;
	pointdrifts list = { 0 };

	pointdrift_find(s, p, &list);
	vec_each(&list, i) {
		const struct pointdrift *d = &list.data[i];
		struct error *why;

		/* The message about a replaced file comes before the search in it. */
		if (d->kind == POINTDRIFT_FILE)
			pointdrift_say(s, d, NULL);
		if (is_there(s, d->point, ret, &why)) {
			if (d->kind != POINTDRIFT_FILE)
				pointdrift_say(s, d, ret->data[before]);
			return NULL;
		}
		if (why && (d->kind == POINTDRIFT_FILE || d->kind == POINTDRIFT_SECOND_BEST))
			err = why;
	}
	return err->kind == ERROR_ABSENT ? pointdrift_story(s, p, err) : err;
}

/* Warns if most callers bypass the function in this kernel, although it exists. */
static void say_bypassed(struct session *s, const struct point *p)
{
	derived_list others = { 0 };
	pointdrifts list = { 0 };
	struct error *why;

	pointdrift_find_bypass(s, p, &list);
	vec_each(&list, i)
		if (is_there(s, list.data[i].point, &others, &why)) {
			pointdrift_say_bypassed(s, &list.data[i]);
			return;
		}
}

struct error *probe_resolve(struct session *s, const struct point *p, derived_list *ret)
{
	size_t before = ret->count;
	struct error *err;

	p = pointdrift_module(s, point_now(s, p));
	err = ask_families(s, p, ret);
	if (err && err->kind == ERROR_ABSENT)
		return resolve_drifted(s, p, err, ret);
	if (!err && ret->count > before)
		say_bypassed(s, p);
	return err;
}

bool probe_is_return(const struct derived *d)
{
	return d->family->is_return && d->family->is_return(d);
}

bool probe_is_twin(const struct derived *d)
{
	return d->family->is_twin && d->family->is_twin(d);
}

struct probe_counter *probe_counter(const struct derived *d)
{
	return d->family->counter ? d->family->counter(d) : NULL;
}

void *probe_data(const struct derived *d, const struct probe_family *family)
{
	return d->family == family ? d->data : NULL;
}
