/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Contents of one copy of a function: labels, and calls whose callees are known when the
 * program is linked.
 */
#include <dwarf.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/find.h"
#include "dwarf/index.h"
#include "dwarf/scopes.h"
#include "dwarf/languages.h"
#include "dwarf/units.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "program/cplus.h"

#define MAX_NESTING 256
#define MAX_PARTS   16	  /* of a function's code */
#define MAX_CALLS   20000 /* they multiply with each level */

struct inside {
	struct session *s;
	const struct dwarf_place *function;
	struct glob glob;
	const char *scope; /* scope of the callee's name, or NULL */
	/*
	 * Called for each DIE of the copy, but not for those of copies inlined into it.
	 */
	void (*see)(struct inside *in, Dwarf_Die *die, int tag);
	void *ret;
	bool any_call; /* a call of any function was seen */
};

static void walk(struct inside *in, Dwarf_Die *die, unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		in->see(in, &child, tag);
		if (tag == DW_TAG_lexical_block)
			walk(in, &child, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

static struct error *look_inside(struct inside *in)
{
	Dwarf_Die function;

	if (!units_die(in->function->file, in->function->instance, &function))
		return dwarf_failure(in->s, in->function->file);
	walk(in, &function, 0);
	return NULL;
}

/* ---- labels ---- */

static void see_label(struct inside *in, Dwarf_Die *die, int tag)
{
	const char *name = tag == DW_TAG_label ? dwarf_diename(die) : NULL;
	struct dwarf_place p = *in->function;
	int line = 0;

	if (!name || !glob_match(&in->glob, name) || dwarf_lowpc(die, &p.address) || !p.address)
		return;
	p.is_entry = false;
	p.label = name;
	if (!dwarf_decl_line(die, &line) && line > 0)
		p.line = (unsigned)line;
	vec_push(in->s->arena, (dwarf_places *)in->ret, p);
}

struct error *dwarf_find_labels(struct session *s, const dwarf_places *functions, const char *glob,
				dwarf_places *ret)
{
	struct inside in = { .s = s, .glob = glob_make(glob), .see = see_label, .ret = ret };

	vec_each(functions, i) {
		struct error *err;

		in.function = &functions->data[i];
		err = look_inside(&in);
		if (err)
			return err;
	}
	return ret->count ? NULL
			  : error_create(s->arena, ERROR_ABSENT, "'%s' has no label '%s' with code",
					 functions->data[0].function, glob);
}

/* ---- callees ---- */

static const char *linkage_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
}

/* Mangled names distinguish overloads in C++. */
static bool is_overload(const struct dwarf_place *p, Dwarf_Die *origin)
{
	const char *wanted = linkage_name(origin), *its;
	Dwarf_Die die;

	if (!wanted || !units_die(p->file, p->instance, &die))
		return false;
	its = linkage_name(&die);
	return its && strcmp(its, wanted);
}

static bool is_known_callee(const dwarf_calls *list, uint64_t instance)
{
	vec_each(list, i)
		if (list->data[i].callee.instance == instance)
			return true;
	return false;
}

/*
 * If several functions have the name, keeps the static one of this file. If this file has
 * none, all are kept: a function that is only declared here is defined elsewhere.
 */
static void keep_same_file(struct inside *in, const char *file, dwarf_places *found)
{
	dwarf_places same = { 0 };

	vec_each(found, i)
		if (file && found->data[i].source && !strcmp(file, found->data[i].source))
			vec_push(in->s->arena, &same, found->data[i]);
	if (same.count)
		*found = same;
}

/* Adds the entry of a function, found by the name in its declaration at the call. */
static void add_called(struct inside *in, Dwarf_Die *origin, struct dwarf_call call)
{
	struct dwarf_pattern p = { .function = dwarf_diename(origin) };
	dwarf_places found = { 0 };
	dwarf_calls *ret = in->ret;

	p.text = p.function;
	if (dwarf_find_functions(in->s, in->function->file, &p, FIND_CALLED, &found))
		return;
	keep_same_file(in, scopes_decl_file(origin), &found);
	vec_each(&found, i) {
		call.callee = found.data[i];
		if (!is_overload(&call.callee, origin) &&
		    cplus_scope_matches(in->s->arena, in->scope, call.callee.scope) &&
		    !is_known_callee(ret, call.callee.instance))
			vec_push(in->s->arena, ret, call);
	}
}

static void add_inlined(struct inside *in, Dwarf_Die *die, const char *name)
{
	struct dwarf_call call = { .from = *in->function };
	struct dwarf_pattern p = { .text = name, .function = name };
	dwarf_places found = { 0 };

	if (dwarf_find_functions(in->s, in->function->file, &p, FIND_INLINED, &found))
		return;
	vec_each(&found, i) {
		call.callee = found.data[i];
		if (call.callee.instance == units_id(in->function->file, die) &&
		    cplus_scope_matches(in->s->arena, in->scope, call.callee.scope))
			vec_push(in->s->arena, (dwarf_calls *)in->ret, call);
	}
}

void dwarf_code(struct session *s, const struct dwarf_place *p, code_ranges *ret)
{
	struct code_range r;
	Dwarf_Die frame;
	Dwarf_Addr base;
	ptrdiff_t at = 0;

	if (!units_die(p->file, p->frame, &frame))
		return;
	while (ret->count < MAX_PARTS &&
	       (at = dwarf_ranges(&frame, at, &base, &r.begin, &r.end)) > 0)
		vec_push(s->arena, ret, r);
}

bool dwarf_throws(const struct dwarf_place *p)
{
	Dwarf_Die function, unit;

	return units_die(p->file, p->instance, &function) &&
	       dwarf_diecu(&function, &unit, NULL, NULL) && languages_throws(&unit);
}

static bool is_call(int tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static void see_call(struct inside *in, Dwarf_Die *die, int tag)
{
	Dwarf_Attribute attr;
	Dwarf_Die origin;
	struct dwarf_call call = { .from = *in->function };
	const char *name;

	in->any_call |= is_call(tag);
	if (tag == DW_TAG_inlined_subroutine) {
		name = dwarf_diename(die);
		if (name && glob_match(&in->glob, name))
			add_inlined(in, die, name);
		return;
	}
	/*
	 * A call without an origin goes through a pointer. After a jump at the caller's
	 * end, the callee does not return to the caller.
	 */
	if (!is_call(tag) || dwarf_hasattr(die, DW_AT_call_tail_call) ||
	    dwarf_hasattr(die, DW_AT_GNU_tail_call) ||
	    (!dwarf_attr(die, DW_AT_call_origin, &attr) &&
	     !dwarf_attr(die, DW_AT_abstract_origin, &attr)) ||
	    !dwarf_formref_die(&attr, &origin))
		return;
	name = dwarf_diename(&origin);
	if (!name || !glob_match(&in->glob, name))
		return;
	dwarf_code(in->s, in->function, &call.caller);
	if (call.caller.count)
		add_called(in, &origin, call);
}

static bool is_known(const dwarf_calls *list, const struct dwarf_call *call)
{
	vec_each(list, i) {
		const struct dwarf_call *k = &list->data[i];

		if (call->callee.instance == k->callee.instance &&
		    call->caller.count == k->caller.count &&
		    (!call->caller.count || call->caller.data[0].begin == k->caller.data[0].begin))
			return true;
	}
	return false;
}

/* Adds those calls of one function that are not in the list yet. */
static struct error *add_calls(struct inside *in, const struct dwarf_place *function,
			       dwarf_calls *ret)
{
	dwarf_calls one = { 0 };
	struct error *err;

	in->function = function;
	in->ret = &one;
	err = look_inside(in);
	vec_each(&one, i)
		if (!is_known(ret, &one.data[i]))
			vec_push(in->s->arena, ret, one.data[i]);
	return err;
}

static struct error *add_levels(struct inside *in, unsigned depth, dwarf_calls *ret)
{
	size_t done = 0;

	for (unsigned level = 1; level < depth && done < ret->count; level++) {
		size_t end = ret->count;

		for (; done < end && ret->count < MAX_CALLS; done++) {
			struct dwarf_place callee = ret->data[done].callee;
			struct error *err = add_calls(in, &callee, ret);

			if (err)
				return err;
		}
	}
	return NULL;
}

static struct error *no_calls(const struct inside *in, const char *function, const char *callee)
{
	if (in->any_call)
		return error_create(in->s->arena, ERROR_ABSENT,
				    "'%s' calls no function '%s' that is known when it is linked",
				    function, callee);
	return error_create(in->s->arena, ERROR_ABSENT,
			    "'%s' calls no function '%s': its debuginfo describes no "
			    "calls; it does for optimised code (-O1 and above)",
			    function, callee);
}

struct error *dwarf_find_callees(struct session *s, const dwarf_places *functions, const char *glob,
				 unsigned depth, unsigned copies, dwarf_calls *ret)
{
	struct cplus_name name = cplus_split(s->arena, glob);
	struct inside in = {
		.s = s, .glob = glob_make(name.function), .scope = name.scope, .see = see_call
	};
	struct error *err = NULL;
	dwarf_calls all = { 0 };

	vec_each(functions, i) {
		err = add_calls(&in, &functions->data[i], &all);
		if (err)
			return err;
	}
	err = add_levels(&in, depth, &all);
	vec_each(&all, i)
		if (copies & (all.data[i].callee.is_inlined ? FIND_INLINED : FIND_CALLED))
			vec_push(s->arena, ret, all.data[i]);
	return err || ret->count ? err : no_calls(&in, functions->data[0].function, glob);
}
