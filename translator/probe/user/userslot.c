/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds slots by which programs call functions of libraries.
 */
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "program/plt.h"
#include "probe/user/throwing.h"
#include "probe/user/uprobe.h"
#include "probe/user/userpoint.h"
#include "probe/user/userreturn.h"

/*
 * Returns the slot by which the C library's headers have calls of the function made:
 * __isoc23_strtol, __isoc99_sscanf, __printf_chk; NULL: there is none.
 */
static const char *redirected(const plt_slots *slots, const char *function)
{
	size_t len = strlen(function);

	vec_each(slots, i) {
		const char *name = slots->data[i].name, *at = strstr(name, function);

		if (at && at > name + 1 && !strncmp(name, "__", 2) &&
		    ((!at[len] && !strncmp(name, "__isoc", 6)) ||
		     (at == name + 2 && !strcmp(at + len, "_chk"))))
			return name;
	}
	return NULL;
}

static struct error *no_slot(struct question *q, const plt_slots *slots, const char *pattern)
{
	const char *other = redirected(slots, pattern);
	VEC(const char *) names = { 0 };
	const char *near = NULL;

	vec_each(slots, i)
		vec_push(q->s->arena, &names, slots->data[i].name);
	if (!names.count)
		return error_create(q->s->arena, ERROR_ABSENT,
				    "%s makes no calls through slots: it is linked statically, "
				    "or compiled with -fno-plt",
				    q->program->path);
	if (other)
		return error_create(q->s->arena, ERROR_ABSENT,
				    "%s has no slot for '%s': the C library's headers make it "
				    "'%s'; probe .plt(\"%s\")",
				    q->program->path, pattern, other, other);
	if (!glob_is(pattern))
		near = diag_near(q->s, pattern, names.data, names.count);
	return error_create(q->s->arena, ERROR_ABSENT, "%s has no slot for '%s'%s%s",
			    q->program->path, pattern, near ? "; did you mean " : "",
			    near ? near : "");
}

static void add_slot(struct question *q, const struct plt_slot *slot)
{
	if (q->suffix.is_return && throwing_is_thrower(slot->name)) {
		q->refused = userreturn_none(q, slot->name);
		return;
	}
	if (q->suffix.is_return && throwing_may_leave(slot->name) &&
	    userreturn_note_blind(q, slot->name, "a slot has no code of the function"))
		return;
	userpoint_add(q, "plt", slot->name, slot->address)->is_slot = true;
}

/*
 * Finds slots of .plt. Patterns skip the slots of the start-up code, which every program
 * has.
 */
struct error *userslot_find(struct question *q, const struct component *c)
{
	struct glob glob = glob_make(c->arg_kind == ARG_STRING ? c->string : "*");
	size_t before = q->ret->count;
	plt_slots slots = { 0 };
	struct error *err;

	if (c->arg_kind == ARG_NUMBER || !*glob.pattern)
		return probe_wrong(q->s, "'.plt' needs the name of a function in a library: "
					 "process(\"PATH\").plt(\"malloc\")");
	if (q->suffix.is_return && q->program->is_go)
		return userreturn_none_of_go(q, glob.pattern, "a slot has no code of the function");
	err = plt_read(q->s, q->program, &slots);
	if (err)
		return err;
	q->refused = NULL;
	vec_each(&slots, i)
		if (glob_match(&glob, slots.data[i].name) &&
		    (glob.literal || !slots.data[i].is_spare))
			add_slot(q, &slots.data[i]);
	if (q->ret->count > before)
		return NULL;
	return q->refused ? q->refused : no_slot(q, &slots, glob.pattern);
}
