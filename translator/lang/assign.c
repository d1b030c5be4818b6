/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Assignments: = op= .= <<< and ++ --, to variables, array elements and (under -g) target
 * variables. The keys of an element are evaluated first, then the right side, then the
 * element is read and written.
 */
#include <string.h>

#include "ast/access.h"
#include "ast/ast.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/oldvalues.h"
#include "lang/ops.h"
#include "lang/uses.h"

/* ---- inference ---- */

static struct symbol *place_symbol(const struct node *place)
{
	const struct node *name = place->kind == NODE_INDEX ? place->base : place;

	return name->kind == NODE_NAME ? name->symbol : NULL;
}

static void infer_plain(struct infer *in, struct node *n, enum type wanted)
{
	struct symbol *sym = place_symbol(n->lhs);

	lang_infer(in, n->lhs, TYPE_UNKNOWN);
	if (sym && sym->type != TYPE_UNKNOWN && sym->type != TYPE_ERROR &&
	    n->lhs->type != TYPE_ERROR)
		typing_because(in, n->rhs, sym->type, sym->type_loc, sym->name);
	else
		lang_infer(in, n->rhs,
			   n->lhs->type != TYPE_ERROR && n->lhs->type != TYPE_UNKNOWN ? n->lhs->type
										      : wanted);
	if (n->rhs->type == TYPE_VOID)
		typing_type(in, n->rhs, TYPE_VOID, TYPE_LONG);
	if (n->rhs->type != TYPE_ERROR && n->lhs->type == TYPE_UNKNOWN)
		lang_infer(in, n->lhs, n->rhs->type);
	else if (n->rhs->type == TYPE_ERROR && sym)
		typing_symbol(in, sym, TYPE_ERROR, n->rhs->loc);
	if (sym && sym->kind != SYMBOL_GLOBAL)
		autocast_note(in, &sym->pointee, n->rhs);
	typing_type(in, n, n->lhs->type, wanted);
}

static void assign_infer(struct infer *in, struct node *n, enum type wanted)
{
	enum type type = n->op == OP_CONCAT ? TYPE_STRING : TYPE_LONG;

	if (n->op == OP_NONE) {
		infer_plain(in, n, wanted);
		return;
	}
	if (n->op == OP_STAT)
		typing_aggregate(in, n->lhs);
	else
		lang_infer(in, n->lhs, type);
	lang_infer(in, n->rhs, type);
	typing_type(in, n, type, wanted);
}

static void incdec_infer(struct infer *in, struct node *n, enum type wanted)
{
	lang_infer(in, n->operand, TYPE_LONG);
	typing_type(in, n, TYPE_LONG, wanted);
}

/* ---- emission ---- */

/* Returns the new value of a place whose value was `old`. */
static const char *combine(struct emitter *e, struct node *n, enum op op, const char *old,
			   const char *value)
{
	if (op == OP_NONE)
		return value;
	if (op == OP_CONCAT)
		return emit_value(e, TYPE_STRING, "stp_str_concat(c, %s, %s, %s)", emit_storage(e),
				  old, value);
	return arith_emit_binary(e, op, old, value, n->op_loc.source ? n->op_loc : n->loc);
}

/* The parts of a place that are evaluated before the right side. */
struct place {
	struct node *node;
	const char *keys;    /* INDEX */
	const char *address; /* TARGET in memory */
};

static struct place place_open(struct emitter *e, struct node *node, struct node *value)
{
	struct place p = { .node = node };

	if (node->kind == NODE_INDEX)
		p.keys = arrays_emit_keys(e, node, value);
	else if (node->kind == NODE_TARGET && !node->access->own)
		p.address = targetwrite_open(e, node);
	return p;
}

