/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is taken out of aggregates: @count … @variance, and histograms. (`<<<` stands in assign.c.) */
#include "base/diag.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "options.h"

struct symbol *aggregate_symbol(const struct node *n)
{
	return n->kind == NODE_INDEX ? n->base->symbol : n->symbol;
}

const char *emit_stat_data(struct emitter *e, struct node *n)
{
	const char *t, *name = aggregate_symbol(n)->c_name, *keys;

	if (n->kind == NODE_INDEX) {
		keys = emit_element_keys(e, n, NULL);
		t = emit_local(e, "const struct stp_stat_data *", "d");
		writer_line(e->w, "%s = stp_map_stat_read(c, %s, %s);", t, name, keys);
		return t;
	}
	t = emit_local(e, "const struct stp_stat_data *", "d");
	writer_line(e->w, "%s = stp_stat_read(c, %s);", t, name);
	return t;
}

const char *emit_stat_desc(struct emitter *e, const struct symbol *sym)
{
	return arena_printf(e->s->arena, "&%s_%s", sym->arity > 0 ? "hist" : "desc", sym->c_name + 2);
}

/* ---- @count … ---- */

static const char *const op_names[STAT_OP_COUNT] = {
	[STAT_COUNT_OP] = "STP_COUNT", [STAT_SUM] = "STP_SUM", [STAT_MIN] = "STP_MIN",
	[STAT_MAX] = "STP_MAX", [STAT_AVG] = "STP_AVG", [STAT_VARIANCE] = "STP_VARIANCE",
};

static void infer_shift(struct infer *in, struct node *n, struct symbol *sym)
{
	if (!sym->variance) {
		sym->variance = n;
		return;
	}
	if (sym->variance->stat_param == n->stat_param)
		return;
	if (infer_error(in, n->loc, "'%s' has another shift elsewhere; an aggregate can have only one", sym->name))
		diag_note(in->s, sym->variance->loc, "the other one");
}

static void statop_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct symbol *sym = infer_aggregate(in, n->operand);

	if (sym)
		sym->stat_ops |= 1u << n->stat;
	if (sym && n->stat == STAT_VARIANCE)
		infer_shift(in, n, sym);
	infer_type(in, n, TYPE_LONG, wanted);
}

static const char *statop_emit(struct emitter *e, struct node *n)
{
	const char *data = emit_stat_data(e, n->operand), *t;

	/* Before SystemTap 1.5 nothing had no sum, as it has no average. */
	if (n->stat == STAT_SUM && !options_speak(e->s, "1.5")) {
		writer_line(e->w, "stp_stat_op(c, %s, STP_AVG);", data);
		emit_check(e, n->loc);
	}
	t = emit_value(e, TYPE_LONG, "stp_stat_op(c, %s, %s)", data, op_names[n->stat]);
	emit_check(e, n->loc);
	return t;
}

/* ---- histograms ---- */

#define HIST_LOG_BUCKETS 128

int64_t hist_buckets(const struct symbol *sym)
{
	if (sym->hist_kind == HIST_LOG)
		return HIST_LOG_BUCKETS;
	return (sym->hist_high - sym->hist_low) / sym->hist_width + 3;
}

void infer_histogram(struct infer *in, struct node *n)
{
	struct symbol *sym = infer_aggregate(in, n->operand);

	n->type = TYPE_VOID;
	if (!sym)
		return;
	if (sym->hist_kind == HIST_NONE) {
		sym->hist_kind = n->hist_kind;
		sym->hist_low = n->hist_low;
		sym->hist_high = n->hist_high;
		sym->hist_width = n->hist_width;
	} else if (sym->hist_kind != n->hist_kind || sym->hist_low != n->hist_low || sym->hist_high != n->hist_high ||
		   sym->hist_width != n->hist_width) {
		infer_error(in, n->loc, "'%s' has another histogram elsewhere; an aggregate can have only one",
			    sym->name);
	}
}

/* The parser lets none stand where it would be a value. */
static void histop_infer(struct infer *in, struct node *n, enum type wanted)
{
	infer_histogram(in, n);
}

static void histindex_infer(struct infer *in, struct node *n, enum type wanted)
{
	infer_histogram(in, n->hist);
	lang_infer(in, n->bucket, TYPE_LONG);
	infer_type(in, n, TYPE_LONG, wanted);
}

const char *emit_bucket(struct emitter *e, struct node *hist, const char *bucket, struct loc loc)
{
	const char *data = emit_stat_data(e, hist->operand), *t;

	t = emit_value(e, TYPE_LONG, "stp_hist_bucket(c, %s, %s, %s)", data,
		       emit_stat_desc(e, aggregate_symbol(hist->operand)), bucket);
	emit_check(e, loc);
	return t;
}

static const char *histindex_emit(struct emitter *e, struct node *n)
{
	const char *bucket = emit_expr(e, n->bucket);

	return emit_bucket(e, n->hist, bucket, n->loc);
}

const struct node_ops lang_statop_ops = { .infer = statop_infer, .emit = statop_emit };
const struct node_ops lang_histop_ops = { .infer = histop_infer };
const struct node_ops lang_histindex_ops = { .infer = histindex_infer, .emit = histindex_emit };
