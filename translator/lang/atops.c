/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The other @operators: one row each. The parser has checked the number of arguments, and
 * which of them are literals.
 */
#include <inttypes.h>
#include <string.h>

#include "arch/arch.h"
#include "ast/ast.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "types/enums.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "target/enumops.h"
#include "probe/counter.h"

static void refuse(struct infer *in, struct node *n, struct loc loc, const char *why)
{
	typing_error(in, loc, "%s", why);
	n->type = TYPE_ERROR;
}

/* ---- @const("EXPR"): a C expression, evaluated by the compiler ---- */

static void infer_const(struct infer *in, struct node *n, enum type wanted)
{
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *emit_const(struct emitter *e, struct node *n)
{
	return emit_value(e, TYPE_LONG, "(int64_t)(%.*s)", (int)n->list->string_len,
			  n->list->string);
}

/* ---- @kderef and @uderef: memory ---- */

static void infer_deref(struct infer *in, struct node *n, enum type wanted)
{
	int64_t size = n->list->kind == NODE_NUMBER ? n->list->number : 0;

	lang_infer(in, n->list->next, TYPE_LONG);
	if (size != 1 && size != 2 && size != 4 && size != 8)
		typing_error(in, n->list->loc, "@%s reads 1, 2, 4 or 8 bytes", n->atop);
	typing_type(in, n, TYPE_LONG, wanted);
}

static const char *emit_deref(struct emitter *e, struct node *n, const char *space)
{
	const char *address = emit_operand(e, n->list->next, NULL), *t;

	t = emit_value(e, TYPE_LONG, "(int64_t)stp_load(c, %s, %s, %" PRId64 ")", space, address,
		       n->list->number);
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

/* ---- @kregister and @uregister ---- */

static void infer_register(struct infer *in, struct node *n, enum type wanted)
{
	int64_t number = n->list->kind == NODE_NUMBER ? n->list->number : -1;

	const unsigned last = arch_of(in->s)->registers->ip;

	if (number < 0 || number > last)
		typing_error(in, n->list->loc, "@%s takes DWARF's number of a register: 0 to %u",
			     n->atop, last);
	typing_type(in, n, TYPE_LONG, wanted);
}

static void infer_uregister(struct infer *in, struct node *n, enum type wanted)
{
	if (in->s->options->runtime == RUNTIME_BPF)
		typing_error(in, n->loc,
			     "@uregister needs a module, --runtime=kernel: --runtime=bpf has no "
			     "registers of the program at a point in the kernel");
	infer_register(in, n, wanted);
}

static const char *emit_register(struct emitter *e, struct node *n, const char *function)
{
	const char *t = emit_value(e, TYPE_LONG, "%s(c, %" PRId64 ")", function, n->list->number);

	emit_check(e, n->loc);
	return t;
}

static const char *emit_kregister(struct emitter *e, struct node *n)
{
	return emit_register(e, n, "stp_kregister");
}

static const char *emit_uregister(struct emitter *e, struct node *n)
{
	return emit_register(e, n, "stp_user_register");
}

/* ---- @enum and @enumname: bound by target/enumops.c in probes ---- */

static void infer_enum(struct infer *in, struct node *n, enum type wanted)
{
	enumops_bind(in->s, NULL, n);
	if (n->kind != NODE_ATOP)
		lang_infer(in, n, wanted);
	else
		refuse(in, n, n->loc, n->missing);
}

/* Replaces @enumname of a literal number, which is known here, with a string. */
static void fold_name(struct node *n)
{
	const struct enumeration *e = n->enumeration;

	vec_each(&e->rows, i) {
		if (e->rows.data[i].value == n->list->number) {
			literals_set_string(n, e->rows.data[i].name, strlen(e->rows.data[i].name));
			return;
		}
	}
}

static void infer_enumname(struct infer *in, struct node *n, enum type wanted)
{
	lang_infer(in, n->list, TYPE_LONG);
	enumops_bind(in->s, NULL, n);
	if (n->missing) {
		refuse(in, n, n->loc, n->missing);
		return;
	}
	if (n->enumeration && !n->enumeration->field && n->list->kind == NODE_NUMBER)
		fold_name(n);
	if (n->kind == NODE_STRING)
		lang_infer(in, n, wanted);
	else
		typing_type(in, n, TYPE_STRING, wanted);
}

static const char *emit_enumname(struct emitter *e, struct node *n)
{
	const char *value = emit_operand(e, n->list, NULL);

	if (n->enumeration->field)
		emit_field(e, n->enumeration->field, n->loc);
	return emit_value(e, TYPE_STRING, "stp_enum_name(c, %s, %s, %s)", emit_storage(e),
			  emit_enumeration(e, n->enumeration), value);
}

/* ---- @perf, bound to the point by probe/counter.c ---- */

static void infer_perf(struct infer *in, struct node *n, enum type wanted)
{
	unsigned number;
	const char *why;

	/* The point is wrong, which has been reported. */
	if (!n->reader && !n->missing && in->s->errors) {
		n->type = TYPE_ERROR;
		return;
	}
	counter_bind(in->s, NULL, n);
	why = n->missing ? n->missing : counter_use(in->s, n, &number);
	if (why)
		refuse(in, n, n->loc, why);
	else
		typing_type(in, n, TYPE_LONG, wanted);
}

static const char *emit_perf(struct emitter *e, struct node *n)
{
	unsigned number = 0;

	counter_use(e->s, n, &number);
	return emit_value(e, TYPE_LONG, "stp_trace_arg(c, %u)", number);
}

/* ---- operators without a value here ---- */

static void refuse_probewrite(struct infer *in, struct node *n, enum type wanted)
{
	refuse(in, n, n->loc, "@probewrite(variable) is for the bodies of aliases");
}

static const struct atop {
	const char *name;
	enum stp_privilege_reach reach;
	void (*infer)(struct infer *in, struct node *n, enum type wanted);
	const char *(*emit)(struct emitter *e, struct node *n);
} atops[] = {
#define ATOP(name, reach, infer, emit)                                                             \
	{                                                                                          \
#name, PRIVILEGE_REACH_##reach, infer, emit                                        \
	}
	ATOP(const, PLAIN_C, infer_const, emit_const),
	ATOP(kderef, KERNEL_MEMORY, infer_deref, emit_kderef),
	ATOP(uderef, OWN_PROCESS, infer_deref, emit_uderef),
	ATOP(kregister, KERNEL_ADDRESS, infer_register, emit_kregister),
	ATOP(uregister, OWN_PROCESS, infer_uregister, emit_uregister),
	ATOP(enum, NOTHING, infer_enum, NULL),
	ATOP(enumname, NOTHING, infer_enumname, emit_enumname),
	ATOP(perf, NOTHING, infer_perf, emit_perf),
	ATOP(probewrite, NOTHING, refuse_probewrite, NULL),
#undef ATOP
};

/* Finds the operator's row. NULL: the parser has rejected it and reported the error. */
static const struct atop *find(const struct node *n)
{
	for (size_t i = 0; i < sizeof(atops) / sizeof(atops[0]); i++) {
		if (!strcmp(atops[i].name, n->atop))
			return &atops[i];
	}
	return NULL;
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	const struct atop *a = find(n);

	if (a && n->type != TYPE_ERROR)
		a->infer(in, n, wanted);
	else
		n->type = TYPE_ERROR;
}

static const char *emit(struct emitter *e, struct node *n)
{
	return find(n)->emit(e, n);
}

static enum stp_privilege_reach reach(const struct node *n)
{
	const struct atop *a = find(n);

	return a ? a->reach : PRIVILEGE_REACH_NOTHING;
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addf(out, "@%s(", n->atop);
	unparse_list(out, n->list);
	strbuf_addc(out, ')');
}

LANG_OPS(atop, uses_children, effects_none, print, reach, .infer = infer, .emit = emit);
