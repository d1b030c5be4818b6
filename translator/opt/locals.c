/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Locals that are assigned but never read: the assignment goes, its right side stays when it has effects, and the
 * user's own scripts get a warning. Aliases of the library set variables for their users; theirs go silently.
 */
#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "lang/uses.h"
#include "opt/opt.h"

struct drop {
	struct session *s;
	bool changed;
};

static bool is_dead(const struct node *n)
{
	return n->kind == NODE_NAME && n->symbol && n->symbol->kind == SYMBOL_LOCAL && !n->symbol->read;
}

static void warn_once(struct session *s, struct symbol *sym, struct loc loc)
{
	if (!sym->assigned)
		return;
	sym->assigned = false;
	diag_warning(s, loc, "'%s' is never read; the assignment is left out", sym->name);
}

static int drop_dead(struct node *n, void *ctx)
{
	struct drop *d = ctx;
	struct node *e = n->operand;

	if (n->kind != NODE_EXPR)
		return 0;
	if (e->kind == NODE_ASSIGN && e->op != OP_STAT && is_dead(e->lhs)) {
		warn_once(d->s, e->lhs->symbol, e->lhs->loc);
		n->operand = e->rhs;
		d->changed = true;
	} else if (e->kind == NODE_INCDEC && is_dead(e->operand)) {
		warn_once(d->s, e->operand->symbol, e->operand->loc);
		n->kind = NODE_EMPTY;
		n->operand = NULL;
		d->changed = true;
	}
	return 0;
}

bool opt_locals(struct session *s)
{
	struct program *p = s->program;
	struct drop d = { .s = s };

	uses_mark(s);
	vec_each(&p->handlers, i)
		ast_walk(p->handlers.data[i]->body, NULL, drop_dead, &d);
	vec_each(&p->functions, i) {
		if (p->functions.data[i]->body)
			ast_walk(p->functions.data[i]->body, NULL, drop_dead, &d);
	}
	return d.changed;
}
