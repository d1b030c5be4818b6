/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/oldvalues.h"

#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/session.h"
#include "base/source.h"
#include "drift/drift.h"
#include "lang/ops.h"

/* Returns the member's row, even if its value came through a local variable or @entry. */
static const struct drift_values *values_of(const struct node *n)
{
	if (n->kind == NODE_ENTRY && n->entry_of)
		n = n->entry_of->saved.data[n->slot];
	if (n->kind == NODE_TARGET)
		return n->access && !n->address_of ? n->access->values : NULL;
	return n->kind == NODE_NAME && n->symbol ? n->symbol->values : NULL;
}

/*
 * Computes a constant: 8, 1 << 3, -5. False: it is not constant, or contains an
 * enumerator.
 */
static bool constant(const struct node *n, int64_t *ret)
{
	int64_t a, b;

	if (n->kind == NODE_NUMBER) {
		*ret = n->number;
		return !n->of_enum;
	}
	if (n->kind == NODE_BINARY)
		return constant(n->lhs, &a) && constant(n->rhs, &b) &&
		       constant_fold(n->op, a, b, ret);
	if (n->kind != NODE_UNARY || !constant(n->operand, ret))
		return false;
	*ret = n->op == OP_NEG ? (int64_t) - (uint64_t)*ret : n->op == OP_COMPL ? ~*ret : *ret;
	return true;
}

static bool asks(enum op op)
{
	return op == OP_AND || op == OP_EQ || op == OP_NE;
}

static bool asks_size(enum op op)
{
	return op == OP_LT || op == OP_GT || op == OP_LE || op == OP_GE;
}

/* Examines `value OP number`; (value >> 3) & 1 tests the bit 8. */
static void look(struct checking *ck, enum op op, const struct node *value,
		 const struct node *number)
{
	struct session *s = ck->in.s;
	const struct drift_values *v;
	int64_t asked, by;

	if (!constant(number, &asked))
		return;
	if (value->kind == NODE_BINARY && value->op == OP_SHR && constant(value->rhs, &by)) {
		asked = (int64_t)((uint64_t)asked << (by & 63));
		value = value->lhs;
	}
	v = values_of(value);
	if (v && drift_values_mean_other(v, asked, asks_size(op)))
		diag_warning(s, number->loc, "in '%s' %s means something else since %s: %s",
			     v->member, unparse_node(s->arena, number), v->since, v->story);
}

void oldvalues_check(struct checking *ck, const struct node *n)
{
	if (source_is_library(n->loc) || !(asks(n->op) || asks_size(n->op)))
		return;
	look(ck, n->op, n->lhs, n->rhs);
	look(ck, n->op, n->rhs, n->lhs);
}

void oldvalues_assigned(const struct node *n)
{
	if (n->lhs->kind == NODE_NAME && n->lhs->symbol && n->op == OP_NONE &&
	    n->lhs->symbol->kind == SYMBOL_LOCAL && !source_is_library(n->loc))
		n->lhs->symbol->values = values_of(n->rhs);
}
