/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Call sites, as in DWARF 5 and in GNU's earlier form. Each unit is searched for them
 * once.
 */
#include "dwarf/callsites.h"

#include <dwarf.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/units.h"

#define MAX_NESTING 256
#define MAX_ORIGINS 8

/* Goes from a copy of a function to its first declaration. */
static void to_origin(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	for (unsigned i = 0; i < MAX_ORIGINS; i++)
		if ((!dwarf_attr(die, DW_AT_abstract_origin, &attr) &&
		     !dwarf_attr(die, DW_AT_specification, &attr)) ||
		    !dwarf_formref_die(&attr, die))
			return;
}

static bool is_site(int tag)
{
	return tag == DW_TAG_call_site || tag == DW_TAG_GNU_call_site;
}

static bool read_site(const struct dwarf_file *f, Dwarf_Die *die, struct call_site *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Die callee;

	if (!dwarf_attr(die, DW_AT_call_return_pc, &attr) && !dwarf_attr(die, DW_AT_low_pc, &attr))
		return false;
	if (dwarf_formaddr(&attr, &ret->returns_to))
		return false;
	if ((!dwarf_attr(die, DW_AT_call_origin, &attr) &&
	     !dwarf_attr(die, DW_AT_abstract_origin, &attr)) ||
	    !dwarf_formref_die(&attr, &callee))
		return false;
	to_origin(&callee);
	ret->callee = units_id(f, &callee);
	ret->die = units_id(f, die);
	return true;
}

static void read_sites(struct session *s, const struct dwarf_file *f, Dwarf_Die *in, unsigned depth,
		       call_sites *ret)
{
	struct call_site site;
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(in, &child))
		return;
	do {
		int tag = dwarf_tag(&child);

		if (is_site(tag) && read_site(f, &child, &site))
			vec_push(s->arena, ret, site);
		else if (tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block ||
			 tag == DW_TAG_inlined_subroutine || tag == DW_TAG_namespace)
			read_sites(s, f, &child, depth + 1, ret);
	} while (!dwarf_siblingof(&child, &child));
}

static const call_sites *sites_of_unit(struct session *s, struct dwarf_file *f, Dwarf_Die *unit)
{
	struct unit_sites one = { .unit = units_id(f, unit),
				  .sites = arena_new(s->arena, call_sites) };

	vec_each(&f->sites, i)
		if (f->sites.data[i].unit == one.unit)
			return f->sites.data[i].sites;
	read_sites(s, f, unit, 0, one.sites);
	vec_push(s->arena, &f->sites, one);
	return one.sites;
}

/* ---- callees ---- */

struct wanted_callee {
	struct dwarf_file *f;
	Dwarf_Off origin;
	const char *symbol; /* for functions visible in other units; NULL: it is not */
};

static const char *symbol_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));

	return name ? name : dwarf_diename(die);
}

/* Compares by the callee's declaration in the caller's unit. */
static bool is_wanted(const struct wanted_callee *w, Dwarf_Off callee)
{
	const char *symbol;
	Dwarf_Die die;

	if (callee == w->origin)
		return true;
	if (!w->symbol || !units_die(w->f, callee, &die) || !dwarf_hasattr(&die, DW_AT_external))
		return false;
	symbol = symbol_of(&die);
	return symbol && !strcmp(symbol, w->symbol);
}

static void add_wanted(struct session *s, const struct wanted_callee *w, const call_sites *from,
		       call_sites *ret)
{
	vec_each(from, i)
		if (is_wanted(w, from->data[i].callee))
			vec_push(s->arena, ret, from->data[i]);
}

void callsites_of(struct session *s, struct dwarf_file *f, Dwarf_Die *function, call_sites *ret)
{
	Dwarf_Die origin = *function, unit;
	struct wanted_callee w = { .f = f };
	Dwarf_CU *cu = NULL;

	to_origin(&origin);
	w.origin = units_id(f, &origin);
	w.symbol = dwarf_hasattr_integrate(function, DW_AT_external) ? symbol_of(function) : NULL;
	if (!w.symbol) {
		if (dwarf_diecu(function, &unit, NULL, NULL))
			add_wanted(s, &w, sites_of_unit(s, f, &unit), ret);
		return;
	}
	while (units_next(s, f, &cu, &unit))
		add_wanted(s, &w, sites_of_unit(s, f, &unit), ret);
}

/* ---- values ---- */

static bool is_of_register(Dwarf_Die *parameter, unsigned reg)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	return dwarf_attr(parameter, DW_AT_location, &attr) &&
	       !dwarf_getlocation(&attr, &ops, &n) && n == 1 &&
	       (ops->atom == DW_OP_regx ? ops->number == reg : ops->atom == DW_OP_reg0 + reg);
}

bool callsites_value(struct dwarf_file *f, const struct call_site *site, unsigned reg,
		     Dwarf_Attribute *attr, Dwarf_Op **ops, size_t *n)
{
	Dwarf_Die die, child;

	if (!units_die(f, site->die, &die) || dwarf_child(&die, &child))
		return false;
	do {
		if (is_of_register(&child, reg))
			return (dwarf_attr(&child, DW_AT_call_value, attr) ||
				dwarf_attr(&child, DW_AT_GNU_call_site_value, attr)) &&
			       !dwarf_getlocation(attr, ops, n) && *n;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}