/* Sets the element, or changes it in place: the array is looked up once. */
static const char *element_update(struct emitter *e, struct node *n, struct place *p, enum op op,
				  const char *value, const char **old)
{
	const char *map = p->node->base->symbol->c_name,
		   *calls = arrays_element_calls(p->node->base->symbol, p->node->list), *ref;

	if (op == OP_CONCAT) {
		*old = emit_value(e, TYPE_STRING, "stp_map_get_s(c, %s, %s, %s)", map, p->keys,
				  emit_storage(e));
		value = combine(e, n, op, *old, value);
		op = OP_NONE;
	}
	if (op == OP_NONE) {
		emit_lasting(e);
		writer_line(e->w, "%s_set_%c(c, %s, %s, %s);", calls,
			    p->node->type == TYPE_STRING ? 's' : 'i', map, p->keys, value);
		emit_check(e, p->node->loc);
		return value;
	}
	/* A division that fails makes no element. */
	if (op == OP_DIV || op == OP_MOD) {
		*old = emit_value(e, TYPE_LONG, "%s_get_i(c, %s, %s)", calls, map, p->keys);
		value = combine(e, n, op, *old, value);
		emit_lasting(e);
		writer_line(e->w, "%s_set_i(c, %s, %s, %s);", calls, map, p->keys, value);
		emit_check(e, p->node->loc);
		return value;
	}
	emit_lasting(e);
	ref = emit_local(e, "int64_t *", "p");
	writer_line(e->w, "%s = %s_ref_i(c, %s, %s);", ref, calls, map, p->keys);
	emit_check(e, p->node->loc);
	*old = emit_value(e, TYPE_LONG, "*%s", ref);
	value = combine(e, n, op, *old, value);
	writer_line(e->w, "*%s = %s;", ref, value);
	return value;
}

static const char *target_update(struct emitter *e, struct node *n, struct place *p, enum op op,
				 const char *value, const char **old)
{
	if (op != OP_NONE)
		*old = targetwrite_old(e, p->node, p->address);
	value = combine(e, n, op, *old, value);
	emit_lasting(e);
	targetwrite_store(e, p->node, p->address, value);
	return value;
}

static const char *own_update(struct emitter *e, struct node *n, const struct access_own *own,
			      enum op op, const char *value, const char **old)
{
	if (op == OP_CONCAT) {
		emit_lasting(e);
		writer_line(e->w, "%s(c, %s);", own->append, value);
		emit_check(e, n->lhs->loc);
		/*
		 * The value is fetched only if somebody uses it, because it may be longer
		 * than a string.
		 */
		return arena_printf(e->s->arena, "%s(c, %s)", own->get, emit_storage(e));
	}
	if (op != OP_NONE)
		*old = targetvar_emit_own(e, own);
	value = combine(e, n, op, *old, value);
	emit_lasting(e);
	writer_line(e->w, "%s(c, %s);", own->set, value);
	emit_check(e, n->lhs->loc);
	return value;
}

/* Stores into the place. Returns the new value, and the old one if there is one. */
static const char *place_update(struct emitter *e, struct node *n, struct place *p, enum op op,
				const char *value, const char **old)
{
	struct symbol *sym = p->node->symbol;

	if (p->node->kind == NODE_INDEX)
		return element_update(e, n, p, op, value, old);
	if (p->node->kind == NODE_TARGET && p->node->access->own)
		return own_update(e, n, p->node->access->own, op, value, old);
	if (p->node->kind == NODE_TARGET)
		return target_update(e, n, p, op, value, old);
	if (op != OP_NONE && sym->type == TYPE_LONG)
		*old = emit_value(e, TYPE_LONG, "%s", sym->c_name);
	else
		*old = sym->c_name;
	return variables_emit_store(e, sym, combine(e, n, op, *old, value));
}

static const char *emit_stat_add(struct emitter *e, struct node *n)
{
	const char *keys = n->lhs->kind == NODE_INDEX ? arrays_emit_keys(e, n->lhs, n->rhs) : NULL;
	const char *value = emit_expr(e, n->rhs), *name = stats_symbol(n->lhs)->c_name;

	emit_lasting(e);
	if (!keys) {
		writer_line(e->w, "stp_stat_add(c, %s, %s);", name, value);
		return value;
	}
	writer_line(e->w, "stp_map_stat_add(c, %s, %s, %s);", name, keys, value);
	emit_check(e, n->lhs->loc);
	return value;
}

static const char *assign_emit(struct emitter *e, struct node *n)
{
	struct place p;
	const char *value, *old;

	if (n->op == OP_STAT)
		return emit_stat_add(e, n);
	p = place_open(e, n->lhs, n->rhs);
	value = emit_expr(e, n->rhs);
	return place_update(e, n, &p, n->op, value, &old);
}

static const char *incdec_emit(struct emitter *e, struct node *n)
{
	struct place p = place_open(e, n->operand, NULL);
	const char *old, *value;

	value = place_update(e, n, &p, n->op == OP_INC ? OP_ADD : OP_SUB, "1", &old);
	return n->prefix ? value : old;
}

/* True: n adds to an element. If nobody uses its value, this takes one step. */
static bool is_tally(const struct node *n)
{
	if (n->kind == NODE_INCDEC)
		return n->operand->kind == NODE_INDEX;
	return n->kind == NODE_ASSIGN && (n->op == OP_ADD || n->op == OP_SUB) &&
	       n->lhs->kind == NODE_INDEX;
}

