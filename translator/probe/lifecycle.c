/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * begin, end, error and never: points in the script's own
 * life. begin(N) and the like run in ascending order of N.
 */
#include <inttypes.h>
#include <string.h>

#include "base/session.h"
#include "base/writer.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "probe/probe.h"

extern const struct probe_family probe_family_lifecycle;

struct lifecycle {
	const char *name, *kind;
	int64_t order;
};

static const struct lifecycle lifecycles[] = {
	{ "begin", "STP_BEGIN", 0 },
	{ "end", "STP_END", 0 },
	{ "error", "STP_ERROR_PROBE", 0 },
	{ "never", "STP_NEVER", 0 },
};

static struct error *resolve(struct session *s, const struct point *p, derived_list *ret)
{
	const struct component *c = probe_component(p, 0);

	for (size_t i = 0; i < sizeof(lifecycles) / sizeof(lifecycles[0]); i++) {
		struct lifecycle *m;

		if (strcmp(c->name, lifecycles[i].name))
			continue;
		if (p->components.count > 1)
			return probe_wrong(s, "nothing can follow '%s' as '.%s'", c->name,
					   p->components.data[1].name);
		if (c->arg_kind == ARG_STRING ||
		    (c->arg_kind == ARG_NUMBER && !strcmp(c->name, "never")))
			return probe_wrong(s, "'%s' takes %s", c->name,
					   strcmp(c->name, "never")
						   ? "a number: its place in the order"
						   : "no argument");
		m = arena_new(s->arena, struct lifecycle);
		*m = lifecycles[i];
		m->order = c->arg_kind == ARG_NUMBER ? c->number : 0;
		probe_derived_new(s, &probe_family_lifecycle, p, ret)->data = m;
		return NULL;
	}
	return NULL;
}

static void emit(struct session *s, struct derived *d, struct writer *w)
{
	const struct lifecycle *m = d->data;

	writer_line(w,
		    "static const struct stp_point_lifecycle point_%u = { .kind = %s, .order = "
		    "INT64_C(%" PRId64 ") };",
		    d->index, m->kind, m->order);
}

PROBE_FAMILY(lifecycle, "begin\nbegin(number)\nend\nend(number)\nerror\nerror(number)\nnever",
	     .resolve = resolve, .emit = emit, .is_rare = true, .runs_alone = true,
	     .user_runtime = true, .hits = PROBE_HITS_SCRIPT);
