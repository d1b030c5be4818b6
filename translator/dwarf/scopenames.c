/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/scopenames.h"

#include <dwarf.h>
#include <stdint.h>
#include <string.h>

#include "dwarf/languages.h"
#include "dwarf/typeunits.h"
#include "lib/arena.h"
#include "program/cplus.h"
#include "lib/rustname.h"

#define MAX_NESTING 256
#define MAX_ORIGINS 8 /* from a copy to its declaration */

bool scopenames_are_in(Dwarf_Die *unit)
{
	/* dwz leaves out the language of shared parts. */
	return (languages_is_unknown(unit) && dwarf_tag(unit) == DW_TAG_partial_unit) ||
	       languages_has_scopes(unit);
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_interface_type || tag == DW_TAG_enumeration_type;
}

/*
 * Returns the qualifier for names inside the DIE, "" for none. Classes of a
 * function, such as closures, are in the function's scope.
 */
static const char *name_inside(Dwarf_Die *die, int tag, bool in_function)
{
	Dwarf_Die named = *die;
	const char *name;

	if (tag == DW_TAG_lexical_block)
		return "";
	typeunits_resolve(&named);
	name = dwarf_diename(&named);
	if (name)
		return name;
	return tag == DW_TAG_namespace ? "(anonymous namespace)" : in_function ? "{lambda}" : "";
}

/*
 * True for a variable of a namespace, or a class's static member, which is declared in
 * the class and defined elsewhere.
 */
static bool is_variable(Dwarf_Die *die, int tag)
{
	return tag == DW_TAG_variable ||
	       (tag == DW_TAG_member && dwarf_hasattr(die, DW_AT_external));
}

/* ---- the table ---- */

static struct scope_name *slot_of(const struct scope_names *x, const void *die)
{
	size_t i = (uintptr_t)die * UINT64_C(0x9e3779b97f4a7c15) >> 20 & x->mask;

	while (x->all[i].declaration && x->all[i].declaration != die)
		i = (i + 1) & x->mask;
	return &x->all[i];
}

static void grow(struct scope_names *x)
{
	struct scope_name *old = x->all;
	size_t n = old ? x->mask + 1 : 0;

	x->mask = n ? n * 2 - 1 : 1023;
	x->all = arena_array(x->arena, struct scope_name, x->mask + 1);
	for (size_t i = 0; i < n; i++)
		if (old[i].declaration)
			*slot_of(x, old[i].declaration) = old[i];
}

static void note(struct scope_names *x, const void *die, const char *scope)
{
	struct scope_name *slot;

	if (!x->all || x->count * 2 > x->mask)
		grow(x);
	slot = slot_of(x, die);
	x->count += !slot->declaration;
	*slot = (struct scope_name){ die, scope };
}

/* ---- reading ---- */

static bool is_named_type(int tag)
{
	return (is_scope(tag) && tag != DW_TAG_namespace) || tag == DW_TAG_typedef;
}

/*
 * Returns the scope of a Rust function as in its source: debuginfo numbers the
 * implementations of traits, "r::{impl#0}", symbols name them, "<r::A as r::Handler>".
 */
static const char *named_scope(struct arena *a, Dwarf_Die *function, const char *scope)
{
	char text[RUSTNAME_SIZE];
	Dwarf_Attribute attr;
	const char *symbol, *its;

	if (!strstr(scope, "{impl#"))
		return scope;
	symbol = dwarf_formstring(dwarf_attr(function, DW_AT_linkage_name, &attr));
	its = symbol && rustname_demangle(symbol, text) ? cplus_split(a, text).scope : NULL;
	return its ? its : scope;
}

static void walk(struct scope_names *x, Dwarf_Die *die, const char *scope, bool in_function,
		 unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		bool is_function = tag == DW_TAG_subprogram;
		const char *name;

		if (*scope && (is_function || is_variable(&child, tag) ||
			       (!in_function && is_named_type(tag))))
			note(x, child.addr,
			     is_function ? named_scope(x->arena, &child, scope) : scope);
		if (!is_scope(tag) && !is_function && tag != DW_TAG_lexical_block)
			continue;
		name = name_inside(&child, tag, in_function);
		walk(x, &child,
		     *scope && *name ? arena_printf(x->arena, "%s::%s", scope, name)
		     : *name	     ? name
				     : scope,
		     in_function || is_function, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

/* Reads the unit that the DIE is in, once. */
static void read_unit_of(struct scope_names *x, Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (!dwarf_diecu(die, &unit, NULL, NULL) || (x->all && slot_of(x, unit.addr)->declaration))
		return;
	note(x, unit.addr, "");
	walk(x, &unit, "", false, 0);
}

void scopenames_enter(struct scope_names *x, struct arena *a, Dwarf_Die *unit)
{
	x->arena = a;
	x->are_known = scopenames_are_in(unit);
}

/* The declaration in the class counts: the definition may be elsewhere. */
const char *scopenames_find(struct scope_names *x, Dwarf_Die *of)
{
	const char *scope = "";
	Dwarf_Die die = *of;

	for (unsigned i = 0; x->are_known && i < MAX_ORIGINS; i++) {
		const struct scope_name *found;
		Dwarf_Attribute attr;

		read_unit_of(x, &die);
		found = x->all ? slot_of(x, die.addr) : NULL;
		if (found && found->declaration)
			scope = found->scope;
		if ((!dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&die, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &die))
			break;
	}
	return scope;
}
