/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values read from aggregates: @count … @variance, and histograms. (`<<<` is in
 * assign.c.)
 */
#include "base/diag.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "base/options.h"

struct symbol *stats_symbol(const struct node *n)
{
	return n->kind == NODE_INDEX ? n->base->symbol : n->symbol;
}

const char *stats_emit_data(struct emitter *e, struct node *n)
{
	const char *t, *name = stats_symbol(n)->c_name, *keys;

	if (n->kind == NODE_INDEX) {
		keys = arrays_emit_keys(e, n, NULL);
		t = emit_local(e, "const struct stp_stat_data *", "d");
		writer_line(e->w, "%s = stp_map_stat_read(c, %s, %s);", t, name, keys);
		return t;
	}
	t = emit_local(e, "const struct stp_stat_data *", "d");
	writer_line(e->w, "%s = stp_stat_read(c, %s);", t, name);
	return t;
}

static bool is_same_shape(const struct node *a, const struct node *b)
{
	return a->hist_kind == b->hist_kind && a->hist_low == b->hist_low &&
	       a->hist_high == b->hist_high && a->hist_width == b->hist_width;
}

/* The name is the one from module/globals.c. */
const char *stats_emit_hist(struct emitter *e, const struct node *hist)
{
	const struct symbol *sym = stats_symbol(hist->operand);

	vec_each(&sym->histograms, i)
		if (is_same_shape(sym->histograms.data[i], hist))
			return arena_printf(e->s->arena, "&hist_%s_%zu", sym->c_name, i);
	return NULL;
}

/* ---- @count … ---- */

static const char *const op_names[STAT_OP_COUNT] = {
	[STAT_COUNT_OP] = "STP_COUNT", [STAT_SUM] = "STP_SUM", [STAT_MIN] = "STP_MIN",
	[STAT_MAX] = "STP_MAX",	       [STAT_AVG] = "STP_AVG", [STAT_VARIANCE] = "STP_VARIANCE",
};

static void statop_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct symbol *sym = typing_aggregate(in, n->operand);

	if (sym)
		sym->stat_ops |= 1u << n->stat;
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *statop_emit(struct emitter *e, struct node *n)
{
	const char *data = stats_emit_data(e, n->operand), *t;

	/*
	 * Before SystemTap 1.5 an empty aggregate had no sum, just as it has no average.
	 */
	if (n->stat == STAT_SUM && !options_speak(e->s, "1.5")) {
		writer_line(e->w, "stp_stat_op(c, %s, STP_AVG);", data);
		emit_check(e, n->loc);
	}
	t = emit_value(e, TYPE_LONG, "stp_stat_op(c, %s, %s)", data, op_names[n->stat]);
	emit_check(e, n->loc);
	return t;
}

/* ---- histograms ---- */

#define HISTOGRAMS_MOST 4 /* per aggregate: each element stores all their buckets */

void stats_infer_histogram(struct infer *in, struct node *n)
{
	struct symbol *sym = typing_aggregate(in, n->operand);

	n->type = TYPE_VOID;
	if (!sym)
		return;
	vec_each(&sym->histograms, i)
		if (is_same_shape(sym->histograms.data[i], n))
			return;
	if (sym->histograms.count < HISTOGRAMS_MOST)
		vec_push(in->s->arena, &sym->histograms, n);
	else
		typing_error(in, n->loc,
			     "'%s' has %d other histograms; an aggregate can have no more",
			     sym->name, HISTOGRAMS_MOST);
}

/* Infers a histogram. The parser does not allow one as a value. */
static void histop_infer(struct infer *in, struct node *n, enum type wanted)
{
	stats_infer_histogram(in, n);
}

static void histindex_infer(struct infer *in, struct node *n, enum type wanted)
{
	stats_infer_histogram(in, n->hist);
	lang_infer(in, n->bucket, TYPE_LONG);
	typing_type(in, n, TYPE_LONG, wanted);
}

