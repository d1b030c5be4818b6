/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks, if, loops, and statements that leave them. Each pass of a loop is taken from
 * the hit's budget, so that no loop is endless.
 */
#include "ast/ast.h"
#include "ast/deadcode.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

static void to_empty(struct node *n)
{
	struct node *next = n->next;

	*n = (struct node){ .kind = NODE_EMPTY, .loc = n->loc, .next = next };
}

/* ---- { }, expressions, nothing ---- */

/* Touches memory that is read after the first lasting effect: module/pagesahead.c. */
static void emit_ahead(struct emitter *e)
{
	vec_each(&e->handler->ahead, i) {
		struct emit_scope scope;
		const char *address;

		emit_scope_open(e, &scope);
		address = emit_expr(e, e->handler->ahead.data[i]);
		writer_open(e->w, "if (!stp_touch(c, %s))", address);
		writer_line(e->w, "goto %s;", e->fail_label);
		writer_close(e->w, "");
		emit_scope_close(e, &scope);
	}
}

static const char *block_emit(struct emitter *e, struct node *n)
{
	for (struct node *item = n->list; item; item = item->next) {
		if (e->handler && item == e->handler->lasting)
			emit_ahead(e);
		emit_statement(e, item);
	}
	return NULL;
}

static const char *expr_emit(struct emitter *e, struct node *n)
{
	if (n->operand->kind == NODE_EMBED)
		embed_emit_statement(e, n->operand);
	else
		assign_emit_effect(e, n->operand);
	return NULL;
}

static const char *empty_emit(struct emitter *e, struct node *n)
{
	return NULL;
}

static bool leaves(const struct node *n)
{
	return n->kind == NODE_NEXT || n->kind == NODE_RETURN || n->kind == NODE_BREAK ||
	       n->kind == NODE_CONTINUE;
}

/* Drops the statements after one that leaves the block: they are never reached. */
static bool block_fold(struct session *s, struct node *n)
{
	for (struct node *statement = n->list; statement && statement->next;
	     statement = statement->next) {
		if (!leaves(statement))
			continue;
		for (struct node *behind = statement->next; behind; behind = behind->next)
			deadcode_note(s, behind);
		statement->next = NULL;
		return true;
	}
	return false;
}

static void block_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, "{\n");
	for (const struct node *item = n->list; item; item = item->next)
		ast_print_statement(out, item, depth + 1);
	unparse_indent(out, depth);
	strbuf_adds(out, "}\n");
}

static void expr_uses(struct uses *u, struct node *n, bool wanted)
{
	uses_effect(u, n->operand);
}

static void expr_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->operand, false);
	strbuf_adds(out, ";\n");
}

static void empty_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, ";\n");
}

LANG_OPS(block, uses_children, effects_none, block_print, checking_reach_nothing,
	 .fold = block_fold, .emit = block_emit);
LANG_OPS(expr, expr_uses, effects_none, expr_print, checking_reach_nothing, .emit = expr_emit);
LANG_OPS(empty, uses_children, effects_none, empty_print, checking_reach_nothing,
	 .emit = empty_emit);

/* ---- if ---- */

static void if_infer(struct infer *in, struct node *n, enum type wanted)
{
	typing_condition(in, n->cond);
	lang_infer(in, n->then, TYPE_UNKNOWN);
	if (n->els)
		lang_infer(in, n->els, TYPE_UNKNOWN);
}

static bool if_fold(struct session *s, struct node *n)
{
	struct node *taken;

	if (n->cond->kind != NODE_NUMBER)
		return false;
	taken = n->cond->number ? n->then : n->els;
	deadcode_note(s, n->cond->number ? n->els : n->then);
	if (taken)
		literals_set_node(n, taken);
	else
		to_empty(n);
	return true;
}

static const char *if_emit(struct emitter *e, struct node *n)
{
	unsigned storage = e->storage;
	const char *cond = emit_expr(e, n->cond);

	e->storage = storage; /* the condition is a number: its strings are no longer needed */
	writer_open(e->w, "if (%s)", cond);
	emit_statement(e, n->then);
	if (n->els) {
		writer_reopen(e->w, "else");
		emit_statement(e, n->els);
	}
	writer_close(e->w, "");
	return NULL;
}

