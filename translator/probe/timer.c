/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * timer.UNIT(N)[.randomize(M)]: every N units, plus or minus up to M. To add a unit: a
 * row in `units`.
 */
#include <inttypes.h>
#include <string.h>

#include "base/session.h"
#include "base/writer.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "probe/probe.h"

extern const struct probe_family probe_family_timer;

#define NS_PER_S    1000000000
#define NS_MIN	    100000 /* shorter intervals would leave the machine no time for its work */
#define NS_MAX	    86400000000000 /* a day */
#define JIFFIES_MAX 1000000
#define HZ_MAX	    (NS_PER_S / NS_MIN)

struct unit_row {
	const char *name;
	int64_t ns; /* 0: jiffies; -1: times a second */
};

static const struct unit_row units[] = {
	{ "s", NS_PER_S }, { "sec", NS_PER_S }, { "ms", 1000000 }, { "msec", 1000000 },
	{ "us", 1000 },	   { "usec", 1000 },	{ "ns", 1 },	   { "nsec", 1 },
	{ "jiffies", 0 },  { "hz", -1 },
};

struct timer {
	int64_t interval, random;
	bool jiffies;
};

static struct error *set_interval(struct session *s, const struct unit_row *unit, int64_t n,
				  struct timer *t)
{
	t->jiffies = unit->ns == 0;
	if (unit->ns < 0) {
		if (n < 1 || n > HZ_MAX)
			return probe_wrong(s, "timer.hz takes 1 to 10000 times per second");
		t->interval = NS_PER_S / n;
		return NULL;
	}
	if (t->jiffies) {
		t->interval = n;
		return n < 1 || n > JIFFIES_MAX ? probe_wrong(s, "timer.jiffies takes 1 to 1000000")
						: NULL;
	}
	if (n < 1 || n > NS_MAX / unit->ns || n * unit->ns < NS_MIN)
		return probe_wrong(s,
				   "a timer's interval has to be from 100 microseconds to one day");
	t->interval = n * unit->ns;
	return NULL;
}

static struct error *set_random(struct session *s, const struct unit_row *unit,
				const struct component *c, struct timer *t)
{
	if (strcmp(c->name, "randomize") || c->arg_kind != ARG_NUMBER)
		return probe_wrong(s, "only '.randomize(N)' can follow '.%s(N)'", unit->name);
	if (unit->ns < 0)
		return probe_wrong(s, "timer.hz cannot be randomized; give an interval instead, as "
				      "timer.ms(N).randomize(M)");
	t->random = c->number;
	if (unit->ns && c->number > 0 && c->number <= NS_MAX / unit->ns)
		t->random *= unit->ns;
	return t->random < 0 || t->random > t->interval
		       ? probe_wrong(s, "the random part has to be from 0 to the interval")
		       : NULL;
}

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const struct component *c = probe_component(p, 1);
	struct timer *t = arena_new(s->arena, struct timer);
	struct error *err;

	if (strcmp(probe_component(p, 0)->name, "timer") || (c && !strcmp(c->name, "profile")))
		return NULL; /* timer.profile is an event of every CPU: perf.c */
	for (size_t i = 0; c && i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(c->name, units[i].name))
			continue;
		if (c->arg_kind != ARG_NUMBER)
			return probe_wrong(s, "'timer.%s' takes a number: timer.%s(N)", c->name,
					   c->name);
		err = set_interval(s, &units[i], c->number, t);
		if (!err && p->components.count > 2)
			err = set_random(s, &units[i], probe_component(p, 2), t);
		if (!err && p->components.count > 3)
			err = probe_wrong(s, "nothing can follow '.randomize(N)'");
		if (!err)
			probe_derived_new(s, &probe_family_timer, p, ret)->data = t;
		return err;
	}
	if (c)
		return probe_wrong(s,
				   "there is no 'timer.%s'; there are timer.s(N), .ms(N), .us(N), "
				   ".ns(N), .jiffies(N) and .hz(N)",
				   c->name);
	return probe_wrong(s, "expected timer.s(N), .ms(N), .us(N), .ns(N), .jiffies(N) or .hz(N)");
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct timer *t = d->data;

	writer_line(w,
		    "static const struct stp_point_timer point_%u = { .interval = %" PRId64
		    ", .random = %" PRId64 ", .jiffies = %s };",
		    d->index, t->interval, t->random, t->jiffies ? "true" : "false");
}

PROBE_FAMILY(timer,
	     "timer.s(number)\ntimer.s(number).randomize(number)\n"
	     "timer.sec(number)\ntimer.sec(number).randomize(number)\n"
	     "timer.ms(number)\ntimer.ms(number).randomize(number)\n"
	     "timer.msec(number)\ntimer.msec(number).randomize(number)\n"
	     "timer.us(number)\ntimer.us(number).randomize(number)\n"
	     "timer.usec(number)\ntimer.usec(number).randomize(number)\n"
	     "timer.ns(number)\ntimer.ns(number).randomize(number)\n"
	     "timer.nsec(number)\ntimer.nsec(number).randomize(number)\n"
	     "timer.jiffies(number)\ntimer.jiffies(number).randomize(number)\n"
	     "timer.hz(number)",
	     .resolve = resolve, .emit = emit, .is_rare = true, .user_runtime = true,
	     .hits = PROBE_HITS_TIMER);
