/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/function/parameterdrift.h"

#include <string.h>

#include "base/error.h"
#include "base/session.h"
#include "types/memberdrift.h"
#include "drift/drift.h"

static const struct argument *argument_called(const arguments *args, const char *name)
{
	vec_each(args, i)
		if (!strcmp(args->data[i].name, name))
			return &args->data[i];
	return NULL;
}

/* *err: the error that stopped the path of a parameter that the function has. */
static bool parameter_of(struct session *s, struct function_point *f, const arguments *args,
			 const struct node *n, const struct drift *row, struct access *a,
			 struct error **err)
{
	for (size_t i = 0; row && i < row->now.count; i++) {
		const struct successor *now = &row->now.data[i];
		const struct argument *arg =
			now->kind == SUCCESSOR_VALUE ? argument_called(args, now->name) : NULL;
		path_steps steps = { 0 };

		if (!arg)
			continue;
		memberdrift_path(s->arena, now, &n->path, n->loc, &steps);
		*a = (struct access){ 0 };
		*err = calling_access(s, f->fn.btf, arg, ACCESS_ARG, &steps,
				      n->address_of || (now->is_part && !n->path.count), a);
		if (*err)
			continue;
		if (now->divisor)
			vec_push(s->arena, &a->steps, memberdrift_unit(now));
		a->drift = arena_printf(s->arena, "'%s' has %s parameter '%s' %s; '$%s' is taken",
					f->fn.name, now->is_beside ? "another" : "no",
					n->target_name, drift_story(s->arena, row), now->text);
		return true;
	}
	return false;
}

bool parameterdrift_find(struct session *s, struct function_point *f, const arguments *args,
			 const struct node *n, struct access *a, struct error **err)
{
	const struct drift *row = drift_parameter(s->arena, f->fn.name, n->target_name + 1);

	*err = NULL;
	return parameter_of(s, f, args, n, row, a, err) ||
	       ((!row || row->now.count) &&
		parameter_of(s, f, args, n, drift_parameter(s->arena, "*", n->target_name + 1), a,
			     err));
}

bool parameterdrift_return(struct session *s, struct function_point *f, const arguments *args,
			   const struct node *n, struct access *a)
{
	const struct drift *row =
		f->old_name ? drift_parameter(s->arena, f->old_name, "return") : NULL;
	struct error *err;

	if (row && row->now.count)
		return a->at_entry = parameter_of(s, f, args, n, row, a, &err);
	if (!row || n->path.count || calling_return(s, &f->fn, &n->path, n->address_of, a))
		return false;
	vec_push(s->arena, &a->steps, (struct access_step){ .kind = ACCESS_NO_ERROR });
	a->drift = arena_printf(s->arena, "'%s' returns errors %s; they are 0 as they were to '%s'",
				f->fn.name, drift_story(s->arena, row), f->old_name);
	return true;
}

bool parameterdrift_meaning(struct session *s, const struct function_point *f,
			    const struct node *n)
{
	const struct drift *row;

	if (n->path.count || n->address_of)
		return false;
	row = drift_parameter(s->arena, f->fn.name, n->target_name + 1);
	return row && row->now.count && row->now.data[0].is_beside;
}