/*
 * Checks only branches that can be taken; one that is never taken may contain anything.
 */
static void if_check(struct checking *ck, struct node *n)
{
	if (n->cond->kind == NODE_NUMBER)
		checking_node(ck, n->cond->number ? n->then : n->els);
	else
		checking_children(ck, n);
}

static bool if_is_idle(const struct node *n, bool is_written, struct node **left)
{
	*left = n->cond;
	return lang_is_nothing(n->then) && lang_is_nothing(n->els);
}

static void if_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, "if (", n->cond);
	strbuf_addc(out, ')');
	unparse_body(out, n->then, depth);
	if (n->els) {
		unparse_indent(out, depth);
		strbuf_adds(out, "else");
		unparse_body(out, n->els, depth);
	}
}

LANG_OPS(if, uses_children, effects_none, if_print, checking_reach_nothing, .infer = if_infer,
	 .fold = if_fold, .emit = if_emit, .check = if_check, .is_idle = if_is_idle);

/* ---- while, for ---- */

static void for_infer(struct infer *in, struct node *n, enum type wanted)
{
	if (n->init)
		lang_infer(in, n->init, TYPE_UNKNOWN);
	if (n->test)
		typing_condition(in, n->test);
	if (n->step)
		lang_infer(in, n->step, TYPE_UNKNOWN);
	lang_infer(in, n->body, TYPE_UNKNOWN);
}

static bool for_fold(struct session *s, struct node *n)
{
	struct node *init = n->init;

	if (!n->test || n->test->kind != NODE_NUMBER || n->test->number)
		return false;
	deadcode_note(s, n->step);
	deadcode_note(s, n->body);
	to_empty(n);
	if (init && init->kind >= NODE_BLOCK) {
		literals_set_node(n, init);
	} else if (init) {
		n->kind = NODE_EXPR;
		n->operand = init;
	}
	return true;
}

/* Emits an expression or statement whose value is not used. */
static void emit_part(struct emitter *e, struct node *n)
{
	struct emit_scope scope;

	if (!n)
		return;
	emit_scope_open(e, &scope);
	assign_emit_effect(e, n);
	emit_scope_close(e, &scope);
}

static void emit_test(struct emitter *e, struct node *test)
{
	struct emit_scope scope;
	const char *value;

	if (!test)
		return;
	emit_scope_open(e, &scope);
	value = emit_expr(e, test);
	writer_line(e->w, "if (!%s)", value);
	writer_line(e->w, "\tbreak;");
	emit_scope_close(e, &scope);
}

static const char *for_emit(struct emitter *e, struct node *n)
{
	const char *break_label = e->break_label, *continue_label = e->continue_label;

	e->break_label = emit_label(e, "done");
	e->continue_label = emit_label(e, "again");
	emit_part(e, n->init);
	writer_open(e->w, "for (;;)");
	emit_spend_pass(e, n);
	emit_test(e, n->test);
	emit_statement(e, n->body);
	emit_place_label(e, e->continue_label);
	emit_part(e, n->step);
	writer_close(e->w, "");
	emit_place_label(e, e->break_label);
	e->break_label = break_label;
	e->continue_label = continue_label;
	return NULL;
}

static void for_uses(struct uses *u, struct node *n, bool wanted)
{
	uses_effect(u, n->init);
	uses_value(u, n->test);
	uses_effect(u, n->step);
	uses_effect(u, n->body);
}

static void for_check(struct checking *ck, struct node *n)
{
	ck->loops++;
	checking_children(ck, n);
	ck->loops--;
}

/*
 * True for a loop that was written empty: one whose body has no effect may still exceed
 * the budget.
 */
static bool for_is_idle(const struct node *n, bool is_written, struct node **left)
{
	*left = n->init;
	return is_written && lang_is_nothing(n->body) && !(n->test && effects_in(n->test)) &&
	       !(n->step && effects_in(n->step)) && (!n->init || n->init->kind < NODE_BLOCK);
}

