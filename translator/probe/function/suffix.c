/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads suffixes after `.function("…")` and `.statement("…")`: one component, or
 * `.callee("g")` and another.
 */
#include "probe/function/suffix.h"

#include <string.h>

#include "base/session.h"
#include "dwarf/find.h"
#include "lib/error.h"

struct part {
	const char *name;
	int arg_kind;
	void (*set)(struct point_suffix *x, const struct component *c);
	unsigned of; /* enum suffix_kind */
};

static void set_call(struct point_suffix *x, const struct component *c)
{
	x->is_call = true;
}
static void set_exported(struct point_suffix *x, const struct component *c)
{
	x->is_exported = true;
}
static void set_return(struct point_suffix *x, const struct component *c)
{
	x->is_return = true;
}
static void set_inline(struct point_suffix *x, const struct component *c)
{
	x->is_inline = true;
}
static void set_nearest(struct point_suffix *x, const struct component *c)
{
	x->is_nearest = true;
}
static void set_absolute(struct point_suffix *x, const struct component *c)
{
	x->is_absolute = true;
}
static void set_label(struct point_suffix *x, const struct component *c)
{
	x->label = c->string;
}

static void set_callee(struct point_suffix *x, const struct component *c)
{
	x->callee = c->string;
	x->depth = 1;
}

static void set_callees(struct point_suffix *x, const struct component *c)
{
	x->callee = "*";
	x->depth = c->arg_kind == ARG_NUMBER && c->number > 0 && c->number <= UINT16_MAX
			   ? (unsigned)c->number
			   : 1;
}

static const struct part parts[] = {
	{ "call", ARG_NONE, set_call, SUFFIX_FUNCTION },
	{ "exported", ARG_NONE, set_exported, SUFFIX_FUNCTION },
	{ "return", ARG_NONE, set_return, SUFFIX_FUNCTION | SUFFIX_SLOT },
	{ "inline", ARG_NONE, set_inline, SUFFIX_FUNCTION },
	{ "label", ARG_STRING, set_label, SUFFIX_FUNCTION },
	{ "callee", ARG_STRING, set_callee, SUFFIX_FUNCTION },
	{ "callees", ARG_NONE, set_callees, SUFFIX_FUNCTION },
	{ "callees", ARG_NUMBER, set_callees, SUFFIX_FUNCTION },
	{ "nearest", ARG_NONE, set_nearest, SUFFIX_FUNCTION | SUFFIX_STATEMENT | SUFFIX_PLACE },
	{ "absolute", ARG_NONE, set_absolute, SUFFIX_STATEMENT | SUFFIX_PLACE },
};

static const char *const argument_texts[] = {
	[ARG_NONE] = "no argument",
	[ARG_STRING] = "a string",
	[ARG_NUMBER] = "a number",
};

/*
 * Returns the error of a component with a wrong argument; NULL: there is no such
 * component.
 */
static struct error *wrong_argument(struct session *s, const struct component *c,
				    enum suffix_kind kind)
{
	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++)
		if (!strcmp(parts[k].name, c->name) && parts[k].of & kind)
			return probe_wrong(s, "'.%s' takes %s", c->name,
					   argument_texts[parts[k].arg_kind]);
	return NULL;
}

static struct error *unknown(struct session *s, const struct component *c, enum suffix_kind kind)
{
	struct error *wrong = wrong_argument(s, c, kind);

	if (wrong)
		return wrong;
	switch (kind) {
	case SUFFIX_STATEMENT:
	case SUFFIX_PLACE:
		return probe_wrong(
			s,
			"unknown part '.%s' of a statement probe; there are .nearest and .absolute",
			c->name);
	case SUFFIX_SLOT:
		return probe_wrong(s, "unknown part '.%s' of a slot probe; there is .return",
				   c->name);
	case SUFFIX_FUNCTION:
		break;
	}
	return probe_wrong(s,
			   "unknown part '.%s' of a function probe; there are .call .exported "
			   ".inline .return .return.maxactive(N) "
			   ".label(\"l\") .callee(\"g\") .callees(N) .nearest",
			   c->name);
}

static struct error *read_maxactive(struct session *s, const struct point *p, unsigned *i,
				    struct point_suffix *ret)
{
	const struct component *c = probe_component(p, *i);

	if (!c || strcmp(c->name, "maxactive"))
		return NULL;
	if (c->arg_kind != ARG_NUMBER)
		return probe_wrong(s, "'.maxactive' takes the "
				      "number of calls that can be active at once");
	*i += 1;
	if (c->number < 1 || c->number > 65535)
		return probe_wrong(s, "maxactive(%lld) is out of range: 1 to 65535",
				   (long long)c->number);
	ret->maxactive = c->number;
	return NULL;
}

struct error *suffix_read(struct session *s, const struct point *p, unsigned i,
			  enum suffix_kind kind, struct point_suffix *ret)
{
	const struct component *c = probe_component(p, i);
	const struct part *found = NULL;
	struct error *err = NULL;

	*ret = (struct point_suffix){ 0 };
	if (!c)
		return NULL;
	for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]) && !found; k++)
		if (probe_component_is(p, i, parts[k].name, parts[k].arg_kind) &&
		    parts[k].of & kind)
			found = &parts[k];
	if (!found)
		return unknown(s, c, kind);
	found->set(ret, c);
	i++;
	if (ret->callee && probe_component_is(p, i, "call", ARG_NONE))
		i++;
	else if ((ret->callee || (ret->is_absolute && kind == SUFFIX_PLACE)) &&
		 probe_component_is(p, i, "return", ARG_NONE) && i++)
		ret->is_return = true;
	if (ret->is_return)
		err = read_maxactive(s, p, &i, ret);
	c = probe_component(p, i);
	if (!err && c)
		err = probe_wrong(s, "nothing can follow as '.%s' here", c->name);
	return err;
}

unsigned suffix_copies(const struct point_suffix *x)
{
	unsigned near = x->is_nearest ? FIND_NEAREST : 0;

	if (x->is_inline)
		return FIND_INLINED | near;
	if (x->is_exported)
		return FIND_EXTERNAL | near;
	return FIND_CALLED | near | (x->is_call || (x->is_return && !x->callee) ? 0 : FIND_INLINED);
}

struct error *suffix_only_inlined(struct session *s, const struct point_suffix *x,
				  struct dwarf_file *file, const struct dwarf_pattern *pattern,
				  struct error *absent)
{
	dwarf_places places = { 0 }, rests = { 0 };
	unsigned with_rests = suffix_copies(x) | FIND_RESTS;

	if (absent->kind != ERROR_ABSENT || !(x->is_call || x->is_return) ||
	    !dwarf_find_functions(s, file, pattern, with_rests, &rests) ||
	    dwarf_find_functions(s, file, pattern, FIND_INLINED, &places))
		return absent;
	return error_create(
		s->arena, ERROR_ABSENT,
		x->is_call
			? "'%s' is inlined wherever it is called: leave out .call, or use .inline"
			: "'%s' is inlined wherever it is called: there is no return to probe",
		pattern->text);
}
