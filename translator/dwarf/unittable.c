/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/unittable.h"

#include <dwarf.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/typeunits.h"
#include "dwarf/valuetype.h"
#include "lib/arena.h"

/* A DIE is identified by its address: libdw maps a file's sections once. */
struct seen {
	const void *die;
	uint32_t id;
};

static size_t slot_of(const struct unit_types *u, const void *die)
{
	size_t i = (uintptr_t)die * UINT64_C(0x9e3779b97f4a7c15) >> 20 & u->mask;

	while (u->seen[i].die && u->seen[i].die != die)
		i = (i + 1) & u->mask;
	return i;
}

static void grow(struct unit_types *u)
{
	struct seen *old = u->seen;
	size_t n = old ? u->mask + 1 : 0;

	u->mask = n ? n * 2 - 1 : 4095;
	u->seen = arena_array(u->s->arena, struct seen, u->mask + 1);
	for (size_t i = 0; i < n; i++)
		if (old[i].die)
			u->seen[slot_of(u, old[i].die)] = old[i];
}

static bool is_type(int tag)
{
	switch (tag) {
	case DW_TAG_base_type:
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
	case DW_TAG_ptr_to_member_type:
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
	case DW_TAG_typedef:
	case DW_TAG_array_type:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_subroutine_type:
		return true;
	default:
		return false;
	}
}

/*
 * Returns the qualifier of a type that another unit defines; NULL: it has none, or
 * collect() finds it.
 */
static const char *scope_elsewhere(struct unit_types *u, Dwarf_Die *type)
{
	const char *scope = u->scopes ? typeunits_scope(u->s->arena, type) : NULL;
	Dwarf_Die unit;

	if (scope || !u->scopes || !dwarf_diename(type) || !dwarf_diecu(type, &unit, NULL, NULL) ||
	    unit.addr == u->unit)
		return scope;
	scope = scopenames_find(&u->elsewhere, type);
	return *scope ? scope : NULL;
}

uint32_t unittable_add(struct unit_types *u, Dwarf_Die *type)
{
	if (!is_type(dwarf_tag(type)))
		return 0;
	typeunits_resolve(type);
	if (u->count * 2 > u->mask)
		grow(u);

	struct seen *slot = &u->seen[slot_of(u, type->addr)];

	if (!slot->die) {
		u->count++;
		vec_push(u->s->arena, &u->types,
			 ((struct unit_type){ .die = *type, .scope = scope_elsewhere(u, type) }));
		*slot = (struct seen){ type->addr, (uint32_t)u->types.count };
	}
	return slot->id;
}

uint32_t unittable_refer(struct unit_types *u, Dwarf_Die *die)
{
	Dwarf_Die type;

	return valuetype_declared(die, &type) ? unittable_add(u, &type) : 0;
}

uint32_t unittable_id(struct unit_types *u, Dwarf_Die *type)
{
	if (!type)
		return 0;

	Dwarf_Die real = *type;

	typeunits_resolve(&real);
	return u->seen[slot_of(u, real.addr)].id;
}

void unittable_word(struct unit_types *u, uint32_t w)
{
	vec_push(u->s->arena, &u->words, w);
}

uint32_t unittable_string(struct unit_types *u, const char *text)
{
	size_t len = text ? strlen(text) + 1 : 0, at = u->strings_len;

	if (len <= 1)
		return 0;
	if (at + len > u->strings_room) {
		size_t room = u->strings_room * 2 + len;
		char *more = arena_alloc(u->s->arena, room);

		memcpy(more, u->strings, at);
		u->strings = more;
		u->strings_room = room;
	}
	memcpy(u->strings + at, text, len);
	u->strings_len += len;
	return (uint32_t)at;
}

void unittable_head(struct unit_types *u, uint32_t name, unsigned kind, unsigned vlen, bool flag,
		    uint32_t size_or_type)
{
	unittable_word(u, name);
	unittable_word(u, (uint32_t)flag << 31 | kind << 24 | vlen);
	unittable_word(u, size_or_type);
}

void unittable_tag(struct unit_types *u, Dwarf_Die *die, int32_t component, const char *text)
{
	vec_push(u->s->arena, &u->tags,
		 ((struct type_tag){ unittable_id(u, die), unittable_string(u, text), component }));
}

const char *unittable_name(struct unit_types *u, Dwarf_Die *die)
{
	uint32_t id = unittable_id(u, die);
	const char *name = dwarf_diename(die), *scope = id ? u->types.data[id - 1].scope : NULL;

	return name && scope ? arena_printf(u->s->arena, "%s::%s", scope, name) : name;
}

uint64_t unittable_constant(Dwarf_Die *die, unsigned attribute, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, attribute, &attr) || dwarf_formudata(&attr, &value))
		return otherwise;
	return value;
}

bool unittable_has(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, attribute, &attr) != NULL;
}

bool unittable_is_declaration(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_byte_size);
}

void unittable_init(struct unit_types *u)
{
	u->strings_room = 65536;
	u->strings = arena_alloc(u->s->arena, u->strings_room);
	u->strings_len = 1; /* offset 0 is the empty name */
	grow(u);
}
