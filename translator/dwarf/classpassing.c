/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * clang says it in debuginfo, gcc does not: there it follows from the members. A class is
 * passed by its address if it has a destructor, or a constructor that copies or moves,
 * that its author has written, if all constructors that copy or move are deleted, if it
 * has virtual functions or base classes, or if this is true of a member or a base class.
 */
#include "dwarf/classpassing.h"

#include <dwarf.h>
#include <stdbool.h>
#include <string.h>

#include "dwarf/valuetype.h"

#define MAX_NESTING 32

static unsigned constant_of(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;

	return dwarf_formudata(dwarf_attr_integrate(die, name, &attr), &value) ? 0
									       : (unsigned)value;
}

static bool is_class(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* ---- functions ---- */

/* True: the constructor's parameter after `this` is a reference to its own class. */
static bool is_copying(Dwarf_Die *constructor, Dwarf_Die *own)
{
	Dwarf_Die parameter, type;
	int tag;

	if (dwarf_child(constructor, &parameter))
		return false;
	do {
		if (dwarf_tag(&parameter) != DW_TAG_formal_parameter ||
		    dwarf_hasattr(&parameter, DW_AT_artificial))
			continue;
		if (!valuetype_of(&parameter, &type))
			return false;
		tag = dwarf_tag(&type);
		return (tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type) &&
		       valuetype_of(&type, &type) && dwarf_dieoffset(&type) == dwarf_dieoffset(own);
	} while (!dwarf_siblingof(&parameter, &parameter));
	return false;
}

/* True: the function destroys, copies or moves objects of its class. */
static bool is_special(Dwarf_Die *function, Dwarf_Die *own)
{
	const char *name = dwarf_diename(function), *class = dwarf_diename(own);
	size_t len = class ? strcspn(class, "<") : 0;

	if (!name || !class)
		return false;
	return *name == '~' || (!strncmp(name, class, len) && (!name[len] || name[len] == '<') &&
				is_copying(function, own));
}

/* Debuginfo before DWARF 5 does not tell which functions have `= default`. */
static unsigned by_function(Dwarf_Die *function, Dwarf_Die *own)
{
	Dwarf_Half version = 0;
	Dwarf_Die unit;

	if (constant_of(function, DW_AT_virtuality))
		return DW_CC_pass_by_reference;
	if (!is_special(function, own) || dwarf_hasattr(function, DW_AT_artificial) ||
	    constant_of(function, DW_AT_defaulted) == DW_DEFAULTED_in_class)
		return DW_CC_pass_by_value;
	if (dwarf_hasattr(function, DW_AT_deleted))
		return DW_CC_pass_by_value; /* unless there is no other: see all_deleted() */
	if (!dwarf_cu_die(function->cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) ||
	    version < 5)
		return 0;
	return DW_CC_pass_by_reference;
}

/*
 * True: the class has constructors that copy or move, and all of them are deleted. The
 * compiler makes no other if its author has written one.
 */
static bool all_deleted(Dwarf_Die *type)
{
	bool deleted = false;
	Dwarf_Die child;

	if (dwarf_child(type, &child))
		return false;
	do {
		const char *name = dwarf_diename(&child);

		if (dwarf_tag(&child) != DW_TAG_subprogram || !name || *name == '~' ||
		    !is_special(&child, type))
			continue;
		if (!dwarf_hasattr(&child, DW_AT_deleted))
			return false;
		deleted = true;
	} while (!dwarf_siblingof(&child, &child));
	return deleted;
}

/* ---- classes ---- */

static unsigned passing(Dwarf_Die *type, unsigned depth);

static unsigned by_member(Dwarf_Die *member, unsigned depth)
{
	Dwarf_Die type;

	if (constant_of(member, DW_AT_virtuality) || dwarf_hasattr(member, DW_AT_artificial))
		return DW_CC_pass_by_reference; /* a virtual base, or virtual functions */
	if (!valuetype_of(member, &type))
		return 0;
	while (dwarf_tag(&type) == DW_TAG_array_type)
		if (!valuetype_of(&type, &type))
			return 0;
	return is_class(&type) ? passing(&type, depth + 1) : DW_CC_pass_by_value;
}

static unsigned by_child(Dwarf_Die *child, Dwarf_Die *own, unsigned depth)
{
	switch (dwarf_tag(child)) {
	case DW_TAG_subprogram:
		return by_function(child, own);
	case DW_TAG_member:
		return dwarf_hasattr(child, DW_AT_external) ||
				       dwarf_hasattr(child, DW_AT_declaration)
			       ? DW_CC_pass_by_value
			       : by_member(child, depth);
	case DW_TAG_inheritance:
		return by_member(child, depth);
	}
	return DW_CC_pass_by_value;
}

static unsigned passing(Dwarf_Die *type, unsigned depth)
{
	unsigned ret = constant_of(type, DW_AT_calling_convention);
	Dwarf_Die child;

	if (ret || depth > MAX_NESTING || dwarf_hasattr(type, DW_AT_declaration) ||
	    dwarf_hasattr(type, DW_AT_signature))
		return ret;
	if (dwarf_child(type, &child))
		return DW_CC_pass_by_value;
	if (all_deleted(type))
		return DW_CC_pass_by_reference;
	ret = DW_CC_pass_by_value;
	do {
		unsigned by = by_child(&child, type, depth);

		if (by == DW_CC_pass_by_reference)
			return by;
		ret = by ? ret : 0;
	} while (!dwarf_siblingof(&child, &child));
	return ret;
}

unsigned classpassing_of(Dwarf_Die *die)
{
	Dwarf_Die type;

	return valuetype_of(die, &type) && is_class(&type) ? passing(&type, 0) : 0;
}
