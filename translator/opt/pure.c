/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drops statements that do nothing: expressions without effects, branches and loops
 * around nothing. Reports those that the user wrote as statements.
 */
#include "ast/ast.h"
#include "ast/deadcode.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/effects.h"
#include "opt/opt.h"
#include "sem/advice.h"

struct drop {
	struct session *s;
	bool says; /* warnings are wanted */
	/*
	 * a statement that is a name of unknown origin: the statement after it belongs
	 * to that mistake
	 */
	const struct node *strange;
	bool changed;
};

static void make_empty(struct drop *d, struct node *n)
{
	*n = (struct node){ .kind = NODE_EMPTY, .loc = n->loc, .next = n->next };
	d->changed = true;
}

/* Replaces the statement with the effects of the expression. */
static void make_expression(struct drop *d, struct node *n, struct node *e)
{
	if (!e || !effects_in(e)) {
		deadcode_note_copy(d->s, n);
		make_empty(d, n);
		return;
	}
	*n = (struct node){ .kind = NODE_EXPR, .loc = n->loc, .next = n->next };
	n->operand = e;
	d->changed = true;
}

/* True: only the children of the node matter, because nobody uses its value. */
static bool only_computes(const struct node *n)
{
	const struct node_ops *ops = node_ops[n->kind];

	return ops->only_computes && ops->only_computes(n);
}

static struct node *add_statement(struct session *s, struct node *list, struct node *e)
{
	struct node *statement;

	if (!e)
		return list;
	if (!effects_in(e)) {
		deadcode_note(s, e);
		return list;
	}
	statement = node_new(s->arena, NODE_EXPR, e->loc);
	statement->operand = e;
	return node_append(list, statement);
}

/* Splits f() + g(); into f(); g(); */
static void split_expression(struct drop *d, struct node *n)
{
	struct node *e = n->operand, *list = NULL, *next;

	for (unsigned i = 0; i < 4; i++)
		list = add_statement(d->s, list, e->kid[i]);
	for (struct node *item = e->list; item; item = next) {
		next = item->next;
		item->next = NULL;
		list = add_statement(d->s, list, item);
	}
	*n = (struct node){ .kind = NODE_BLOCK, .loc = n->loc, .next = n->next };
	n->list = list;
	d->changed = true;
}

/*
 * True for a bare name that nothing ever assigns. It is more likely a mistake than an
 * unused value.
 */
static bool is_strange_name(const struct node *e)
{
	return e->kind == NODE_NAME && e->symbol && e->symbol->kind == SYMBOL_LOCAL &&
	       !e->symbol->written && !e->symbol->left_out;
}

/*
 * Returns the statement that the author of an expression without effect probably
 * intended.
 */
static const char *meant_instead(const struct node *e)
{
	if (e->kind != NODE_BINARY || e->lhs->kind != NODE_NAME)
		return "";
	if (e->op == OP_MUL && e->rhs->kind == NODE_NAME && is_strange_name(e->lhs))
		return "; variables are not declared, and there are no pointer types";
	if (e->op == OP_SHL && e->lhs->symbol && e->lhs->symbol->kind == SYMBOL_GLOBAL)
		return "; '<<<' adds a value to an aggregate";
	return e->op == OP_EQ ? "; '=' assigns" : "";
}

/* Drops the "int" of "int x = 1": the rest means the same. */
static void drop_declaration(struct drop *d, struct node *n)
{
	diag_warning(d->s, n->operand->loc, "%s",
		     advice_unassigned(d->s, n->operand->name, NULL, false));
	make_empty(d, n);
}

static void drop_expression(struct drop *d, struct node *n)
{
	if (d->says && is_strange_name(n->operand)) {
		d->strange = n;
		if (advice_is_declaration(n->operand->name))
			drop_declaration(d, n);
		return;
	}
	if (effects_in(n->operand)) {
		if (only_computes(n->operand))
			split_expression(d, n);
		return;
	}
	if (d->says && !(d->strange && d->strange->next == n))
		diag_warning(d->s, n->operand->loc, "this does nothing, and is left out%s",
			     meant_instead(n->operand));
	deadcode_note(d->s, n->operand);
	make_empty(d, n);
}

/* Takes a branch of if (0) and if (1): the names in the other branch are not reported. */
static void take_branch(struct drop *d, struct node *n)
{
	struct node *taken = n->cond->number ? n->then : n->els;

	deadcode_note(d->s, n->cond->number ? n->els : n->then);
	if (lang_is_nothing(taken))
		make_empty(d, n);
	else
		literals_set_node(n, taken);
	d->changed = true;
}

static void drop_from_block(struct drop *d, struct node *n)
{
	for (struct node **at = &n->list; *at;) {
		if (lang_is_nothing(*at)) {
			*at = (*at)->next;
			d->changed = true;
		} else {
			at = &(*at)->next;
		}
	}
}

/* Drops a statement whose body is empty. */
static void drop_around_nothing(struct drop *d, struct node *n)
{
	const struct node_ops *ops = node_ops[n->kind];
	struct node *left;

	if (ops->is_idle && ops->is_idle(n, d->says, &left))
		make_expression(d, n, left);
}

static int drop_idle(struct node *n, void *ctx)
{
	struct drop *d = ctx;

	if (n->kind == NODE_EXPR)
		drop_expression(d, n);
	else if (n->kind == NODE_BLOCK)
		drop_from_block(d, n);
	else if (n->kind == NODE_IF && n->cond->kind == NODE_NUMBER)
		take_branch(d, n);
	else
		drop_around_nothing(d, n);
	return 0;
}

static bool drop_all(struct session *s, bool says)
{
	struct drop d = { .s = s, .says = says };

	uses_mark(s);
	effects_mark(s);
	ast_walk_bodies(s->program, NULL, drop_idle, &d);
	return d.changed;
}

bool opt_pure(struct session *s)
{
	return drop_all(s, false);
}

bool opt_idle(struct session *s)
{
	return drop_all(s, true);
}
