/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arithmetic, bit operators and comparisons. Numbers are 64-bit and wrap: the C computes
 * in uint64_t, where wrapping is defined. Comparisons also take two strings, bytewise.
 */
#include "base/session.h"
#include "emit/emit.h"
#include "lang/oldvalues.h"
#include "lang/ops.h"

/*
 * The C of an operator. Formats like `%a` and `%b` are avoided: pre, middle and post
 * surround the operands.
 */
static const struct arith {
	const char *pre, *middle, *post; /* NULL: the operator is not arithmetic, or can fail */
	const char *function;		 /* function of the runtime, for operators that can fail */
	bool compares;
} ops[OP_COUNT] = {
	[OP_ADD] = { "STP_WRAP(", ", +, ", ")" },
	[OP_SUB] = { "STP_WRAP(", ", -, ", ")" },
	[OP_MUL] = { "STP_WRAP(", ", *, ", ")" },
	[OP_DIV] = { .function = "stp_div" },
	[OP_MOD] = { .function = "stp_mod" },
	[OP_SHL] = { "stp_shl(", ", ", ")" },
	[OP_SHR] = { "stp_shr(", ", ", ")" },
	[OP_USHR] = { "stp_ushr(", ", ", ")" },
	[OP_AND] = { "", " & ", "" },
	[OP_OR] = { "", " | ", "" },
	[OP_XOR] = { "", " ^ ", "" },
	[OP_EQ] = { "", " == ", "", .compares = true },
	[OP_NE] = { "", " != ", "", .compares = true },
	[OP_LT] = { "", " < ", "", .compares = true },
	[OP_GT] = { "", " > ", "", .compares = true },
	[OP_LE] = { "", " <= ", "", .compares = true },
	[OP_GE] = { "", " >= ", "", .compares = true },
};

const char *arith_emit(struct emitter *e, enum op op, const char *a, const char *b)
{
	if (!ops[op].middle)
		return NULL;
	return arena_printf(e->s->arena, "%s%s%s%s%s", ops[op].pre, a, ops[op].middle, b,
			    ops[op].post);
}

const char *arith_emit_binary(struct emitter *e, enum op op, const char *a, const char *b,
			      struct loc op_loc)
{
	const char *t;

	if (ops[op].middle)
		return emit_value(e, TYPE_LONG, "%s", arith_emit(e, op, a, b));
	t = emit_value(e, TYPE_LONG, "%s(c, %s, %s)", ops[op].function, a, b);
	emit_check(e, op_loc);
	return t;
}

/* ---- folding ---- */

static int compare_strings(const struct node *a, const struct node *b)
{
	size_t least = a->string_len < b->string_len ? a->string_len : b->string_len;
	int order = memcmp(a->string, b->string, least);

	return order ? order : (a->string_len > b->string_len) - (a->string_len < b->string_len);
}

static bool binary_fold(struct session *s, struct node *n)
{
	int64_t value;

	if (n->lhs->kind == NODE_NUMBER && n->rhs->kind == NODE_NUMBER) {
		bool of_enum = n->lhs->of_enum || n->rhs->of_enum;

		if (!constant_fold(n->op, n->lhs->number, n->rhs->number, &value))
			return false;
		literals_set_number(n, value);
		n->of_enum = of_enum;
		return true;
	}
	if (n->lhs->kind == NODE_STRING && n->rhs->kind == NODE_STRING && ops[n->op].compares) {
		constant_fold(n->op, compare_strings(n->lhs, n->rhs), 0, &value);
		literals_set_number(n, value);
		return true;
	}
	return false;
}

/* ---- binary ---- */

/* Returns a hint about the likely intention where a string and a number are combined. */
static const char *binary_hint(enum op op)
{
	if (ops[op].compares)
		return "a string is compared with a number; strtol() and sprint() convert "
		       "one to the other";
	return op == OP_ADD ? "strings are joined with '.'" : NULL;
}