static void for_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, "for (", n->init);
	unparse_after(out, "; ", n->test);
	unparse_after(out, "; ", n->step);
	strbuf_addc(out, ')');
	unparse_body(out, n->body, depth);
}

static void while_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, "while (", n->test);
	strbuf_addc(out, ')');
	unparse_body(out, n->body, depth);
}

LANG_OPS(for, for_uses, effects_none, for_print, checking_reach_nothing,
	 .infer = for_infer, .fold = for_fold, .emit = for_emit,
	 .check = for_check, .is_idle = for_is_idle);
LANG_OPS(while, for_uses, effects_none, while_print, checking_reach_nothing, .infer = for_infer,
	 .fold = for_fold, .emit = for_emit, .check = for_check, .is_idle = for_is_idle);

/* ---- statements that leave ---- */

static const char *break_emit(struct emitter *e, struct node *n)
{
	writer_line(e->w, "goto %s;", e->break_label);
	return NULL;
}

static const char *continue_emit(struct emitter *e, struct node *n)
{
	writer_line(e->w, "goto %s;", e->continue_label);
	return NULL;
}

static void return_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct function *f = in->function;

	if (!n->operand) {
		if (in->final && f && (f->type == TYPE_LONG || f->type == TYPE_STRING))
			typing_error(in, n->loc,
				     "nothing is returned here, a %s elsewhere in '%s()'",
				     node_type_name(f->type), f->name);
		return;
	}
	if (!f) {
		lang_infer(in, n->operand, TYPE_UNKNOWN);
		return;
	}
	typing_because(in, n->operand, f->type, f->type_loc, f->name);
	autocast_note(in, &f->pointee, n->operand);
	if (in->guess && n->operand->type == TYPE_VOID)
		typing_type(in, n->operand, TYPE_VOID, TYPE_LONG);
	if (in->guess && f->type == TYPE_UNKNOWN && n->operand->type == TYPE_ERROR) {
		f->type = TYPE_ERROR;
		in->changed = true;
	}
	if (f->type == TYPE_UNKNOWN &&
	    (n->operand->type == TYPE_LONG || n->operand->type == TYPE_STRING)) {
		f->type = n->operand->type;
		f->type_loc = n->operand->loc;
		in->changed = true;
	}
}

static void leave(struct emitter *e)
{
	emit_end_iterators(e, 0);
	writer_line(e->w, "goto out;");
}

static const char *return_emit(struct emitter *e, struct node *n)
{
	bool is_string = n->operand && e->function && e->function->type == TYPE_STRING,
	     done = false;
	const char *value = NULL;

	if (is_string)
		value = emit_string_at(e, n->operand, "ret", &done);
	else if (n->operand)
		value = emit_expr(e, n->operand);
	if (is_string)
		writer_line(e->w, done ? "r = %s;" : "r = stp_str_copy(c, ret, %s);", value);
	else if (value && e->function->type == TYPE_LONG)
		writer_line(e->w, "r = %s;", value);
	leave(e);
	return NULL;
}

/* Emits `next` in a function: the next overload gets the call. */
static const char *next_emit(struct emitter *e, struct node *n)
{
	if (e->function)
		writer_line(e->w, "c->next = true;");
	leave(e);
	return NULL;
}

static void leave_loop_check(struct checking *ck, struct node *n)
{
	if (!ck->loops)
		typing_error(&ck->in, n->loc, "'%s' is outside of any loop",
			     node_kind_name(n->kind));
}

static void return_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, n->operand ? "return " : "return", n->operand);
	strbuf_adds(out, ";\n");
}

static void word_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addf(out, "%s;\n", node_kind_name(n->kind));
}

LANG_OPS(break, uses_children, effects_none, word_print, checking_reach_nothing, .emit = break_emit,
	 .check = leave_loop_check);
LANG_OPS(continue, uses_children, effects_none, word_print, checking_reach_nothing,
	 .emit = continue_emit, .check = leave_loop_check);
LANG_OPS(return, uses_children, effects_none, return_print, checking_reach_nothing,
	       .infer = return_infer, .emit = return_emit);
LANG_OPS(next, uses_children, effects_none, word_print, checking_reach_nothing, .emit = next_emit);
