/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach. The iterator is opened before the loop and closed at one label after it,
 * which break and errors reach too; `return` and `next` close the iterators around them
 * on their way out (emit_end_iterators).
 */
#include "ast/ast.h"
#include "base/diag.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

/* ---- inference ---- */

static void infer_key_variables(struct infer *in, struct symbol *array, struct node *keys)
{
	unsigned i = 0;

	for (struct node *key = keys; key; key = key->next, i++) {
		lang_infer(in, key, array->key_types[i]);
		if (array->key_types[i] == TYPE_UNKNOWN &&
		    (key->type == TYPE_LONG || key->type == TYPE_STRING)) {
			array->key_types[i] = key->type;
			array->key_locs[i] = key->loc;
			in->changed = true;
		}
	}
}

static void infer_value_variable(struct infer *in, struct symbol *array, struct node *value)
{
	if (array->type == TYPE_STATS) {
		typing_error(in, value->loc,
			     "the values of '%s' are aggregates; use @count(%s[…]) and other "
			     "statistics in the loop",
			     array->name, array->name);
		value->type = TYPE_ERROR;
		typing_wrong(in, value);
		return;
	}
	lang_infer(in, value, array->type == TYPE_ERROR ? TYPE_UNKNOWN : array->type);
	if (array->type == TYPE_ERROR)
		typing_wrong(in, value);
	if (array->type == TYPE_UNKNOWN)
		typing_symbol(in, array, value->type, value->loc);
}

static void infer_array_loop(struct infer *in, struct node *n)
{
	struct symbol *array = typing_array(in, n->array);
	int arity = node_count(n->keys);

	if (!array || !typing_arity(in, array, arity, n->array->loc)) {
		typing_wrong(in, n->keys);
		typing_wrong(in, n->value);
		return;
	}
	if (n->slice) {
		if ((int)node_count(n->list) != arity)
			typing_error(in, n->array->loc, "the slice has %u key%s, the array has %d",
				     node_count(n->list), node_count(n->list) == 1 ? "" : "s",
				     arity);
		else
			typing_keys(in, array, n->list);
	}
	infer_key_variables(in, array, n->keys);
	if (n->value)
		infer_value_variable(in, array, n->value);
	if (n->sort_by_stat && array->type == TYPE_LONG)
		typing_error(in, n->array->loc,
			     "'%s' holds no aggregates; sort by its values with '+' or '-' alone",
			     array->name);
	if (n->sort_column == -1)
		array->stat_ops |= 1u << n->sort_stat;
}

static void infer_bucket_loop(struct infer *in, struct node *n)
{
	stats_infer_histogram(in, n->array);
	if (node_count(n->keys) != 1 || n->slice)
		typing_error(in, n->array->loc,
			     "a loop over a histogram has one variable, the bucket");
	if (n->sort_column && in->final)
		diag_warning(in->s, n->array->loc,
			     "buckets come in their own order; no other can be given");
	lang_infer(in, n->keys, TYPE_LONG);
	if (n->value)
		lang_infer(in, n->value, TYPE_LONG);
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	if (n->limit)
		lang_infer(in, n->limit, TYPE_LONG);
	if (n->array->kind == NODE_HISTOP) {
		infer_bucket_loop(in, n);
	} else {
		infer_array_loop(in, n);
	}
	lang_infer(in, n->each_body, TYPE_UNKNOWN);
}

/* ---- emission ---- */

static const char *const stat_names[STAT_OP_COUNT] = {
	[STAT_COUNT_OP] = "STP_COUNT", [STAT_SUM] = "STP_SUM", [STAT_MIN] = "STP_MIN",
	[STAT_MAX] = "STP_MAX",	       [STAT_AVG] = "STP_AVG", [STAT_VARIANCE] = "STP_VARIANCE",
};

/*
 * Declares and fills the struct stp_iter_how, which is constant unless limit or slice
 * keys are computed.
 */
