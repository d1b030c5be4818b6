/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/unitstruct.h"

#include <dwarf.h>
#include <linux/btf.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/declaredtypes.h"
#include "dwarf/unittable.h"
#include "dwarf/valuetype.h"
#include "lib/arena.h"
#include "types/tag.h"

/*
 * Finds a member's offset in bytes. DWARF 2 writes it as an expression that adds a
 * constant; the place of a virtual base is known only from the object itself.
 */
static bool member_location(Dwarf_Die *member, uint64_t *ret)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;
	Dwarf_Op *ops;
	size_t n;

	*ret = 0;
	if (!dwarf_attr_integrate(member, DW_AT_data_member_location, &attr))
		return true;
	if (!dwarf_formudata(&attr, &value)) {
		*ret = value;
		return true;
	}
	if (dwarf_getlocation(&attr, &ops, &n) || n != 1 ||
	    (ops->atom != DW_OP_plus_uconst && ops->atom != DW_OP_constu))
		return false;
	*ret = ops->number;
	return true;
}

/* Returns the size of the unit in which DW_AT_bit_offset counts. */
static uint64_t bit_unit_size(Dwarf_Die *member)
{
	Dwarf_Word size;
	Dwarf_Die type;

	if (unittable_has(member, DW_AT_byte_size))
		return unittable_constant(member, DW_AT_byte_size, 4);
	if (!valuetype_declared(member, &type) || dwarf_aggregate_size(&type, &size))
		return 4;
	return size;
}

/* Finds a member's offset in bits, from the attributes of DWARF 2 to 5. */
static bool member_offset(Dwarf_Die *member, uint64_t bit_size, uint64_t *ret)
{
	if (!member_location(member, ret))
		return false;
	*ret *= 8;
	if (unittable_has(member, DW_AT_data_bit_offset))
		*ret += unittable_constant(member, DW_AT_data_bit_offset, 0);
	else if (unittable_has(member, DW_AT_bit_offset)) /* DWARF 2: from the unit's high end */
		*ret += bit_unit_size(member) * 8 -
			unittable_constant(member, DW_AT_bit_offset, 0) - bit_size;
	return true;
}

/* True for a member of the object; static members are not part of it. */
static bool is_member(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return (tag == DW_TAG_member && !dwarf_hasattr(die, DW_AT_external) &&
		!dwarf_hasattr(die, DW_AT_declaration)) ||
	       tag == DW_TAG_inheritance;
}

/* Writes member number *vlen; false: it is left out. */
static bool write_member(struct unit_types *u, Dwarf_Die *m, unsigned *vlen)
{
	uint64_t bits = unittable_constant(m, DW_AT_bit_size, 0), offset;

	/* BTF cannot store it, or it has no fixed place. */
	if (*vlen == UINT16_MAX || !member_offset(m, bits, &offset) || offset >= 1 << 24 ||
	    bits > 255)
		return false;
	unittable_word(
		u, dwarf_tag(m) == DW_TAG_inheritance ? 0 : unittable_string(u, dwarf_diename(m)));
	unittable_word(u, unittable_refer(u, m));
	unittable_word(u, (uint32_t)bits << 24 | (uint32_t)offset);
	++*vlen;
	return true;
}

/* Writes the member of a variant, with the number that chooses it. */
static void write_variant(struct unit_types *u, Dwarf_Die *die, Dwarf_Die *variant, unsigned *vlen)
{
	Dwarf_Attribute attr;
	Dwarf_Word value = 0;
	Dwarf_Die m;
	bool chosen = dwarf_attr(variant, DW_AT_discr_value, &attr) != NULL;

	if ((chosen && dwarf_formudata(&attr, &value)) || dwarf_child(variant, &m))
		return;
	do {
		if (dwarf_tag(&m) == DW_TAG_member && write_member(u, &m, vlen)) {
			unittable_tag(u, die, (int32_t)*vlen - 1,
				      chosen ? arena_printf(u->s->arena, "%s%llu", TAG_VARIANT,
							    (unsigned long long)value)
					     : TAG_VARIANT);
			return;
		}
	} while (!dwarf_siblingof(&m, &m));
}

/* Writes the variants of an enum with payload as members. */
static void write_variants(struct unit_types *u, Dwarf_Die *die, Dwarf_Die *part, unsigned *vlen)
{
	Dwarf_Die m;

	if (dwarf_child(part, &m))
		return;
	do {
		if (dwarf_tag(&m) == DW_TAG_variant)
			write_variant(u, die, &m, vlen);
		else if (dwarf_tag(&m) == DW_TAG_member && write_member(u, &m, vlen))
			unittable_tag(u, die, (int32_t)*vlen - 1, TAG_CHOICE);
	} while (!dwarf_siblingof(&m, &m));
}

