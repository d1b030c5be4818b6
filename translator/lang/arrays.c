/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Array elements, membership, and delete. */
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

unsigned arrays_keys_wild(const struct node *keys)
{
	unsigned wild = 0, i = 0;

	for (; keys; keys = keys->next, i++)
		wild |= (unsigned)(keys->kind == NODE_STAR) << i;
	return wild;
}

/* ---- a[k] ---- */

static void index_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct symbol *sym = typing_array(in, n->base);

	if (!sym || !typing_arity(in, sym, node_count(n->list), n->loc)) {
		n->type = TYPE_ERROR;
		return;
	}
	typing_keys(in, sym, n->list);
	if (sym->type == TYPE_UNKNOWN)
		typing_symbol(in, sym, wanted, n->loc);
	if (sym->type == TYPE_STATS && wanted != TYPE_STATS && n->type != TYPE_ERROR) {
		typing_error(in, n->loc,
			     "'%s' holds aggregates; take one of their values, as @count(%s[…])",
			     sym->name, sym->name);
		n->type = TYPE_ERROR;
	}
	typing_type(in, n, sym->type, wanted);
}

static bool is_plain(const struct symbol *array, const struct node *keys)
{
	return array->type == TYPE_LONG && array->arity == 1 && array->key_types[0] == TYPE_LONG &&
	       keys->kind != NODE_STAR;
}

const char *arrays_element_calls(const struct symbol *array, const struct node *keys)
{
	return is_plain(array, keys) ? "stp_plain" : "stp_map";
}

static const char *emit_keys(struct emitter *e, const struct symbol *array, struct node *keys,
			     const struct node *then)
{
	const char *operands[9];

	emit_operands(e, keys, then, operands);
	return is_plain(array, keys) ? operands[0] : emit_union(e, keys, operands);
}

const char *arrays_emit_keys(struct emitter *e, struct node *index, const struct node *then)
{
	return emit_keys(e, index->base->symbol, index->list, then);
}

static const char *index_emit(struct emitter *e, struct node *n)
{
	const char *keys = arrays_emit_keys(e, n, NULL), *map = n->base->symbol->c_name;

	if (n->type == TYPE_STRING)
		return emit_value(e, TYPE_STRING, "stp_map_get_s(c, %s, %s, %s)", map, keys,
				  emit_storage(e));
	return emit_value(e, TYPE_LONG, "%s_get_i(c, %s, %s)",
			  arrays_element_calls(n->base->symbol, n->list), map, keys);
}

/*
 * Infers '*', which has no value. The places that allow it handle it themselves;
 * index_check() reports the others.
 */
static void star_infer(struct infer *in, struct node *n, enum type wanted)
{
	n->type = TYPE_ERROR;
}

/* ---- [k1, k2] in a ---- */

static void in_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct symbol *sym = typing_array(in, n->rhs);

	if (sym && typing_arity(in, sym, node_count(n->list), n->loc))
		typing_keys(in, sym, n->list);
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *in_emit(struct emitter *e, struct node *n)
{
	const struct symbol *array = n->rhs->symbol;
	const char *keys = emit_keys(e, array, n->list, NULL);

	if (is_plain(array, n->list))
		return emit_value(e, TYPE_LONG, "stp_plain_in(c, %s, %s)", array->c_name, keys);
	return emit_value(e, TYPE_LONG, "stp_map_in(c, %s, %s, %uu)", array->c_name, keys,
			  arrays_keys_wild(n->list));
}

/* ---- delete ---- */

static void delete_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct node *what = n->operand;
	struct symbol *sym;

	if (what->kind == NODE_NAME)
		return; /* any variable is allowed here; its type follows from its other uses */
	if (what->kind != NODE_INDEX) {
		typing_error(in, what->loc, "only variables and array elements can be deleted");
		return;
	}
	sym = typing_array(in, what->base);
	if (sym && typing_arity(in, sym, node_count(what->list), what->loc))
		typing_keys(in, sym, what->list);
}

static void delete_variable(struct emitter *e, struct symbol *sym)
{
	if (sym->kind == SYMBOL_GLOBAL && sym->arity > 0) {
		emit_lasting(e);
		writer_line(e->w, "stp_map_clear(c, %s);", sym->c_name);
		emit_check(e, sym->loc);
	} else if (sym->type == TYPE_STATS) {
		emit_lasting(e);
		writer_line(e->w, "stp_stat_clear(c, %s);", sym->c_name);
	} else {
		variables_emit_store(e, sym, sym->type == TYPE_STRING ? "STP_STR(\"\")" : "0");
	}
}

static const char *delete_emit(struct emitter *e, struct node *n)
{
	struct node *what = n->operand;
	const char *keys;

	if (what->kind == NODE_NAME) {
		delete_variable(e, what->symbol);
		return NULL;
	}
	keys = arrays_emit_keys(e, what, NULL);
	emit_lasting(e);
	if (is_plain(what->base->symbol, what->list))
		writer_line(e->w, "stp_plain_delete(c, %s, %s);", what->base->symbol->c_name, keys);
	else
		writer_line(e->w, "stp_map_delete(c, %s, %s, %uu);", what->base->symbol->c_name,
			    keys, arrays_keys_wild(what->list));
	emit_check(e, n->loc);
	return NULL;
}

/* ---- uses, checks, text ---- */

static void index_uses(struct uses *u, struct node *n, bool wanted)
{
	uses_place(u, n, USE_READ);
}

static void index_check(struct checking *ck, struct node *n)
{
	for (const struct node *key = n->list; key; key = key->next)
		if (key->kind == NODE_STAR)
			typing_error(&ck->in, key->loc,
				     "'*' stands only for a key of delete, foreach or in");
	checking_children(ck, n);
}

static void index_check_change(struct checking *ck, const struct node *n, struct loc loc)
{
	if (n->base->kind == NODE_NAME && n->base->symbol)
		checking_iterated(ck, n->base, loc);
}

static void index_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->base, false);
	strbuf_addc(out, '[');
	unparse_list(out, n->list);
	strbuf_addc(out, ']');
}

static void star_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addc(out, '*');
}

static void in_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	bool is_single = n->list && !n->list->next && n->list->kind != NODE_STAR;

	if (!is_single)
		strbuf_addc(out, '[');
	for (const struct node *key = n->list; key; key = key->next) {
		unparse_expr(out, key, true);
		strbuf_adds(out, key->next ? ", " : "");
	}
	strbuf_adds(out, is_single ? " in " : "] in ");
	unparse_expr(out, n->rhs, true);
}

static void delete_uses(struct uses *u, struct node *n, bool wanted)
{
	uses_place(u, n->operand, USE_WRITE | USE_CHANGE);
}

static void delete_check(struct checking *ck, struct node *n)
{
	checking_place(ck, n->operand, n->loc);
	checking_children(ck, n->operand);
}

static void delete_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, "delete ", n->operand);
	strbuf_adds(out, ";\n");
}

LANG_OPS(index, index_uses, effects_none, index_print, checking_reach_nothing, .infer = index_infer,
	 .emit = index_emit, .check = index_check, .check_change = index_check_change);
LANG_OPS(star, uses_children, effects_none, star_print, checking_reach_nothing,
	 .infer = star_infer);
LANG_OPS(in, uses_children, effects_none, in_print, checking_reach_nothing, .infer = in_infer,
	 .emit = in_emit, .only_computes = lang_computes, .is_operation = true);
LANG_OPS(delete, delete_uses, effects_outside, delete_print, checking_reach_nothing,
	 .infer = delete_infer, .emit = delete_emit, .check = delete_check);
