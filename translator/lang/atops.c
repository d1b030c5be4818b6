/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other @operators: one row each. Those without a row are refused by name. */
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"

/* @const("EXPR"): a C expression, computed by the compiler. */
static const char *emit_const(struct emitter *e, struct node *n)
{
	return emit_value(e, TYPE_LONG, "(int64_t)(%.*s)", (int)n->list->string_len, n->list->string);
}

static const char *emit_deref(struct emitter *e, struct node *n, const char *space)
{
	const char *operands[2], *t;

	emit_operands(e, n->list, NULL, operands);
	t = emit_value(e, TYPE_LONG, "(int64_t)stp_load(c, %s, %s, %s)", space, operands[1], operands[0]);
	emit_check(e, n->loc);
	return t;
}

static const char *emit_kderef(struct emitter *e, struct node *n)
{
	return emit_deref(e, n, "STP_KERNEL");
}

static const char *emit_uderef(struct emitter *e, struct node *n)
{
	return emit_deref(e, n, "STP_USER");
}

static const struct atop {
	const char *name;
	enum type arg;
	bool size_first;
	const char *(*emit)(struct emitter *e, struct node *n);
} atops[] = {
	{ "const", TYPE_STRING, .emit = emit_const },
	{ "kderef", TYPE_LONG, .size_first = true, .emit = emit_kderef },
	{ "uderef", TYPE_LONG, .size_first = true, .emit = emit_uderef },
};

static const struct atop *find(const struct node *n)
{
	for (size_t i = 0; i < sizeof(atops) / sizeof(atops[0]); i++) {
		if (!strcmp(atops[i].name, n->atop))
			return &atops[i];
	}
	return NULL;
}

static bool is_size(const struct node *n)
{
	return n->kind == NODE_NUMBER && (n->number == 1 || n->number == 2 || n->number == 4 || n->number == 8);
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	const struct atop *a = find(n);

	if (!a) {
		if (!strcmp(n->atop, "probewrite"))
			infer_error(in, n->loc, "@probewrite(variable) is for the bodies of aliases");
		else
			infer_error(in, n->loc, "@%s is not available", n->atop);
		n->type = TYPE_ERROR;
		return;
	}
	for (struct node *arg = n->list; arg; arg = arg->next)
		lang_infer(in, arg, a->arg);
	if (a->size_first && !is_size(n->list))
		infer_error(in, n->list->loc, "@%s reads 1, 2, 4 or 8 bytes", n->atop);
	infer_type(in, n, TYPE_LONG, wanted);
}

static const char *emit(struct emitter *e, struct node *n)
{
	return find(n)->emit(e, n);
}

const struct node_ops lang_atop_ops = { .infer = infer, .emit = emit };
