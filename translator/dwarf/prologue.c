/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that begin by storing their parameters in their frames, where debuginfo
 * expects them: code that was not optimised.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/find.h"
#include "dwarf/languages.h"
#include "dwarf/slotstores.h"
#include "dwarf/units.h"

#define MAX_BLOCKS 64 /* nested ones in a function */

/*
 * True: the parameter is at a fixed distance from the frame, wherever the code is. The
 * function begins by storing it there.
 */
static bool stands_on_stack(Dwarf_Die *parameter)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_tag(parameter) == DW_TAG_formal_parameter &&
	       dwarf_attr_integrate(parameter, DW_AT_location, &attr) &&
	       (dwarf_whatform(&attr) == DW_FORM_exprloc ||
		dwarf_whatform(&attr) == DW_FORM_block1) &&
	       !dwarf_getlocation(&attr, &ops, &n) && n && ops[0].atom == DW_OP_fbreg;
}

/* True: the parameter is passed by a hidden pointer, which is known at the address. */
static bool arrives_by(Dwarf_Die *parameter, Dwarf_Addr address)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr_integrate(parameter, DW_AT_location, &attr) &&
	       dwarf_getlocation_addr(&attr, address, &ops, &n, 1) == 1 && n &&
	       ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31 &&
	       ops[n - 1].atom != DW_OP_stack_value;
}

static bool is_moving(Dwarf_Die *variable)
{
	Dwarf_Attribute attr;
	unsigned form = dwarf_attr(variable, DW_AT_location, &attr) ? dwarf_whatform(&attr) : 0;

	return form == DW_FORM_loclistx || form == DW_FORM_sec_offset || form == DW_FORM_data4;
}

/*
 * True: a variable of the code changes its place, which is so in optimised code only,
 * with the exception of hidden pointers.
 */
static bool has_moving_variable(Dwarf_Die *block, unsigned depth, bool with_parameters)
{
	Dwarf_Die child;

	if (depth > MAX_BLOCKS || dwarf_child(block, &child))
		return false;
	do {
		if (((with_parameters || dwarf_tag(&child) != DW_TAG_formal_parameter) &&
		     is_moving(&child)) ||
		    has_moving_variable(&child, depth + 1, true))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static bool is_rust(Dwarf_Die *function)
{
	Dwarf_Die unit;

	return dwarf_diecu(function, &unit, NULL, NULL) && languages_is_rust(&unit);
}

/* True: hidden pointers change their places in unoptimised code, too, which is LLVM's. */
static bool has_hidden_pointers(Dwarf_Die *function)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	const char *producer = dwarf_diecu(function, &unit, NULL, NULL)
				       ? dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attr))
				       : NULL;

	return producer && (is_rust(function) || strstr(producer, "clang version"));
}

/*
 * True: gcc's options, which it records, ask for it; or clang describes things that it
 * describes in such code only.
 */
static bool is_optimised(Dwarf_Die *function, bool with_parameters)
{
	Dwarf_Attribute attr;
	Dwarf_Die unit;
	const char *producer = dwarf_diecu(function, &unit, NULL, NULL)
				       ? dwarf_formstring(dwarf_attr(&unit, DW_AT_producer, &attr))
				       : NULL;
	const char *level = NULL;

	if (producer && strncmp(producer, "GNU ", 4))
		return dwarf_hasattr_integrate(function, DW_AT_call_all_calls) ||
		       dwarf_hasattr_integrate(function, DW_AT_GNU_all_call_sites) ||
		       dwarf_hasattr_integrate(function, DW_AT_calling_convention) ||
		       has_moving_variable(function, 0, with_parameters);
	for (const char *at = producer; at && (at = strstr(at, " -O")); at += 3)
		level = at; /* the last one counts */
	return level && level[3] != '0';
}

bool dwarf_has_hidden_pointers(Dwarf_Die *function)
{
	return has_hidden_pointers(function) && !is_optimised(function, false);
}

bool dwarf_may_be_optimised(Dwarf_Die *function)
{
	return is_optimised(function, true) || is_rust(function);
}

/*
 * True: all parameters are on the stack, or arrive by the address. In optimised functions
 * only parameters that are passed on the stack, or whose addresses are taken, are there:
 * their stores may be anywhere.
 */
static bool is_unoptimised(Dwarf_Die *function, Dwarf_Addr address)
{
	bool stand = false, hidden = has_hidden_pointers(function);
	Dwarf_Die child;

	if (is_optimised(function, !hidden) || dwarf_child(function, &child))
		return false;
	do {
		if (stands_on_stack(&child))
			stand = true;
		else if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		else if (hidden && arrives_by(&child, address))
			stand = true;
		else
			return false;
	} while (!dwarf_siblingof(&child, &child));
	return stand;
}

void dwarf_skip_prologue(struct session *s, struct dwarf_place *p)
{
	Dwarf_Addr *breakpoints = NULL;
	Dwarf_Die function;

	if (!p->is_entry || !units_die(p->file, p->instance, &function))
		return;
	if (dwarf_entry_breakpoints(&function, &breakpoints) > 0 && breakpoints[0] != p->address &&
	    is_unoptimised(&function, breakpoints[0]) &&
	    (!dwarf_may_be_optimised(&function) ||
	     slotstores_are_done(s, p->file, &function, breakpoints[0]))) {
		p->address = breakpoints[0];
		p->is_entry = false;
	}
	free(breakpoints);
}