static const char *emit_how(struct emitter *e, struct node *n)
{
	const char *limit = "-1", *slice = "NULL",
		   *name = arena_printf(e->s->arena, "how%u", ++e->temps);
	bool is_constant = !n->slice && (!n->limit || n->limit->kind == NODE_NUMBER);
	const char *operands[9], *fields;

	if (n->slice) {
		emit_operands(e, n->list, n->limit, operands);
		slice = emit_union(e, n->list, operands);
	}
	/*
	 * A limit below 0 means no element: the runtime's "no limit" is not for scripts.
	 */
	if (n->limit && n->limit->kind == NODE_NUMBER)
		limit = n->limit->number < 0 ? "0" : emit_expr(e, n->limit);
	else if (n->limit)
		limit = emit_value(e, TYPE_LONG, "stp_limit(%s)", emit_expr(e, n->limit));
	fields = arena_printf(e->s->arena,
			      ".sort_column = %d, .direction = %d, .stat = %s, .wild = %s, .slice "
			      "= %s, .limit = %s",
			      n->sort_column, n->sort_direction, stat_names[n->sort_stat],
			      n->slice ? arena_printf(e->s->arena, "%uu", arrays_keys_wild(n->list))
				       : "~0u",
			      slice, limit);
	if (is_constant) {
		writer_line(e->decls, "static const struct stp_iter_how %s = { %s };", name,
			    fields);
	} else {
		writer_line(e->decls, "struct stp_iter_how %s;", name);
		writer_line(e->w, "%s = (struct stp_iter_how){ %s };", name, fields);
	}
	return name;
}

static void emit_loop_variables(struct emitter *e, struct node *n, const char *it)
{
	unsigned i = 0;

	for (struct node *key = n->keys; key; key = key->next, i++) {
		if (key->type == TYPE_STRING)
			writer_line(e->w, "%s = stp_iter_key_s(c, &%s, %u, %s);",
				    key->symbol->c_name, it, i,
				    variables_emit_storage(e, key->symbol));
		else
			writer_line(e->w, "%s = stp_iter_key_i(&%s, %u);", key->symbol->c_name, it,
				    i);
	}
	if (!n->value)
		return;
	if (n->value->type == TYPE_STRING)
		writer_line(e->w, "%s = stp_iter_value_s(c, &%s, %s);", n->value->symbol->c_name,
			    it, variables_emit_storage(e, n->value->symbol));
	else
		writer_line(e->w, "%s = stp_iter_value_i(&%s);", n->value->symbol->c_name, it);
}

/*
 * Emits the body, with its budget and its continue label. fail and break lead to `end`.
 */
static void emit_body(struct emitter *e, struct node *n, const char *end)
{
	const char *break_label = e->break_label, *continue_label = e->continue_label;

	e->break_label = end;
	e->continue_label = emit_label(e, "again");
	emit_spend(e, n->each_body, n->loc);
	emit_statement(e, n->each_body);
	emit_place_label(e, e->continue_label);
	e->break_label = break_label;
	e->continue_label = continue_label;
}

static void emit_array_loop(struct emitter *e, struct node *n)
{
	const char *how = emit_how(e, n), *end = emit_label(e, "done"), *fail = e->fail_label;
	const char *it = emit_local(e, "struct stp_iter", "it");

	writer_line(e->w, "stp_iter_begin(c, &%s, %s, &%s);", it, n->array->symbol->c_name, how);
	e->fail_label = end;
	vec_push(e->s->arena, &e->iterators, it);
	emit_check(e, n->loc);
	writer_open(e->w, "while (stp_iter_next(c, &%s))", it);
	emit_loop_variables(e, n, it);
	emit_body(e, n, end);
	writer_close(e->w, "");
	emit_place_label(e, end);
	e->iterators.count--;
	e->fail_label = fail;
	writer_line(e->w, "stp_iter_end(c, &%s);", it);
	emit_check(e, n->loc);
}

/*
 * Emits a loop over the buckets of a histogram. A bucket is read only when the body uses
 * it.
 */
