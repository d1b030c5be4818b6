/* SPDX-License-Identifier: GPL-2.0-or-later */
/* try and catch: inside the block, errors go to the catch label. */
#include "ast/ast.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	lang_infer(in, n->block, TYPE_UNKNOWN);
	if (n->catch_var)
		lang_infer(in, n->catch_var, TYPE_STRING);
	if (n->catch_block)
		lang_infer(in, n->catch_block, TYPE_UNKNOWN);
}

static const char *emit(struct emitter *e, struct node *n)
{
	const char *catch_label = emit_label(e, "catch"), *end = emit_label(e, "tried"),
		   *fail = e->fail_label;

	e->fail_label = catch_label;
	emit_statement(e, n->block);
	e->fail_label = fail;
	writer_line(e->w, "goto %s;", end);
	emit_place_label(e, catch_label);
	if (n->catch_var)
		writer_line(e->w, "%s = stp_catch(c, %s);", n->catch_var->symbol->c_name,
			    variables_emit_storage(e, n->catch_var->symbol));
	else
		writer_line(e->w, "stp_catch(c, %s);", emit_storage(e));
	emit_check(e, n->loc);
	if (n->catch_block)
		emit_statement(e, n->catch_block);
	emit_place_label(e, end);
	return NULL;
}

static void uses(struct uses *u, struct node *n, bool wanted)
{
	if (n->catch_var)
		uses_place(u, n->catch_var, USE_WRITE);
	uses_effect(u, n->block);
	uses_effect(u, n->catch_block);
}

static enum effect effect(const struct node *n)
{
	return n->catch_var ? effects_of_place(n->catch_var) : EFFECT_NONE;
}

static bool is_idle(const struct node *n, bool is_written, struct node **left)
{
	*left = NULL;
	return lang_is_nothing(n->block);
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, "try\n");
	ast_print_statement(out, n->block, depth);
	unparse_indent(out, depth);
	strbuf_adds(out, "catch");
	if (n->catch_var)
		strbuf_addf(out, " (%s)", n->catch_var->name);
	strbuf_addc(out, '\n');
	ast_print_statement(out, n->catch_block, depth);
}

LANG_OPS(try, uses, effect, print, checking_reach_nothing, .infer = infer, .emit = emit,
	 .is_idle = is_idle);
