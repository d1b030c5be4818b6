/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions about a point, for families and pointdrift.c. */
#include <string.h>

#include "probe/probe.h"

const struct component *probe_component(const struct point *p, unsigned i)
{
	return i < p->components.count ? &p->components.data[i] : NULL;
}

bool probe_component_is(const struct point *p, unsigned i, const char *name, int arg_kind)
{
	const struct component *c = probe_component(p, i);

	return c && (int)c->arg_kind == arg_kind && !strcmp(c->name, name);
}

const struct point *probe_written(const struct point *p)
{
	return p->drift ? p->drift->written : p;
}
