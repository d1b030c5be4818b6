/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Concatenation. */
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "lib/strbuf.h"

/*
 * Returns a hint at the likely intention of a dot after (or before) an operand that is
 * not a string.
 */
static const char *dot_hint(const struct node *item)
{
	const struct node *next = item->next;

	if (item->kind == NODE_TARGET && next && next->kind == NODE_NAME)
		return "members are reached with '->'";
	if (item->kind == NODE_NUMBER && next && next->kind == NODE_NUMBER)
		return "numbers are whole: there is no floating point";
	return "'.' joins strings; sprint(…) converts a number";
}

static void concat_infer(struct infer *in, struct node *n, enum type wanted)
{
	for (struct node *item = n->list; item; item = item->next) {
		typing_hinted(in, item, TYPE_STRING, dot_hint(item));
		/* $file.f_pos is a single mistake, and so is 1.5. */
		if (item->type == TYPE_ERROR && item->kind == NODE_TARGET && item->next)
			typing_wrong(in, item->next);
		if (item->type == TYPE_ERROR && item->kind == NODE_NUMBER && item->next &&
		    item->next->kind == NODE_NUMBER)
			item = item->next;
	}
	typing_type(in, n, TYPE_STRING, wanted);
}

/* Joins adjacent literals; a single literal replaces the node. */
static bool concat_fold(struct session *s, struct node *n)
{
	bool changed = false;

	for (struct node *item = n->list; item; item = item->next) {
		while (item->kind == NODE_STRING && item->next && item->next->kind == NODE_STRING) {
			struct node *second = item->next;
			struct strbuf b;

			strbuf_init(&b, s->arena);
			strbuf_add(&b, item->string, item->string_len);
			strbuf_add(&b, second->string, second->string_len);
			literals_set_string(item, b.s, b.len);
			item->loc = source_loc_join(item->loc, second->loc);
			item->next = second->next;
			changed = true;
		}
	}
	if (n->list && !n->list->next && n->list->kind == NODE_STRING) {
		literals_set_string(n, n->list->string, n->list->string_len);
		return true;
	}
	return changed;
}

static const char *concat_emit(struct emitter *e, struct node *n)
{
	unsigned count = node_count(n->list);
	const char **items = arena_array(e->s->arena, const char *, count);
	const char *value;

	emit_operands(e, n->list, NULL, items);
	value = items[0];
	for (unsigned i = 1; i < count; i++)
		value = emit_value(e, TYPE_STRING, "stp_str_concat(c, %s, %s, %s)", emit_storage(e),
				   value, items[i]);
	return value;
}

static void concat_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	for (const struct node *item = n->list; item; item = item->next) {
		unparse_expr(out, item, true);
		strbuf_adds(out, item->next ? " . " : "");
	}
}

LANG_OPS(concat, uses_children, effects_none, concat_print, checking_reach_nothing,
	 .infer = concat_infer, .fold = concat_fold, .emit = concat_emit,
	 .only_computes = lang_computes, .is_operation = true);
