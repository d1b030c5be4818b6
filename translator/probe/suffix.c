/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands behind `.function("…")` and `.statement("…")`: one part, or `.callee("g")` and another. */
#include <string.h>

#include "base/error.h"
#include "base/session.h"
#include "base/strbuf.h"
#include "probe/function.h"

struct part {
	const char *name;
	int arg_kind;
	void (*set)(struct function_suffix *x, const struct component *c);
	enum { OF_FUNCTION = 1, OF_STATEMENT = 2 } of;
};

static void set_call(struct function_suffix *x, const struct component *c) { x->is_call = true; }
static void set_exported(struct function_suffix *x, const struct component *c) { x->is_exported = true; }
static void set_return(struct function_suffix *x, const struct component *c) { x->is_return = true; }
static void set_inline(struct function_suffix *x, const struct component *c) { x->is_inline = true; }
static void set_nearest(struct function_suffix *x, const struct component *c) { x->is_nearest = true; }
static void set_absolute(struct function_suffix *x, const struct component *c) { x->is_absolute = true; }
static void set_label(struct function_suffix *x, const struct component *c) { x->label = c->string; }

static void set_callee(struct function_suffix *x, const struct component *c)
{
	x->callee = c->string;
	x->depth = 1;
}

static void set_callees(struct function_suffix *x, const struct component *c)
{
	x->callee = "*";
	x->depth = c->arg_kind == ARG_NUMBER && c->number > 0 && c->number <= UINT16_MAX ? (unsigned)c->number : 1;
}

static const struct part parts[] = {
	{ "call", ARG_NONE, set_call, OF_FUNCTION },
	{ "exported", ARG_NONE, set_exported, OF_FUNCTION },
	{ "return", ARG_NONE, set_return, OF_FUNCTION },
	{ "inline", ARG_NONE, set_inline, OF_FUNCTION },
	{ "label", ARG_STRING, set_label, OF_FUNCTION },
	{ "callee", ARG_STRING, set_callee, OF_FUNCTION },
	{ "callees", ARG_NONE, set_callees, OF_FUNCTION },
	{ "callees", ARG_NUMBER, set_callees, OF_FUNCTION },
	{ "nearest", ARG_NONE, set_nearest, OF_FUNCTION | OF_STATEMENT },
	{ "absolute", ARG_NONE, set_absolute, OF_STATEMENT },
};

static struct error *unknown(struct session *s, const struct component *c, bool is_statement)
{
	return error_create(s->arena, ERROR_SCRIPT,
			    is_statement ? "unknown part '.%s' of a statement probe; there are .nearest and .absolute"
					 : "unknown part '.%s' of a function probe; there are .call .exported .inline .return .return.maxactive(N) "
					   ".label(\"l\") .callee(\"g\") .callees(N) .nearest",
			    c->name);
}

static struct error *read_maxactive(struct session *s, const struct point *p, unsigned *i, struct function_suffix *ret)
{
	const struct component *c = point_component(p, *i);

	if (!component_is(p, *i, "maxactive", ARG_NUMBER))
		return NULL;
	*i += 1;
	if (c->number < 1 || c->number > 65535)
		return error_create(s->arena, ERROR_SCRIPT, "maxactive(%lld) is out of range: 1 to 65535", (long long)c->number);
	ret->maxactive = c->number;
	return NULL;
}

struct error *function_read_suffix(struct session *s, const struct point *p, unsigned i, bool is_statement,
				   struct function_suffix *ret)
{
	const struct component *c = point_component(p, i);
	const struct part *found = NULL;
	struct error *err = NULL;

	*ret = (struct function_suffix){ 0 };
	if (!c)
		return NULL;
	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]) && !found; k++)
		if (component_is(p, i, parts[k].name, parts[k].arg_kind) && parts[k].of & (is_statement ? OF_STATEMENT : OF_FUNCTION))
			found = &parts[k];
	if (!found)
		return unknown(s, c, is_statement);
	found->set(ret, c);
	i++;
	if (ret->callee && component_is(p, i, "call", ARG_NONE))
		i++;
	else if (ret->callee && component_is(p, i, "return", ARG_NONE) && i++)
		ret->is_return = true;
	if (ret->is_return)
		err = read_maxactive(s, p, &i, ret);
	c = point_component(p, i);
	if (!err && c)
		err = error_create(s->arena, ERROR_SCRIPT, "nothing can follow as '.%s' here", c->name);
	return err;
}
