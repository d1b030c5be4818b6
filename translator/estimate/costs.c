/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of costs.def that are found by name: points, and functions of the library. */
#include "estimate/estimate.h"

#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/glob.h"
#include "probe/probe.h"

/* Each family has a last row: OTHERS_function and so on. */
enum others {
#define OTHERS(family, instructions, what) OTHERS_##family,
#include "estimate/costs.def"
};
#define FAMILY(name) _Static_assert((int)OTHERS_##name >= 0, "every family has a row");
#include "probe/families.def"
#undef FAMILY

#define FAMILY(name) extern const struct probe_family probe_family_##name;
#include "probe/families.def"
#undef FAMILY

static const struct point_row {
	const struct probe_family *family;
	const char *pattern;
	int64_t instructions;
	const char *what;
} points[] = {
#define POINT(family, pattern, instructions, what)                                                 \
	{ &probe_family_##family, pattern, instructions, what },
#define OTHERS(family, instructions, what) POINT(family, "*", instructions, what)
#include "estimate/costs.def"
};

enum costs {
#define OPERATION(id, instructions, what) COSTS_##id = instructions,
#include "estimate/costs.def"
};

static const struct called_row {
	const char *name;
	int64_t instructions;
} called[] = {
#define CALLED(name, instructions) { name, instructions },
#include "estimate/costs.def"
};

const int estimate_reader = COSTS_READER;

#define WRAPPED_MOST 3 /* functions: OWN_OPS_MOST of runtime/probe/function/function.h */

static bool are_few(const struct program *p, const struct probe_family *family)
{
	const char *before = "";
	unsigned n = 0;

	vec_each(&p->probes, i) {
		const struct derived *d = p->probes.data[i];

		if (d->family != family)
			continue;
		n += !d->pfunc || strcmp(d->pfunc, before) != 0;
		before = d->pfunc ? d->pfunc : "";
	}
	return n <= WRAPPED_MOST;
}

/* True: a wrapper calls the function whose return this is. */
static bool is_wrapped(struct session *s, const struct derived *d)
{
	return s->options->runtime == RUNTIME_KERNEL && probe_is_return(d) &&
	       d->family->passes_on && !d->handler->saved.count && are_few(s->program, d->family) &&
	       d->family->passes_on(s, d);
}

int64_t estimate_point_cost(struct session *s, const struct derived *d, const char **what)
{
	const struct point_row *row = points;
	struct glob pattern = glob_make(row->pattern);

	if (is_wrapped(s, d)) {
		*what = "the return of a function that a wrapper calls";
		return COSTS_WRAPPED;
	}
	while (row->family != d->family || !glob_match(&pattern, d->pp))
		pattern = glob_make((++row)->pattern);
	*what = row->what;
	return row->instructions;
}

int64_t estimate_called(const char *name)
{
	for (size_t i = 0; i < sizeof(called) / sizeof(called[0]); i++)
		if (!strcmp(called[i].name, name))
			return called[i].instructions;
	return -1;
}
