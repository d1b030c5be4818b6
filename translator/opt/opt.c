/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "opt/opt.h"

#include "base/session.h"
#include "options.h"

static const struct optimisation table[] = {
	{ "fold", opt_fold },
	{ "pure", opt_pure },
	{ "locals", opt_locals },
	{ "unused", opt_unused },
};

void opt_run(struct session *s)
{
	bool changed = true;

	if (s->options->unoptimized)
		return;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
			changed |= table[i].run(s);
	}
}
