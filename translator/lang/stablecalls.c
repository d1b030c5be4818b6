/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of functions whose embedded C is "stable": pid(), execname() and similar
 * functions keep their value while a handler or a function executes. If a body may use
 * the value more than once, the first call stores it in a C local.
 */
#include "ast/ast.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "lib/arena.h"

struct calls {
	const struct function *function;
	unsigned count, loops;
};

static int enter(struct node *n, void *ctx)
{
	struct calls *calls = ctx;

	calls->loops += node_is_loop(n);
	if (n->kind == NODE_CALL && n->function == calls->function)
		calls->count += calls->loops ? 2 : 1;
	return 0;
}

static int leave(struct node *n, void *ctx)
{
	struct calls *calls = ctx;

	calls->loops -= node_is_loop(n);
	return 0;
}

static bool is_called_again(const struct emitter *e, const struct function *f)
{
	struct calls calls = { .function = f };

	ast_walk(e->function ? e->function->body : e->handler->body, enter, leave, &calls);
	return calls.count > 1;
}

static const char *declare(struct emitter *e, const struct function *f)
{
	const char *name = arena_printf(e->s->arena, "v_%s", f->c_name);

	writer_line(e->body_decls, "bool has_%s = false;", name);
	if (f->type == TYPE_LONG) {
		writer_line(e->body_decls, "int64_t %s = 0;", name);
		return name;
	}
	writer_line(e->body_decls, "struct stp_str %s = STP_STR(\"\");", name);
	writer_line(e->frame, "char %s[MAXSTRINGLEN];", name);
	e->variables++;
	return name;
}

const char *stablecalls_result(struct emitter *e, const struct node *n)
{
	struct memo memo = { .function = n->function };

	/* An on-the-fly condition is evaluated once. */
	if (!e->function && !e->handler)
		return NULL;
	if (!(n->function->pragmas & PRAGMA_STABLE) || n->list || n->function->overload ||
	    (n->type != TYPE_LONG && n->type != TYPE_STRING) || overload_may_pass(n->function))
		return NULL;
	vec_each(&e->memos, i)
		if (e->memos.data[i].function == n->function)
			return e->memos.data[i].name;
	if (e->keeps || is_called_again(e, n->function))
		memo.name = declare(e, n->function);
	vec_push(e->s->arena, &e->memos, memo);
	return memo.name;
}
