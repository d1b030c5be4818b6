/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and strings. */
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

static void number_infer(struct infer *in, struct node *n, enum type wanted)
{
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *number_emit(struct emitter *e, struct node *n)
{
	return emit_varying(e, n->number);
}

static void string_infer(struct infer *in, struct node *n, enum type wanted)
{
	typing_type(in, n, TYPE_STRING, wanted);
}

static const char *string_emit(struct emitter *e, struct node *n)
{
	return emit_literal(e, n->string, n->string_len);
}

void literals_set_number(struct node *n, int64_t value)
{
	struct node old = *n;

	*n = (struct node){
		.kind = NODE_NUMBER, .loc = old.loc, .op_loc = old.op_loc, .next = old.next
	};
	n->number = value;
	n->type = old.type == TYPE_UNKNOWN ? TYPE_UNKNOWN : TYPE_LONG;
}

void literals_set_string(struct node *n, const char *s, size_t len)
{
	struct node old = *n;

	*n = (struct node){
		.kind = NODE_STRING, .loc = old.loc, .op_loc = old.op_loc, .next = old.next
	};
	n->string = s;
	n->string_len = len;
	n->type = old.type == TYPE_UNKNOWN ? TYPE_UNKNOWN : TYPE_STRING;
}

void literals_set_node(struct node *n, const struct node *other)
{
	struct node *next = n->next;

	*n = *other;
	n->next = next;
}

static void number_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	if (n->number < 0)
		strbuf_addf(out, "%llu", (unsigned long long)n->number);
	else
		strbuf_addf(out, "%lld", (long long)n->number);
}

static void string_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addquoted(out, n->string, n->string_len);
}

LANG_OPS(number, uses_children, effects_none, number_print, checking_reach_nothing,
	 .infer = number_infer, .emit = number_emit);
LANG_OPS(string, uses_children, effects_none, string_print, checking_reach_nothing,
	 .infer = string_infer, .emit = string_emit);