static void emit_bucket_loop(struct emitter *e, struct node *n)
{
	long long buckets = node_hist_buckets(n->array);
	const char *end = emit_label(e, "done"), *i = emit_temp(e, TYPE_LONG), *limit = NULL;

	if (n->limit)
		limit = emit_value(e, TYPE_LONG, "%s", emit_expr(e, n->limit));
	writer_open(e->w, "for (%s = 0; %s < %lld%s%s%s%s; %s++)", i, i, buckets,
		    limit ? " && " : "", limit ? i : "", limit ? " < " : "", limit ? limit : "", i);
	variables_emit_store(e, n->keys->symbol, i);
	if (n->value)
		variables_emit_store(e, n->value->symbol,
				     stats_emit_bucket(e, n->array, i, n->loc));
	emit_body(e, n, end);
	writer_close(e->w, "");
	emit_place_label(e, end);
}

static const char *emit(struct emitter *e, struct node *n)
{
	if (n->array->kind == NODE_HISTOP)
		emit_bucket_loop(e, n);
	else
		emit_array_loop(e, n);
	return NULL;
}

/* ---- uses, effect, checks, text ---- */

static void uses(struct uses *u, struct node *n, bool wanted)
{
	for (struct node *key = n->keys; key; key = key->next)
		uses_place(u, key, USE_WRITE);
	if (n->value)
		uses_place(u, n->value, USE_WRITE);
	uses_place(u, n->array, USE_READ | (n->sort_column ? USE_SORT : 0));
	uses_list(u, n->list);
	uses_value(u, n->limit);
	uses_effect(u, n->each_body);
}

static enum effect effect(const struct node *n)
{
	for (const struct node *key = n->keys; key; key = key->next)
		if (effects_of_place(key) == EFFECT_OUTSIDE)
			return EFFECT_OUTSIDE;
	return n->value ? effects_of_place(n->value) : EFFECT_OWN;
}

/* Checks the body, which may not change the array. */
static void check(struct checking *ck, struct node *n)
{
	bool is_array = n->array->kind == NODE_NAME && n->array->symbol;

	checking_node(ck, n->limit);
	for (struct node *key = n->list; key; key = key->next)
		checking_node(ck, key);
	if (is_array)
		vec_push(ck->in.s->arena, &ck->iterated, n->array->symbol);
	ck->loops++;
	checking_node(ck, n->each_body);
	ck->loops--;
	if (is_array)
		ck->iterated.count--;
}

static bool is_read(const struct node *variable)
{
	return variable->kind != NODE_NAME || (variable->symbol && variable->symbol->read);
}

/* Leaves a loop whose variables are read after it: they keep the last element. */
static bool is_idle(const struct node *n, bool is_written, struct node **left)
{
	*left = n->limit;
	for (const struct node *key = n->keys; key; key = key->next)
		if (is_read(key))
			return false;
	return lang_is_nothing(n->each_body) && !(n->value && is_read(n->value));
}

static const char *direction(int d)
{
	return d > 0 ? "+" : d < 0 ? "-" : "";
}

static void print_keys(struct strbuf *out, const struct node *n)
{
	bool are_many = n->keys->next;
	int column = 1;

	strbuf_adds(out, are_many ? "[" : "");
	for (const struct node *key = n->keys; key; key = key->next, column++) {
		unparse_expr(out, key, false);
		strbuf_addf(out, "%s%s",
			    n->sort_column == column ? direction(n->sort_direction) : "",
			    key->next ? ", " : "");
	}
	strbuf_adds(out, are_many ? "] in " : " in ");
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, "foreach (");
	if (n->value) {
		unparse_expr(out, n->value, false);
		strbuf_adds(out, " = ");
	}
	print_keys(out, n);
	unparse_expr(out, n->array, false);
	if (n->slice) {
		strbuf_addc(out, '[');
		unparse_list(out, n->list);
		strbuf_addc(out, ']');
	}
	if (n->sort_column == -1)
		strbuf_addf(out, "%s%s%s", n->sort_stat ? " @" : "",
			    n->sort_stat ? stat_op_names[n->sort_stat] : "",
			    direction(n->sort_direction));
	if (n->limit)
		unparse_after(out, " limit ", n->limit);
	strbuf_addc(out, ')');
	unparse_body(out, n->each_body, depth);
}

LANG_OPS(foreach, uses, effect, print, checking_reach_nothing, .infer = infer, .emit = emit,
	 .check = check, .is_idle = is_idle);
