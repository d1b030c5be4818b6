/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rust returns one number or pointer in a register, and a pair of them in two, whatever
 * their sizes: C packs pairs of at most 8 bytes into one. What has more parts is packed
 * into a register if it has at most 8 bytes; otherwise it is in memory.
 */
#include "dwarf/rustresults.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf/valuetype.h"

#define MAX_PARTS   16
#define MAX_NESTING 32
#define WORD	    8
#define MIXES	    80 /* rustc 1.80 takes numbers and pointers in the same place as one part */

enum { PART_TAG = 1, PART_NUMBER = 2, PART_POINTER = 4, PART_FLOAT = 8 };

/* The numbers and pointers of a type, each place once. */
struct parts {
	struct part {
		Dwarf_Word offset, size;
		unsigned kinds;
	} parts[MAX_PARTS];
	unsigned count, added;
	bool has_lists;	   /* arrays or unions */
	bool has_variants; /* several of them have parts */
	bool is_unknown;
};

static void add(struct parts *p, Dwarf_Word offset, Dwarf_Word size, unsigned kind)
{
	unsigned i = 0;

	p->added++;
	while (i < p->count && (p->parts[i].offset != offset || p->parts[i].size != size))
		i++;
	if (i == MAX_PARTS) {
		p->is_unknown = true;
		return;
	}
	if (i == p->count)
		p->parts[p->count++] = (struct part){ .offset = offset, .size = size };
	p->parts[i].kinds |= kind;
}

static void find_parts(struct parts *p, Dwarf_Die *type, Dwarf_Word offset, unsigned depth);

static void member(struct parts *p, Dwarf_Die *die, Dwarf_Word offset, unsigned depth)
{
	Dwarf_Attribute attr;
	Dwarf_Word own = 0, size;
	Dwarf_Die type;

	if (dwarf_attr(die, DW_AT_data_member_location, &attr) && dwarf_formudata(&attr, &own))
		p->is_unknown = true;
	else if (!valuetype_of(die, &type))
		p->is_unknown = true;
	else if (!dwarf_hasattr(die, DW_AT_artificial))
		find_parts(p, &type, offset + own, depth + 1);
	else if (dwarf_aggregate_size(&type, &size))
		p->is_unknown = true;
	else
		add(p, offset + own, size, PART_TAG);
}

/* The members of a structure, the variants of an enumeration, or those of a variant. */
static void members(struct parts *p, Dwarf_Die *die, Dwarf_Word offset, unsigned depth)
{
	unsigned variants = 0, before;
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_member:
			member(p, &child, offset, depth);
			break;
		case DW_TAG_variant_part:
			members(p, &child, offset, depth + 1);
			break;
		case DW_TAG_variant:
			before = p->added;
			members(p, &child, offset, depth + 1);
			variants += p->added > before;
			break;
		}
	} while (!dwarf_siblingof(&child, &child));
	p->has_variants = p->has_variants || variants > 1;
}

static void elements(struct parts *p, Dwarf_Die *array, Dwarf_Word size, Dwarf_Word offset,
		     unsigned depth)
{
	Dwarf_Word one;
	Dwarf_Die type;

	p->has_lists = true;
	if (!valuetype_of(array, &type) || dwarf_aggregate_size(&type, &one) || !one) {
		p->is_unknown = true;
		return;
	}
	for (Dwarf_Word at = 0; at + one <= size && !p->is_unknown; at += one)
		find_parts(p, &type, offset + at, depth + 1);
}

static void find_parts(struct parts *p, Dwarf_Die *type, Dwarf_Word offset, unsigned depth)
{
	Dwarf_Attribute attr;
	Dwarf_Word size, encoding = 0;

	if (dwarf_aggregate_size(type, &size) || depth > MAX_NESTING) {
		p->is_unknown = true;
		return;
	}
	if (!size)
		return;
	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding);
		add(p, offset, size, encoding == DW_ATE_float ? PART_FLOAT : PART_NUMBER);
		return;
	case DW_TAG_enumeration_type:
		add(p, offset, size, PART_NUMBER);
		return;
	case DW_TAG_pointer_type:
		add(p, offset, size, PART_POINTER);
		return;
	case DW_TAG_array_type:
		elements(p, type, size, offset, depth);
		return;
	case DW_TAG_union_type:
		p->has_lists = true;
		members(p, type, offset, depth);
		return;
	case DW_TAG_structure_type:
		members(p, type, offset, depth);
		return;
	}
	p->is_unknown = true;
}

/* True: Rust takes what is in this place as one part. */
static bool is_one(const struct part *part, bool has_variants, bool mixes)
{
	unsigned kinds = part->kinds & ~(unsigned)PART_TAG;

	/* The tag of several variants is a part of its own. */
	if (has_variants && part->kinds & PART_TAG && kinds)
		return false;
	return !(kinds & (kinds - 1)) || (mixes && kinds == (PART_NUMBER | PART_POINTER));
}

static bool mixes_kinds(Dwarf_Die *unit)
{
	static const char version[] = "rustc version 1.";
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));
	const char *found = producer ? strstr(producer, version) : NULL;

	return found && strtoul(found + strlen(version), NULL, 10) >= MIXES;
}

/* True: it is a pair of parts, each in a word of its own. */
static bool is_pair(const struct parts *p, Dwarf_Die *unit)
{
	const struct part *a = &p->parts[0], *b = &p->parts[1];
	bool mixes = mixes_kinds(unit);

	return p->count == 2 && !p->has_lists && a->offset + b->offset == WORD &&
	       (!a->offset || !b->offset) && a->size <= WORD && b->size <= WORD &&
	       (a->size == WORD || b->size == WORD) && is_one(a, p->has_variants, mixes) &&
	       is_one(b, p->has_variants, mixes);
}

bool rustresults_are_as_in_c(Dwarf_Die *unit, Dwarf_Die *type)
{
	struct parts p = { 0 };
	Dwarf_Attribute attr;
	Dwarf_Word size, alignment = 0;
	unsigned kinds = 0;

	if (dwarf_aggregate_size(type, &size))
		return false;
	find_parts(&p, type, 0, 0);
	if (p.is_unknown)
		return false;
	dwarf_formudata(dwarf_attr(type, DW_AT_alignment, &attr), &alignment);
	if (size > WORD)
		return alignment <= WORD && size == 2 * WORD && is_pair(&p, unit);
	for (unsigned i = 0; i < p.count; i++)
		kinds |= p.parts[i].kinds;
	return !(kinds & PART_FLOAT) ? p.count != 2
				     : p.count == 1 && !p.has_lists && kinds == PART_FLOAT &&
					       p.parts[0].size == size;
}
