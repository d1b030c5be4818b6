/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which target variables can be written: in memory, bits of memory, or in a
 * register.
 */
#include "arch/arch.h"
#include "ast/access.h"
#include "ast/ast.h"
#include "base/options.h"
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

/* True: the word of the location is a register that probes can set. */
static bool is_set_register(struct session *s, const struct access *a)
{
	const struct access_expression *x = a->expression;
	const struct access_operation *o = &x->operations.data[x->words.data[a->number]];

	return o->kind == ACCESS_REGISTER && o->number <= arch_of(s)->registers->ip;
}

static bool is_register(struct session *s, const struct access *a)
{

	if (a->steps.count > 1 || (a->steps.count && a->steps.data[0].kind != ACCESS_TRUNCATE))
		return false;
	return a->base == ACCESS_ARG || a->base == ACCESS_RETURN || a->base == ACCESS_SYSCALL_ARG ||
	       (a->base == ACCESS_EXPRESSION && is_set_register(s, a));
}

static bool is_allowed(struct session *s, const struct access *a)
{
	return !a->pretty && (targetplace_load(a) >= 0 || is_register(s, a));
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
	if (ck->in.s->options->runtime == RUNTIME_BPF)
		typing_error(&ck->in, target->loc,
			     "writing to '%s' needs a module, --runtime=kernel: --runtime=bpf only "
			     "reads",
			     unparse_node(ck->in.s->arena, target));
	else if (a && !is_allowed(ck->in.s, a))
		typing_error(
			&ck->in, target->loc,
			"'%s' cannot be written: it is neither in memory nor in a register here",
			unparse_node(ck->in.s->arena, target));
	else
		checking_need_guru(ck, target->loc, "this writes to the probed program");
}