/* Emits an addition in one step. Each CPU adds to its own part. */
static void emit_tally(struct emitter *e, struct node *n)
{
	struct node *place = n->kind == NODE_INCDEC ? n->operand : n->lhs;
	struct node *by = n->kind == NODE_INCDEC ? NULL : n->rhs;
	const char *keys = arrays_emit_keys(e, place, by), *value = by ? emit_expr(e, by) : "1";
	bool down = n->kind == NODE_INCDEC ? n->op == OP_DEC : n->op == OP_SUB;

	emit_lasting(e);
	writer_line(e->w, "%s_add_i(c, %s, %s, %s%s);",
		    arrays_element_calls(place->base->symbol, place->list),
		    place->base->symbol->c_name, keys, down ? "-(uint64_t)" : "", value);
	emit_check(e, place->loc);
}

static int find_symbol(struct node *n, void *ctx)
{
	return n->kind == NODE_NAME && n->symbol == ctx ? -1 : 0;
}

/*
 * True: the string that the right side makes can be put into the local variable at once.
 * The right side does not read it, and nobody reads it if the right side fails.
 */
static bool can_place(const struct emitter *e, const struct node *n)
{
	const struct symbol *sym =
		n->kind == NODE_ASSIGN && n->lhs->kind == NODE_NAME ? n->lhs->symbol : NULL;

	return sym && n->op == OP_NONE && sym->type == TYPE_STRING && sym->kind != SYMBOL_GLOBAL &&
	       !strcmp(e->fail_label, "out") && !ast_walk(n->rhs, find_symbol, NULL, (void *)sym);
}

static void emit_placed(struct emitter *e, struct node *n)
{
	struct symbol *sym = n->lhs->symbol;
	bool done;
	const char *value = emit_string_at(e, n->rhs, variables_emit_storage(e, sym), &done);

	if (done)
		writer_line(e->w, "%s = %s;", sym->c_name, value);
	else
		variables_emit_store(e, sym, value);
}

void assign_emit_effect(struct emitter *e, struct node *n)
{
	if (is_tally(n) && n->type == TYPE_LONG)
		emit_tally(e, n);
	else if (can_place(e, n))
		emit_placed(e, n);
	else
		emit_expr(e, n);
}

/* ---- uses, effects, checks, text ---- */

/* Returns the use of a place whose new value comes from the old one. */
static unsigned change_use(const struct node *n, bool wanted)
{
	return USE_WRITE | USE_CHANGE | (wanted ? USE_READ : is_tally(n) ? USE_TALLY : 0);
}

static void assign_uses(struct uses *u, struct node *n, bool wanted)
{
	uses_place(u, n->lhs,
		   n->op == OP_STAT   ? USE_ADD
		   : n->op == OP_NONE ? USE_WRITE
				      : change_use(n, wanted));
	uses_value(u, n->rhs);
}

static enum effect assign_effect(const struct node *n)
{
	return effects_of_place(n->lhs);
}

static void assign_check(struct checking *ck, struct node *n)
{
	checking_place(ck, n->lhs, n->loc);
	/* A value that the family keeps is written, not read. */
	if (n->lhs->kind == NODE_TARGET && n->lhs->access && n->lhs->access->own)
		checking_node(ck, n->rhs);
	else
		checking_children(ck, n);
	oldvalues_assigned(n);
}

static void assign_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->lhs, true);
	strbuf_addf(out, n->op == OP_STAT ? " %s " : " %s= ", op_texts[n->op]);
	unparse_expr(out, n->rhs, true);
}

static void incdec_uses(struct uses *u, struct node *n, bool wanted)
{
	uses_place(u, n->operand, change_use(n, wanted));
}

static enum effect incdec_effect(const struct node *n)
{
	return effects_of_place(n->operand);
}

static void incdec_check(struct checking *ck, struct node *n)
{
	checking_place(ck, n->operand, n->loc);
	checking_children(ck, n);
}

static void incdec_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	if (n->prefix)
		strbuf_adds(out, op_texts[n->op]);
	unparse_expr(out, n->operand, true);
	if (!n->prefix)
		strbuf_adds(out, op_texts[n->op]);
}

LANG_OPS(assign, assign_uses, assign_effect, assign_print, checking_reach_nothing,
	 .infer = assign_infer, .emit = assign_emit, .check = assign_check, .is_operation = true);
LANG_OPS(incdec, incdec_uses, incdec_effect, incdec_print, checking_reach_nothing,
	 .infer = incdec_infer, .emit = incdec_emit, .check = incdec_check, .is_operation = true);
