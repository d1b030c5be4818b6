/* SPDX-License-Identifier: GPL-2.0-or-later */
/* && || and ?: evaluate their right sides only when needed: they become if blocks. */
#include "ast/ast.h"
#include "ast/deadcode.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

static void logical_infer(struct infer *in, struct node *n, enum type wanted)
{
	typing_condition(in, n->lhs);
	typing_condition(in, n->rhs);
	typing_type(in, n, TYPE_LONG, wanted);
}

static bool logical_fold(struct session *s, struct node *n)
{
	bool is_and = n->op == OP_LAND;

	if (n->lhs->kind != NODE_NUMBER)
		return false;
	if (!!n->lhs->number != is_and) {
		deadcode_note(s, n->rhs);
		literals_set_number(n, !is_and);
		return true;
	}
	if (n->rhs->kind != NODE_NUMBER)
		return false;
	literals_set_number(n, !!n->rhs->number);
	return true;
}

static const char *logical_emit(struct emitter *e, struct node *n)
{
	const char *t = emit_temp(e, TYPE_LONG);

	writer_line(e->w, "%s = !!%s;", t, emit_expr(e, n->lhs));
	writer_open(e->w, n->op == OP_LAND ? "if (%s)" : "if (!%s)", t);
	writer_line(e->w, "%s = !!%s;", t, emit_expr(e, n->rhs));
	writer_close(e->w, "");
	return t;
}

static void ternary_infer(struct infer *in, struct node *n, enum type wanted)
{
	enum type type = wanted != TYPE_UNKNOWN		 ? wanted
			 : n->then->type != TYPE_UNKNOWN ? n->then->type
							 : n->els->type;

	if (type == TYPE_ERROR)
		type = TYPE_UNKNOWN;
	typing_condition(in, n->cond);
	lang_infer(in, n->then, type);
	if (type == TYPE_UNKNOWN && n->then->type != TYPE_ERROR)
		type = n->then->type;
	lang_infer(in, n->els, type);
	typing_type(in, n, n->then->type != TYPE_UNKNOWN ? n->then->type : n->els->type, wanted);
}

static bool ternary_fold(struct session *s, struct node *n)
{
	if (n->cond->kind != NODE_NUMBER)
		return false;
	deadcode_note(s, n->cond->number ? n->els : n->then);
	literals_set_node(n, n->cond->number ? n->then : n->els);
	return true;
}

static const char *ternary_emit(struct emitter *e, struct node *n)
{
	const char *t = emit_temp(e, n->type), *cond = emit_expr(e, n->cond);

	writer_open(e->w, "if (%s)", cond);
	writer_line(e->w, "%s = %s;", t, emit_expr(e, n->then));
	writer_reopen(e->w, "else");
	writer_line(e->w, "%s = %s;", t, emit_expr(e, n->els));
	writer_close(e->w, "");
	return t;
}

static void logical_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->lhs, true);
	strbuf_addf(out, " %s ", op_texts[n->op]);
	unparse_expr(out, n->rhs, true);
}

static void ternary_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->cond, true);
	strbuf_adds(out, " ? ");
	unparse_expr(out, n->then, true);
	strbuf_adds(out, " : ");
	unparse_expr(out, n->els, true);
}

LANG_OPS(logical, uses_children, effects_none, logical_print, checking_reach_nothing,
	 .infer = logical_infer, .fold = logical_fold, .emit = logical_emit, .is_operation = true);
LANG_OPS(ternary, uses_children, effects_none, ternary_print, checking_reach_nothing,
	 .infer = ternary_infer, .fold = ternary_fold, .emit = ternary_emit, .is_operation = true);
