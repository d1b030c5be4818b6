/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/callpoints.h"

#include <fnmatch.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "drift/drift.h"
#include "lib/arena.h"
#include "sem/match.h"

static bool is_of_calls(const struct point *p)
{
	static const char *const families[] = { "syscall", "nd_syscall", "tp_syscall" };

	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
		if (p->components.count > 1 && !strcmp(p->components.data[0].name, families[i]))
			return true;
	return false;
}

const struct point *callpoints_by_library_name(struct session *s, const struct point *p)
{
	const struct drift *row =
		is_of_calls(p) ? drift_alias(s->arena, p->components.data[1].name) : NULL;
	const char *family = p->components.data[0].name;
	struct point *named;

	if (!row)
		return NULL;
	named = ast_copy_point(s->arena, p);
	named->components.data[1].name = row->now.data[0].name;
	diag_taken(s, p->components.data[1].loc, "the library's name of '%s.%s' is '%s.%s'", family,
		   row->old, family, row->now.data[0].name);
	return named;
}

/* ---- names as strings ---- */

/* Returns tp_syscall.NAME with the components after tp_syscall("…"). */
static const struct point *spelt(struct session *s, const struct point *p, const char *name)
{
	const struct component *first = &p->components.data[0];
	struct component call = { .name = name, .loc = first->arg_loc };
	struct point *ret = arena_new(s->arena, struct point);

	*ret = *p;
	memset(&ret->components, 0, sizeof(ret->components));
	vec_push(s->arena, &ret->components, *first);
	ret->components.data[0].arg_kind = ARG_NONE;
	vec_push(s->arena, &ret->components, call);
	for (size_t i = 1; i < p->components.count; i++)
		vec_push(s->arena, &ret->components, p->components.data[i]);
	return ret;
}

static bool has_name(const call_points *list, const char *name)
{
	vec_each(list, i)
		if (!strcmp(list->data[i]->components.data[1].name, name))
			return true;
	return false;
}

/*
 * Adds an item of the list. "read" and "compat_b" are calls; "~read" is the one of 32-bit
 * programs, which is a part of "read"; the text after '=' is another name that the two
 * share.
 */
static void add_item(struct session *s, const struct point *p, const char *item, call_points *ret)
{
	bool is_compat = *item == '~';
	const char *name =
		arena_strndup(s->arena, item + is_compat, strcspn(item + is_compat, "= \t"));

	if (!*name || has_name(ret, name))
		return;
	if (is_compat && strncmp(name, "compat_", strlen("compat_")))
		diag_error(s, p->components.data[0].arg_loc,
			   "'~%s': calls of 32-bit programs are not told apart; write \"%s\", and "
			   "look at @__compat_task",
			   name, name);
	else
		vec_push(s->arena, ret, spelt(s, p, name));
}

void callpoints_spell(struct session *s, const struct point *p, call_points *ret)
{
	const struct component *first = &p->components.data[0];
	const char *item;

	if (strcmp(first->name, "tp_syscall") || first->arg_kind != ARG_STRING) {
		vec_push(s->arena, ret, p);
		return;
	}
	if (!strpbrk(first->string, ",=~")) {
		vec_push(s->arena, ret, spelt(s, p, first->string));
		return;
	}
	for (item = first->string; *item; item += strcspn(item, ","), item += *item == ',') {
		item += strspn(item, " \t");
		add_item(s, p, arena_strndup(s->arena, item, strcspn(item, ",")), ret);
	}
}

/* ---- calls that programs no longer make ---- */

/* True: a point of the script has the call, by its name or a pattern. */
static bool script_has(struct session *s, const char *call)
{
	vec_each(&s->program->units, i)
		vec_each(&s->program->units.data[i]->probes, k)
			vec_each(&s->program->units.data[i]->probes.data[k]->points, j) {
				const struct point *p =
					s->program->units.data[i]->probes.data[k]->points.data[j];

				if (is_of_calls(p) && !fnmatch(p->components.data[1].name, call, 0))
					return true;
			}
	return false;
}

void callpoints_note(struct session *s, const struct point *p)
{
	const struct drift *row, *named;
	const char *family, *now;

	if (!is_of_calls(p) || match_is_wildcard(p) || s->options->list || s->listener)
		return;
	family = p->components.data[0].name;
	row = drift_call(s->arena, p->components.data[1].name);
	if (!row)
		return;
	now = row->now.data[0].name;
	named = drift_alias(s->arena, now);
	now = named ? named->now.data[0].name : now;
	if (!script_has(s, now))
		diag_taken(s, p->components.data[1].loc,
			   "programs call %s() by '%s' %s; %s.%s has these calls", row->old,
			   row->now.data[0].name, drift_story(s->arena, row), family, now);
}
