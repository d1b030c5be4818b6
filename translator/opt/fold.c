/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Folds constants, and the branches that they decide, in all probes and functions. */
#include "ast/program.h"
#include "ast/constants.h"
#include "base/session.h"
#include "opt/opt.h"

bool opt_fold(struct session *s)
{
	struct program *p = s->program;
	bool changed = false;

	vec_each(&p->handlers, i)
		changed |= constants_fold(s, p->handlers.data[i]->body);
	vec_each(&p->functions, i) {
		if (p->functions.data[i]->body)
			changed |= constants_fold(s, p->functions.data[i]->body);
	}
	return changed;
}