const char *stats_emit_bucket(struct emitter *e, struct node *hist, const char *bucket,
			      struct loc loc)
{
	const char *data = stats_emit_data(e, hist->operand), *t;

	t = emit_value(e, TYPE_LONG, "stp_hist_bucket(c, %s, %s, %s)", data,
		       stats_emit_hist(e, hist), bucket);
	emit_check(e, loc);
	return t;
}

static const char *histindex_emit(struct emitter *e, struct node *n)
{
	const char *bucket = emit_expr(e, n->bucket);

	return stats_emit_bucket(e, n->hist, bucket, n->loc);
}

static void quantile_infer(struct infer *in, struct node *n, enum type wanted)
{
	stats_infer_histogram(in, n->hist);
	n->bucket->type = TYPE_LONG;
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *quantile_emit(struct emitter *e, struct node *n)
{
	const char *data = stats_emit_data(e, n->hist->operand), *t;

	t = emit_value(e, TYPE_LONG, "stp_hist_quantile(c, %s, %s, %lld)", data,
		       stats_emit_hist(e, n->hist), (long long)n->bucket->number);
	emit_check(e, n->loc);
	return t;
}

static void heat_infer(struct infer *in, struct node *n, enum type wanted)
{
	stats_infer_histogram(in, n->hist);
	typing_type(in, n, TYPE_STRING, wanted);
}

static const char *heat_emit(struct emitter *e, struct node *n)
{
	const char *data = stats_emit_data(e, n->hist->operand), *t;

	t = emit_value(e, TYPE_STRING, "stp_hist_heat(c, %s, %s, %lld, %lld, %s)", data,
		       stats_emit_hist(e, n->hist), (long long)n->list->number,
		       (long long)n->list->next->number, emit_storage(e));
	emit_check(e, n->loc);
	return t;
}

/* ---- text ---- */

static void statop_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addf(out, "@%s(", stat_op_names[n->stat]);
	unparse_expr(out, n->operand, false);
	if (n->stat_param)
		strbuf_addf(out, ", %lld", (long long)n->stat_param);
	strbuf_addc(out, ')');
}

static void histop_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, n->hist_kind == HIST_LOG ? "@hist_log(" : "@hist_linear(");
	unparse_expr(out, n->operand, false);
	if (n->hist_kind == HIST_LINEAR)
		strbuf_addf(out, ", %lld, %lld, %lld", (long long)n->hist_low,
			    (long long)n->hist_high, (long long)n->hist_width);
	strbuf_addc(out, ')');
}

static void histindex_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_expr(out, n->hist, false);
	strbuf_addc(out, '[');
	unparse_expr(out, n->bucket, false);
	strbuf_addc(out, ']');
}

static void quantile_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, "@quantile(");
	unparse_expr(out, n->hist->operand, false);
	strbuf_adds(out, ", ");
	strbuf_adds(out, node_percentage(out->arena, n->bucket->number));
	strbuf_addc(out, ')');
}

static void heat_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_adds(out, "@heat_log(");
	unparse_expr(out, n->hist->operand, false);
	strbuf_addf(out, ", %lld, %lld)", (long long)n->list->number,
		    (long long)n->list->next->number);
}

LANG_OPS(statop, uses_children, effects_none, statop_print, checking_reach_nothing,
	 .infer = statop_infer, .emit = statop_emit);
LANG_OPS(histop, uses_children, effects_none, histop_print, checking_reach_nothing,
	 .infer = histop_infer);
LANG_OPS(heat, uses_children, effects_none, heat_print, checking_reach_nothing, .infer = heat_infer,
	 .emit = heat_emit);
LANG_OPS(quantile, uses_children, effects_none, quantile_print, checking_reach_nothing,
	 .infer = quantile_infer, .emit = quantile_emit);
LANG_OPS(histindex, uses_children, effects_none, histindex_print, checking_reach_nothing,
	 .infer = histindex_infer, .emit = histindex_emit);