static void binary_infer(struct infer *in, struct node *n, enum type wanted)
{
	enum type type = ops[n->op].compares ? n->lhs->type : TYPE_LONG;
	const char *hint = binary_hint(n->op);

	typing_hinted(in, n->lhs, type == TYPE_UNKNOWN ? n->rhs->type : type, hint);
	if (ops[n->op].compares)
		type = n->lhs->type;
	typing_hinted(in, n->rhs, n->lhs->type == TYPE_ERROR ? TYPE_UNKNOWN : type, hint);
	if (n->lhs->type == TYPE_UNKNOWN && n->rhs->type != TYPE_UNKNOWN &&
	    n->rhs->type != TYPE_ERROR)
		lang_infer(in, n->lhs, n->rhs->type);
	/* One message is enough for an operator and its operand. */
	if (n->lhs->type == TYPE_ERROR || n->rhs->type == TYPE_ERROR)
		n->type = TYPE_ERROR;
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *binary_emit(struct emitter *e, struct node *n)
{
	const char *a = emit_operand(e, n->lhs, n->rhs), *b = emit_operand(e, n->rhs, NULL);

	if (n->lhs->type != TYPE_STRING)
		return arith_emit_binary(e, n->op, a, b, n->op_loc);
	if (n->op == OP_EQ || n->op == OP_NE)
		return emit_value(e, TYPE_LONG, "%sstp_str_equal(%s, %s)",
				  n->op == OP_NE ? "!" : "", a, b);
	return emit_value(e, TYPE_LONG, "stp_str_compare(%s, %s) %s 0", a, b, op_texts[n->op]);
}

/* ---- unary ---- */

static void unary_infer(struct infer *in, struct node *n, enum type wanted)
{
	lang_infer(in, n->operand, TYPE_LONG);
	typing_type(in, n, TYPE_LONG, wanted);
}

static bool unary_fold(struct session *s, struct node *n)
{
	int64_t v = n->operand->number;
	bool of_enum;

	if (n->operand->kind != NODE_NUMBER)
		return false;
	of_enum = n->operand->of_enum;
	switch (n->op) {
	case OP_NEG:
		v = (int64_t) - (uint64_t)v;
		break;
	case OP_NOT:
		v = !v;
		break;
	case OP_COMPL:
		v = ~v;
		break;
	case OP_PLUS:
		break;
	default:
		return false;
	}
	literals_set_number(n, v);
	n->of_enum = of_enum;
	return true;
}

static const char *unary_emit(struct emitter *e, struct node *n)
{
	const char *v = emit_expr(e, n->operand);

	switch (n->op) {
	case OP_NEG:
		return emit_value(e, TYPE_LONG, "(int64_t)(0 - (uint64_t)%s)", v);
	case OP_NOT:
		return emit_value(e, TYPE_LONG, "!%s", v);
	case OP_COMPL:
		return emit_value(e, TYPE_LONG, "~%s", v);
	default:
		return emit_value(e, TYPE_LONG, "%s", v);
	}
}

static void binary_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->lhs, true);
	strbuf_addf(out, " %s ", op_texts[n->op]);
	unparse_expr(out, n->rhs, true);
}

static void binary_check(struct checking *ck, struct node *n)
{
	checking_children(ck, n);
	oldvalues_check(ck, n);
}

static void unary_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, op_texts[n->op]);
	unparse_expr(out, n->operand, true);
}

LANG_OPS(binary, uses_children, effects_none, binary_print, checking_reach_nothing,
	 .infer = binary_infer, .fold = binary_fold, .emit = binary_emit, .check = binary_check,
	 .only_computes = lang_computes, .is_operation = true);
LANG_OPS(unary, uses_children, effects_none, unary_print, checking_reach_nothing,
	 .infer = unary_infer, .fold = unary_fold, .emit = unary_emit,
	 .only_computes = lang_computes, .is_operation = true);