/* Notes the type that a template is made for, where its members do not show it. */
static void note_parameter(struct unit_types *u, Dwarf_Die *die)
{
	static const char *const names[] = { "__aligned_membuf", "__aligned_buffer", "Vec",
					     "VecDeque" };
	const char *name = dwarf_diename(die);
	size_t len = name ? strcspn(name, "<") : 0;
	Dwarf_Die child;
	bool is_one = false;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		is_one |= len == strlen(names[i]) && !strncmp(name, names[i], len);
	if (!is_one || dwarf_child(die, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_template_type_parameter) {
			unittable_tag(u, die, -1,
				      arena_printf(u->s->arena, "%s%u", TAG_FIRST,
						   unittable_refer(u, &child)));
			return;
		}
	} while (!dwarf_siblingof(&child, &child));
}

/* Notes the types that a value can have inside, by the address that it has for each. */
static void note_code(struct unit_types *u, Dwarf_Die *die)
{
	const char *own = dwarf_diename(die);
	code_names names = { 0 };

	if (own && codenames_may_be(own))
		codenames_find(&u->codes, unittable_name(u, die), &names);
	vec_each(&names, i)
		unittable_tag(u, die, -1,
			      arena_printf(u->s->arena, "%s%llu%s %s", TAG_CODE,
					   (unsigned long long)names.data[i].address,
					   u->is_moved ? "+" : "", names.data[i].type));
}

static bool is_interface(const char *name)
{
	return name && (!strcmp(name, "runtime.iface") || !strcmp(name, "runtime.eface"));
}

/* Writes a structure whose members are known although there is no definition. */
static void write_known(struct unit_types *u, const char *name, const struct declared_type *known,
			const struct declared_letter *letter)
{
	size_t info = u->words.count + 1;
	unsigned vlen = 0;

	unittable_head(u, unittable_string(u, name), BTF_KIND_STRUCT, 0, true, known->size);
	for (const struct declared_member *m = known->members; m->name; m++, vlen++) {
		struct declared_word type = { u->words.count + 1, m->is_text ? letter : NULL };

		vec_push(u->s->arena, &u->declared, type);
		unittable_word(u, unittable_string(u, m->name));
		unittable_word(u, 0);
		unittable_word(u, m->offset * 8);
	}
	u->words.data[info] |= vlen;
}

static void write_declaration(struct unit_types *u, Dwarf_Die *die, unsigned kind)
{
	const char *name = unittable_name(u, die);
	const struct declared_letter *letter;
	const struct declared_type *known =
		kind == BTF_KIND_STRUCT ? declaredtypes_find(name, &letter) : NULL;

	if (known)
		write_known(u, name, known, letter);
	else
		unittable_head(u, unittable_string(u, name), BTF_KIND_FWD, 0,
			       kind == BTF_KIND_UNION, 0);
}

/* Notes a base class whose place the object's table of virtual functions tells. */
static void note_virtual(struct unit_types *u, Dwarf_Die *die, Dwarf_Die *base)
{
	static const uint8_t form[] = { DW_OP_dup,   DW_OP_deref, 0,
					DW_OP_minus, DW_OP_deref, DW_OP_plus };
	const size_t length = sizeof(form);
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	uint64_t distance;
	size_t n;

	if (dwarf_tag(base) != DW_TAG_inheritance ||
	    !dwarf_attr_integrate(base, DW_AT_data_member_location, &attr) ||
	    dwarf_getlocation(&attr, &ops, &n) || n != length)
		return;
	for (size_t i = 0; i < length; i++)
		if (form[i] && ops[i].atom != form[i])
			return;
	distance = ops[2].atom >= DW_OP_lit0 && ops[2].atom <= DW_OP_lit31
			   ? (uint64_t)(ops[2].atom - DW_OP_lit0)
			   : ops[2].number;
	unittable_tag(u, die, -1,
		      arena_printf(u->s->arena, TAG_VIRTUAL "%llu %u", (unsigned long long)distance,
				   unittable_refer(u, base)));
}

void unitstruct_write(struct unit_types *u, Dwarf_Die *die, unsigned kind)
{
	size_t info = u->words.count + 1;
	unsigned vlen = 0;
	Dwarf_Die m;

	if (unittable_is_declaration(die)) {
		write_declaration(u, die, kind);
		return;
	}
	unittable_head(u, unittable_string(u, unittable_name(u, die)), kind, 0, true,
		       (uint32_t)unittable_constant(die, DW_AT_byte_size, 0));
	if (u->go_names && is_interface(dwarf_diename(die)))
		unittable_tag(u, die, -1,
			      arena_printf(u->s->arena, "%s%u%s", TAG_TYPES, u->go_names,
					   u->is_moved ? "+" : ""));
	if (u->scopes) {
		note_parameter(u, die);
		note_code(u, die);
	}
	if (dwarf_child(die, &m))
		return;
	do {
		if (dwarf_tag(&m) == DW_TAG_variant_part)
			write_variants(u, die, &m, &vlen);
		else if (is_member(&m) && !write_member(u, &m, &vlen))
			note_virtual(u, die, &m);
	} while (!dwarf_siblingof(&m, &m));
	u->words.data[info] |= vlen;
}
