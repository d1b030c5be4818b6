/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Results that may be elsewhere than C's convention says: a copy of a function may have
 * lost its result, and languages return small structures in ways of their own.
 */
#include <dwarf.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/classpassing.h"
#include "dwarf/debugfile.h"
#include "dwarf/find.h"
#include "dwarf/languages.h"
#include "dwarf/rustresults.h"
#include "dwarf/units.h"
#include "dwarf/valuetype.h"

#define IN_REGISTERS 16 /* bytes; larger results are in memory */

/* Finds the type of the result, if it is a structure that registers may hold. */
static bool is_small_structure(Dwarf_Die *function, Dwarf_Die *type)
{
	Dwarf_Word size;
	int tag;

	if (!valuetype_of(function, type))
		return false;
	tag = dwarf_tag(type);
	return (tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
		tag == DW_TAG_union_type) &&
	       !dwarf_aggregate_size(type, &size) && size <= IN_REGISTERS;
}

bool dwarf_loses_result_place(const struct dwarf_place *p)
{
	Dwarf_Die function, unit;

	return p->file->address_size == 8 && units_die(p->file, p->instance, &function) &&
	       dwarf_diecu(&function, &unit, NULL, NULL) && languages_is_rust(&unit);
}

const char *dwarf_copy_problem(const char *symbol)
{
	return strstr(symbol, ".isra.")
		       ? "the compiler made a copy of the function, which may have no result; "
			 "compile with -fno-ipa-sra, or probe statements after its calls"
		       : NULL;
}

const char *dwarf_result_problem(struct session *s, const struct dwarf_place *p)
{
	const char *problem = dwarf_copy_problem(dwarf_place_symbol(s, p));
	Dwarf_Die function, unit, type;

	if (problem)
		return problem;
	if (p->file->address_size != 8 || !units_die(p->file, p->instance, &function) ||
	    !dwarf_diecu(&function, &unit, NULL, NULL) || !is_small_structure(&function, &type))
		return NULL;
	if (languages_is_plus_plus(&unit) && !classpassing_of(&function))
		return "debuginfo of this version does not tell whether its class is returned in "
		       "registers; compile with -gdwarf-5";
	if (languages_is_rust(&unit) && !rustresults_are_as_in_c(&unit, &type))
		return "Rust returns small structures in ways of its own; probe statements before "
		       "its return, where variables have the parts";
	return NULL;
}
