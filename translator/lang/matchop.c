/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * =~ and !~. The pattern is compiled when it is first seen, to report its errors; its
 * groups are compiled only if the script uses them.
 */
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "core/regex.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "lib/hashmap.h"
#include "parse/literal.h"
#include "regex/regex.h"

/*
 * Reports a remark once for each place: one body may be visited for several probe points.
 */
static void remark(struct infer *in, struct loc loc, const char *text)
{
	const char *place = source_loc_str(in->s->arena, loc);

	if (in->silent || hashmap_get(in->reported, place))
		return;
	hashmap_put(in->reported, place, in);
	diag_warning(in->s, loc, "%s", text);
}

static void compile(struct infer *in, struct node *n)
{
	struct session *s = in->s;
	struct regex_error error;
	struct loc loc;

	n->noted = uses_pragma(s->program, PRAGMA_TAGGED_DFA);
	n->regex = regex_compile(s->arena, n->pattern, n->pattern_len, n->noted, &error);
	if (!error.text)
		return;
	loc = error.len ? literal_part(n->literal_loc, n->pattern, n->pattern_len, error.at,
				       error.len)
			: n->literal_loc;
	if (n->regex)
		remark(in, loc, error.text);
	else
		typing_error(in, loc, "%s", error.text);
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	lang_infer(in, n->lhs, TYPE_STRING);
	if (n->type == TYPE_UNKNOWN && !n->regex)
		compile(in, n);
	if (n->regex)
		typing_type(in, n, TYPE_LONG, wanted);
	else
		n->type = TYPE_ERROR;
}

/*
 * Folds a match of constants, but not before infer has seen it, and not if the script
 * uses the matched text: then the match is made at run time.
 */
static bool fold(struct session *s, struct node *n)
{
	const struct node *lhs = n->lhs;

	if (lhs->kind != NODE_STRING || !n->regex || n->noted)
		return false;
	literals_set_number(
		n, stp_regex_test(n->regex, lhs->string, strnlen(lhs->string, lhs->string_len)) ==
			   (n->op == OP_MATCH));
	return true;
}

static const char *emit(struct emitter *e, struct node *n)
{
	const char *name = emit_regex(e, n), *s = emit_expr(e, n->lhs),
		   *not = n->op == OP_MATCH ? "" : "!";

	if (n->noted)
		return emit_value(e, TYPE_LONG, "%sstp_regex_match(c, &%s, %s)", not, name, s);
	writer_line(e->w, "stp_charge_later(c, STP_REGEX_BYTE_WORK * (uint64_t)%s.len);", s);
	return emit_value(e, TYPE_LONG, "%sstp_regex_test(&%s, %s.s, %s.len)", not, name, s, s);
}

/* matched() and similar functions return the matched text. */
static bool only_computes(const struct node *n)
{
	return !n->noted;
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->lhs, true);
	strbuf_addf(out, " %s ", op_texts[n->op]);
	strbuf_addquoted(out, n->pattern, n->pattern_len);
}

LANG_OPS(regex, uses_children, effects_outside, print, checking_reach_nothing, .infer = infer,
	 .fold = fold, .emit = emit, .only_computes = only_computes, .is_operation = true);
