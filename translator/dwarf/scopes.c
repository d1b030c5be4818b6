/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/scopes.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/units.h"

#define MAX_NESTING 256
#define MAX_RANGES  65536 /* limit for one function: files may be damaged */

bool scopes_entry(Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Addr base, end;

	return !dwarf_entrypc(die, ret) || dwarf_ranges(die, 0, &base, ret, &end) > 0;
}

/*
 * Does not use dwarf_decl_file(): that treats 0 as "no file", as before DWARF 5, and ends
 * the program at units without a table of files.
 */
const char *scopes_decl_file(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	Dwarf_Half version;
	Dwarf_Die unit;
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attr) || dwarf_formudata(&attr, &number) ||
	    !dwarf_cu_die(attr.cu, &unit, &version, NULL, NULL, NULL, NULL, NULL) ||
	    (!number && version < 5) || dwarf_getsrcfiles(&unit, &files, &n) || number >= n)
		return NULL;
	return dwarf_filesrc(files, number, NULL, NULL);
}

void scopes_declared(Dwarf_Die *die, Dwarf_Addr entry, const char **file, unsigned *line)
{
	Dwarf_Line *first;
	Dwarf_Die unit;
	const char *its;
	int number = 0;

	*file = scopes_decl_file(die);
	dwarf_decl_line(die, &number);
	if ((!*file || !number) && dwarf_diecu(die, &unit, NULL, NULL) &&
	    (first = dwarf_getsrc_die(&unit, entry)) != NULL) {
		its = dwarf_linesrc(first, NULL, NULL);
		if (!*file)
			*file = its;
		if (its && *file && !strcmp(its, *file))
			dwarf_lineno(first, &number);
	}
	*line = number > 0 ? (unsigned)number : 0;
}

/*
 * Returns the number of operations of a location that is valid everywhere; 0: it has
 * none.
 */
static size_t static_location(Dwarf_Die *die, Dwarf_Attribute *attr, Dwarf_Op **ops)
{
	size_t n;

	if (!dwarf_attr_integrate(die, DW_AT_location, attr) ||
	    (dwarf_whatform(attr) != DW_FORM_exprloc && dwarf_whatform(attr) != DW_FORM_block1) ||
	    dwarf_getlocation(attr, ops, &n))
		return 0;
	return n;
}

bool scopes_constant(Dwarf_Attribute *attr, const Dwarf_Op *op, Dwarf_Addr *ret)
{
	Dwarf_Attribute result;

	switch (op->atom) {
	case DW_OP_addr:
		*ret = op->number;
		return true;
	case DW_OP_addrx:
	case DW_OP_GNU_addr_index:
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return !dwarf_getlocation_attr(attr, op, &result) && !dwarf_formaddr(&result, ret);
	default:
		*ret = op->number;
		return op->atom >= DW_OP_const1u && op->atom <= DW_OP_consts;
	}
}

bool scopes_static_address(Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;

	return static_location(die, &attr, &ops) == 1 &&
	       (ops->atom == DW_OP_addr || ops->atom == DW_OP_addrx ||
		ops->atom == DW_OP_GNU_addr_index) &&
	       scopes_constant(&attr, ops, ret);
}

bool scopes_thread_offset(Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;

	return static_location(die, &attr, &ops) == 2 &&
	       (ops[1].atom == DW_OP_form_tls_address ||
		ops[1].atom == DW_OP_GNU_push_tls_address) &&
	       scopes_constant(&attr, ops, ret);
}

static void add_parts(struct session *s, struct scopes *x, Dwarf_Die *die, unsigned depth)
{
	struct scope_part part = { .scope = (unsigned)x->all.count - 1, .depth = depth };
	Dwarf_Addr base;
	ptrdiff_t at = 0;

	for (unsigned n = 0;
	     n < MAX_RANGES && (at = dwarf_ranges(die, at, &base, &part.begin, &part.end)) > 0;
	     n++) {
		if (part.begin >= part.end)
			continue;
		if (part.end - part.begin > x->longest)
			x->longest = part.end - part.begin;
		vec_push(s->arena, &x->parts, part);
	}
}

static int add_scope(struct session *s, const struct dwarf_file *f, struct scopes *x,
		     Dwarf_Die *die, Dwarf_Off frame, int outer, unsigned depth)
{
	struct scope one = { .name = dwarf_diename(die), .die = units_id(f, die), .outer = outer };

	if (!one.name || !scopes_entry(die, &one.entry) || !one.entry)
		return -1;
	one.is_inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
	one.frame = one.is_inlined ? frame : one.die;
	one.qualifier = scopenames_find(&x->names, die);
	scopes_declared(die, one.entry, &one.file, &one.line);
	vec_push(s->arena, &x->all, one);
	add_parts(s, x, die, depth);
	return (int)x->all.count - 1;
}

static void walk(struct session *s, const struct dwarf_file *f, struct scopes *x, Dwarf_Die *die,
		 int outer, unsigned depth)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	do {
		int tag = dwarf_tag(&child), in = outer;

		if (tag == DW_TAG_subprogram || (tag == DW_TAG_inlined_subroutine && outer >= 0)) {
			Dwarf_Off frame = outer < 0 ? 0 : x->all.data[outer].frame;

			in = add_scope(s, f, x, &child, frame,
				       tag == DW_TAG_subprogram ? -1 : outer, depth);
			if (in >= 0 || tag == DW_TAG_subprogram)
				walk(s, f, x, &child, in, depth + 1);
		} else if (tag == DW_TAG_lexical_block || tag == DW_TAG_namespace ||
			   (x->names.are_known &&
			    (tag == DW_TAG_structure_type || tag == DW_TAG_class_type))) {
			walk(s, f, x, &child, in, depth + 1);
		}
	} while (!dwarf_siblingof(&child, &child));
}

static int by_begin(const void *a, const void *b)
{
	const struct scope_part *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return (x->depth > y->depth) - (x->depth < y->depth);
}

void scopes_read(struct session *s, const struct dwarf_file *f, Dwarf_Die *unit, struct scopes *ret)
{
	*ret = (struct scopes){ 0 };
	scopenames_enter(&ret->names, s->arena, unit);
	walk(s, f, ret, unit, -1, 0);
	if (ret->parts.count)
		vec_sort(&ret->parts, by_begin);
}

int scopes_find(const struct scopes *x, Dwarf_Addr address)
{
	size_t low = 0, high = x->parts.count;
	const struct scope_part *best = NULL;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (x->parts.data[mid].begin <= address)
			low = mid + 1;
		else
			high = mid;
	}
	while (low-- > 0 && address - x->parts.data[low].begin < x->longest) {
		const struct scope_part *part = &x->parts.data[low];

		if (address < part->end && (!best || part->depth > best->depth))
			best = part;
	}
	return best ? (int)best->scope : -1;
}

struct dwarf_place scope_place(struct dwarf_file *f, const struct scope *x, uint64_t address)
{
	return (struct dwarf_place){
		.file = f,
		.address = address,
		.function = x->name,
		.scope = x->qualifier,
		.source = x->file,
		.line = x->line,
		.is_entry = !x->is_inlined && address == x->entry,
		.is_inlined = x->is_inlined,
		.instance = x->die,
		.frame = x->frame,
	};
}
