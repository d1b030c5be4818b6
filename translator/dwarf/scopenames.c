/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/scopenames.h"

#include <dwarf.h>
#include <stdlib.h>

#include "dwarf/typeunits.h"
#include "lib/arena.h"

#define MAX_NESTING 256
#define MAX_ORIGINS 8 /* from a copy to its declaration */

/*
 * Numbers of languages that have scopes: the headers of elfutils do not name the newest.
 */
static const int scoped_languages[] = {
	DW_LANG_C_plus_plus, DW_LANG_C_plus_plus_03, DW_LANG_C_plus_plus_11, DW_LANG_C_plus_plus_14,
	DW_LANG_Rust,	     0x2b /* C++17 */,	     0x2c /* C++20 */,	     DW_LANG_D,
	DW_LANG_Swift,
};

bool scopenames_are_in(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	for (size_t i = 0; i < sizeof(scoped_languages) / sizeof(scoped_languages[0]); i++)
		if (language == scoped_languages[i])
			return true;
	return false;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type ||
	       tag == DW_TAG_interface_type || tag == DW_TAG_enumeration_type;
}

/*
 * Returns the qualifier that the DIE gives to names in it, "" for none. Classes of a
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

static void walk(struct arena *a, struct scope_names *x, Dwarf_Die *die, const char *scope,
		 bool in_function, unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child);
		bool is_function = tag == DW_TAG_subprogram;
		const char *name;

		if (*scope && (is_function || is_variable(&child, tag))) {
			struct scope_name one = { dwarf_dieoffset(&child), scope };

			vec_push(a, &x->all, one);
		}
		if (!is_scope(tag) && !is_function && tag != DW_TAG_lexical_block)
			continue;
		name = name_inside(&child, tag, in_function);
		walk(a, x, &child,
		     *scope && *name ? arena_printf(a, "%s::%s", scope, name)
		     : *name	     ? name
				     : scope,
		     in_function || is_function, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

void scopenames_read(struct arena *a, Dwarf_Die *unit, struct scope_names *ret)
{
	*ret = (struct scope_names){ .are_known = scopenames_are_in(unit) };
	if (ret->are_known)
		walk(a, ret, unit, "", false, 0);
}

static int by_declaration(const void *key, const void *element)
{
	const struct scope_name *x = key, *y = element;

	return (x->declaration > y->declaration) - (x->declaration < y->declaration);
}

/* The declaration, which is in the class, counts: a definition may stand elsewhere. */
const char *scopenames_find(const struct scope_names *x, Dwarf_Die *of)
{
	const char *scope = "";
	Dwarf_Die die = *of;

	for (unsigned i = 0; x->all.count && i < MAX_ORIGINS; i++) {
		struct scope_name key = { dwarf_dieoffset(&die), NULL };
		const struct scope_name *found =
			bsearch(&key, x->all.data, x->all.count, sizeof(key), by_declaration);
		Dwarf_Attribute attr;

		if (found)
			scope = found->scope;
		if ((!dwarf_attr(&die, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(&die, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, &die))
			break;
	}
	return scope;
}
