/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locals that are assigned but never read: the assignment is removed, its right side
 * stays if it has effects, and there is a warning for the user's own scripts. Aliases of
 * the library set variables for their users; these assignments are removed silently.
 *
 * Before types are known only `=` and `<<<` are removed: the operand of `+=` must be a
 * number in any case. A whole array has no value, which is reported when types are
 * inferred.
 */
#include "ast/ast.h"
#include "ast/deadcode.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "lang/ops.h"
#include "lang/uses.h"
#include "lang/effects.h"
#include "opt/opt.h"

struct drop {
	struct session *s;
	bool plain_only;
	bool changed;
};

static bool is_dead(const struct drop *d, const struct node *n)
{
	return n->kind == NODE_NAME && n->symbol && n->symbol->kind != SYMBOL_GLOBAL &&
	       !n->symbol->read && !(d->plain_only && n->symbol->changed);
}

static void warn_once(struct session *s, struct symbol *sym, struct loc loc)
{
	sym->left_out = true;
	if (!sym->assigned || sym->asked)
		return;
	sym->assigned = false;
	diag_warning(s, loc, "'%s' is never read; the assignment is left out", sym->name);
}

static void note_whole(struct symbol *sym, unsigned use, void *whole)
{
	*(bool *)whole |= sym->indexed && !(use & USE_ELEMENT);
}

static bool has_whole_array(struct node *value)
{
	bool whole = false;

	uses_visit(value, note_whole, &whole);
	return whole;
}

/* Returns the place whose new value nobody reads, or NULL. */
static struct node *dead_place(const struct drop *d, const struct node *n)
{
	if (n->kind == NODE_ASSIGN && (!d->plain_only || n->op == OP_NONE || n->op == OP_STAT) &&
	    is_dead(d, n->lhs))
		return d->plain_only && has_whole_array(n->rhs) ? NULL : n->lhs;
	if (n->kind == NODE_INCDEC && !d->plain_only && is_dead(d, n->operand))
		return n->operand;
	return NULL;
}

static void drop_statement(struct drop *d, struct node *n)
{
	struct node *place;

	while (n->kind == NODE_EXPR && (place = dead_place(d, n->operand)) != NULL) {
		warn_once(d->s, place->symbol, place->loc);
		if (n->operand->kind == NODE_ASSIGN && effects_in(n->operand->rhs)) {
			n->operand = n->operand->rhs;
			d->changed = true;
			continue;
		}
		deadcode_note(d->s, n->operand->kind == NODE_ASSIGN ? n->operand->rhs : NULL);
		*n = (struct node){ .kind = NODE_EMPTY, .loc = n->loc, .next = n->next };
		d->changed = true;
	}
}

static int drop_dead(struct node *n, void *ctx)
{
	struct drop *d = ctx;

	if (n->kind == NODE_EXPR) {
		drop_statement(d, n);
	} else if (n->kind == NODE_ASSIGN && (n->op == OP_NONE || n->op == OP_STAT) &&
		   dead_place(d, n)) {
		warn_once(d->s, n->lhs->symbol, n->lhs->loc);
		literals_set_node(n, n->rhs);
		d->changed = true;
	}
	return 0;
}

/* Visits statements first: the value of an assignment inside one is used. */
static int enter(struct node *n, void *ctx)
{
	if (n->kind == NODE_EXPR)
		drop_statement(ctx, n);
	return 0;
}

static bool drop_all(struct session *s, bool plain_only)
{
	struct drop d = { .s = s, .plain_only = plain_only };

	uses_mark(s);
	effects_mark(s);
	ast_walk_bodies(s->program, enter, drop_dead, &d);
	return d.changed;
}

bool opt_locals(struct session *s)
{
	return drop_all(s, false);
}

bool opt_assignments(struct session *s)
{
	return drop_all(s, true);
}
