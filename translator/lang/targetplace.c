/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which target variables can be written: in memory, bits of it, or in a register. */
#include "ast/access.h"
#include "ast/ast.h"
#include "base/session.h"
#include "lang/ops.h"

ptrdiff_t targetplace_load(const struct access *a)
{
	const struct access_step *steps = a->steps.data;
	ptrdiff_t last = (ptrdiff_t)a->steps.count - 1;

	if (last >= 1 && steps[last].kind == ACCESS_BITS)
		last--;
	return last >= 0 && steps[last].kind == ACCESS_LOAD ? last : -1;
}

static bool is_register(const struct access *a)
{
	const struct access_expression *x = a->expression;

	if (a->steps.count > 1 || (a->steps.count && a->steps.data[0].kind != ACCESS_TRUNCATE))
		return false;
	return a->base == ACCESS_ARG || a->base == ACCESS_RETURN || a->base == ACCESS_SYSCALL_ARG ||
	       (a->base == ACCESS_EXPRESSION &&
		x->operations.data[x->words.data[a->number]].kind == ACCESS_REGISTER);
}

static bool is_allowed(const struct access *a)
{
	return !a->pretty && (targetplace_load(a) >= 0 || is_register(a));
}

void targetplace_check(struct checking *ck, const struct node *target, struct loc loc)
{
	const struct access *a = target->access;

	if (target->type == TYPE_ERROR)
		return;
	if (a && a->own && !a->own->set) {
		typing_error(&ck->in, target->loc, "'%s' cannot be set: %s", target->target_name,
			     a->own->unwritten);
		return;
	}
	if (a && a->own)
		return;
	if (a && !is_allowed(a))
		typing_error(
			&ck->in, target->loc,
			"'%s' cannot be written: it is neither in memory nor in a register here",
			unparse_node(ck->in.s->arena, target));
	else
		checking_need_guru(ck, target->loc, "this writes to the probed program");
}
