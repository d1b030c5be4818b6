/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/valuetype.h"

#include <dwarf.h>

bool valuetype_declared(Dwarf_Die *die, Dwarf_Die *ret)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, ret);
}

bool valuetype_of(Dwarf_Die *die, Dwarf_Die *ret)
{
	return valuetype_declared(die, ret) && !dwarf_peel_type(ret, ret);
}
