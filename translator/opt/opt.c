/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "opt/opt.h"

#include "base/session.h"
#include "base/options.h"

static const struct optimisation untyped[] = {
	{ "assignments", opt_assignments }, { "idle", opt_idle }, { "globals", opt_globals },
	{ "probes", opt_probes },	    { NULL, NULL },
};

static const struct optimisation typed[] = {
	{ "fold", opt_fold },	  { "pure", opt_pure }, { "locals", opt_locals },
	{ "unused", opt_unused }, { NULL, NULL },
};

static void run(struct session *s, const struct optimisation *table)
{
	bool changed = !s->options->unoptimized;

	while (changed) {
		changed = false;
		for (const struct optimisation *o = table; o->name; o++)
			changed |= o->run(s);
	}
}

void opt_untyped(struct session *s)
{
	run(s, untyped);
}

void opt_run(struct session *s)
{
	run(s, typed);
}
