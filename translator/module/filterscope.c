/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the probes that get the hits of all tasks even in a run restricted to a control
 * group: those that call unfiltered(), directly or through functions.
 */
#include "ast/ast.h"
#include "module/module.h"

static bool *mark(struct function *f)
{
	return &f->unfiltered;
}

void filterscope_mark(struct program *p)
{
	static const struct reading reading = { .mark = mark };

	vec_each(&p->functions, i)
		p->functions.data[i]->unfiltered =
			p->functions.data[i]->pragmas & PRAGMA_UNFILTERED;
	readers_mark_callers(&reading, p);
	vec_each(&p->probes, i)
		p->probes.data[i]->unfiltered = readers_of_probe(&reading, p->probes.data[i]);
}
