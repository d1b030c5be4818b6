/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/parameterdrift.h"

#include <string.h>

#include "base/session.h"
#include "drift/drift.h"
#include "lib/error.h"
#include "types/memberdrift.h"

static const struct drift *own_row(const struct parameterdrift *d)
{
	return drift_parameter(d->s->arena, d->key, d->n->target_name + 1);
}

/* Makes a constant from a value that was always the same. */
static bool take_number(struct parameterdrift *d, const struct successor *now)
{
	if (d->n->path.count || d->n->address_of)
		return false;
	*d->a = (struct access){ .base = ACCESS_ADDRESS, .number = now->number, .c_type = "int" };
	return true;
}

bool parameterdrift_take(struct parameterdrift *d, const struct successor *now)
{
	path_steps steps = { 0 };
	bool address_of = d->n->address_of || (now->is_part && !d->n->path.count);

	if (now->kind == SUCCESSOR_NUMBER)
		return take_number(d, now);
	memberdrift_path(d->s->arena, now, &d->n->path, d->n->loc, &steps);
	*d->a = (struct access){ 0 };
	if (!d->follow(d, now->name, &steps, address_of))
		return false;
	if (now->divisor)
		vec_push(d->s->arena, &d->a->steps, memberdrift_unit(now));
	return true;
}

bool parameterdrift_find_by(struct parameterdrift *d, const struct drift *row)
{
	for (size_t i = 0; row && i < row->now.count; i++) {
		const struct successor *now = &row->now.data[i];

		if (!parameterdrift_take(d, now))
			continue;
		d->a->drift =
			arena_printf(d->s->arena, "%s has %s parameter '%s' %s; '%s%s' is taken",
				     d->subject, now->is_beside ? "another" : "no",
				     d->n->target_name, drift_story(d->s->arena, row),
				     now->kind == SUCCESSOR_NUMBER ? "" : "$", now->text);
		return true;
	}
	return false;
}

bool parameterdrift_find(struct parameterdrift *d)
{
	const struct drift *row = own_row(d);

	if (parameterdrift_find_by(d, row))
		return true;
	if (d->own_only || (row && !row->now.count))
		return false;
	return parameterdrift_find_by(d, drift_parameter(d->s->arena, "*", d->n->target_name + 1));
}

bool parameterdrift_is_another(const struct parameterdrift *d)
{
	const struct drift *row = d->n->path.count || d->n->address_of ? NULL : own_row(d);

	return row && row->now.count && row->now.data[0].is_beside;
}

struct error *parameterdrift_story(const struct parameterdrift *d)
{
	const struct drift *row = own_row(d);

	return row ? error_create(d->s->arena, ERROR_ABSENT, "%s has no parameter '%s' %s",
				  d->subject, d->n->target_name, drift_story(d->s->arena, row))
		   : NULL;
}
