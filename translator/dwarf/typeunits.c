/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/typeunits.h"

#include <dwarf.h>
#include <stdbool.h>

#include "lib/arena.h"

#define MAX_NESTING 256

void typeunits_resolve(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Die real;

	if (dwarf_attr(type, DW_AT_signature, &attr) && dwarf_formref_die(&attr, &real))
		*type = real;
}

static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
}

/* Finds the type below the DIE, which gives names in it the qualifier *scope. */
static bool find_below(struct arena *a, Dwarf_Die *in, const void *type, unsigned depth,
		       const char **scope)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(in, &child))
		return false;
	do {
		const char *name = dwarf_diename(&child),
			   *inner = !name    ? *scope
				    : *scope ? arena_printf(a, "%s::%s", *scope, name)
					     : name;

		if (child.addr == type)
			return true;
		if (is_scope(dwarf_tag(&child)) && find_below(a, &child, type, depth + 1, &inner)) {
			*scope = inner;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

/* Returns the type's declaration: gcc declares it in its scope and defines it apart. */
static Dwarf_Die declaration_of(Dwarf_Die *type)
{
	Dwarf_Attribute attr;
	Dwarf_Die ret;

	return dwarf_attr(type, DW_AT_specification, &attr) && dwarf_formref_die(&attr, &ret)
		       ? ret
		       : *type;
}

const char *typeunits_scope(struct arena *a, Dwarf_Die *type)
{
	Dwarf_Die unit, declaration = declaration_of(type);
	const char *scope = NULL;

	if (!dwarf_diecu(type, &unit, NULL, NULL) || dwarf_tag(&unit) != DW_TAG_type_unit)
		return NULL;
	return find_below(a, &unit, declaration.addr, 0, &scope) ? scope : NULL;
}
