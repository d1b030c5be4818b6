/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two passes. The first walks the unit's tree and gives each type an id in order of
 * appearance; the types that it refers to are handled at the same time. The second writes
 * the table in that order. Anything odd in a type makes it an empty one of its size,
 * never a wrong one.
 */
#include "dwarf/unittypes.h"

#include <dwarf.h>
#include <gelf.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/codenames.h"
#include "dwarf/declaredtypes.h"
#include "dwarf/gotypes.h"
#include "dwarf/languages.h"
#include "dwarf/scopenames.h"
#include "dwarf/typeunits.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "lib/vec.h"
#include "types/member.h"
#include "types/tag.h"

#define MAX_NESTING 256 /* of DIEs, and of types that refer to others */

/* A DIE is identified by its address: libdw maps a file's sections once. */
struct seen {
	const void *die;
	uint32_t id;
};

struct unit_type {
	Dwarf_Die die;
	const char *scope; /* "std", or NULL */
};

/* A fact that BTF cannot express: types/tag.h. */
struct type_tag {
	uint32_t type, text; /* text: as string() returns it */
	int32_t component;
};

/* A member of a complex number: the word with its type, which is written at the end. */
struct half {
	size_t word;
	uint32_t size;
};

/* The same of a member of a type that is only declared; letter: NULL for a number. */
struct declared_word {
	size_t word;
	const struct declared_letter *letter;
};

struct unit_types {
	struct session *s;
	struct btf *btf;
	VEC(struct unit_type) types; /* id - 1 */
	/* Names are qualified by the namespace and class around them. */
	bool scopes;
	bool is_go;
	uint32_t go_names; /* gotypes_names() */
	bool is_moved;	   /* the file is loaded anywhere */
	const void *unit;  /* its DIE */
	struct codenames codes;
	struct scope_names elsewhere;
	struct seen *seen; /* open-addressed */
	size_t mask, count;
	VEC(uint32_t) words; /* the type section */
	char *strings;
	size_t strings_len, strings_room;
	VEC(struct type_tag) tags; /* written after all types */
	VEC(struct half) halves;
	VEC(struct declared_word) declared;
};

/* ---- ids ---- */

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

static uint32_t id_of(struct unit_types *u, Dwarf_Die *type)
{
	if (!is_type(dwarf_tag(type)))
		return 0;
	typeunits_resolve(type);
	if (!u->seen || u->count * 2 > u->mask)
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

static uint32_t referred(struct unit_types *u, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type))
		return 0;
	return id_of(u, &type);
}

uint32_t unittypes_id(struct unit_types *u, Dwarf_Die *type)
{
	if (!type || !u->seen)
		return 0;

	Dwarf_Die real = *type;

	typeunits_resolve(&real);
	return u->seen[slot_of(u, real.addr)].id;
}

uint32_t unittypes_of(struct unit_types *u, Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	Dwarf_Die type;

	if (!dwarf_attr_integrate(die, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type))
		return 0;
	return unittypes_id(u, &type);
}

/* Returns the qualifier of names inside the DIE. */
static const char *scope_inside(struct unit_types *u, Dwarf_Die *die, const char *scope)
{
	int tag = dwarf_tag(die);
	const char *name = dwarf_diename(die);

	if (!u->scopes || !name ||
	    (tag != DW_TAG_namespace && tag != DW_TAG_structure_type && tag != DW_TAG_class_type))
		return scope;
	return scope ? arena_printf(u->s->arena, "%s::%s", scope, name) : name;
}

/*
 * Collects every type below the DIE, and the type of every variable or parameter below
 * it.
 */
static void collect(struct unit_types *u, Dwarf_Die *die, const char *scope, unsigned depth)
{
	Dwarf_Die child, type;
	uint32_t id;

	if (depth > MAX_NESTING || dwarf_child(die, &child))
		return;
	scope = scope_inside(u, die, scope);
	do {
		switch (dwarf_tag(&child)) {
		case DW_TAG_variable:
		case DW_TAG_formal_parameter:
		case DW_TAG_subprogram:
		case DW_TAG_inlined_subroutine:
			referred(u, &child);
			break;
		default:
			type = child;
			id = id_of(u, &type);
			if (id && type.addr == child.addr)
				u->types.data[id - 1].scope = scope;
		}
		collect(u, &child, scope, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

/* ---- writing ---- */

static void word(struct unit_types *u, uint32_t w)
{
	vec_push(u->s->arena, &u->words, w);
}

static uint32_t string(struct unit_types *u, const char *text)
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

static void head(struct unit_types *u, uint32_t name, unsigned kind, unsigned vlen, bool flag,
		 uint32_t size_or_type)
{
	word(u, name);
	word(u, (uint32_t)flag << 31 | kind << 24 | vlen);
	word(u, size_or_type);
}

static uint64_t constant(Dwarf_Die *die, unsigned attribute, uint64_t otherwise)
{
	Dwarf_Attribute attr;
	Dwarf_Word value;

	if (!dwarf_attr_integrate(die, attribute, &attr) || dwarf_formudata(&attr, &value))
		return otherwise;
	return value;
}

static bool has(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, attribute, &attr) != NULL;
}

/* True for a declaration: it is defined elsewhere in the unit, or nowhere in it. */
static bool is_declaration(Dwarf_Die *die)
{
	return dwarf_hasattr(die, DW_AT_declaration) && !dwarf_hasattr(die, DW_AT_byte_size);
}

static const char *qualified_name(struct unit_types *u, Dwarf_Die *die)
{
	uint32_t id = unittypes_id(u, die);
	const char *name = dwarf_diename(die), *scope = id ? u->types.data[id - 1].scope : NULL;

	return name && scope ? arena_printf(u->s->arena, "%s::%s", scope, name) : name;
}

/* Writes a complex number as a structure: BTF has no other type for it. */
static void write_complex(struct unit_types *u, uint32_t name, uint32_t size)
{
	static const char *const members[] = { "real", "imag" };

	head(u, name, BTF_KIND_STRUCT, 2, true, size);
	for (uint32_t i = 0; i < 2; i++) {
		struct half h = { u->words.count + 1, size / 2 };

		vec_push(u->s->arena, &u->halves, h);
		word(u, string(u, members[i]));
		word(u, 0);
		word(u, i * size / 2 * 8);
	}
}

static void write_base(struct unit_types *u, Dwarf_Die *die)
{
	uint64_t size = constant(die, DW_AT_byte_size, 0),
		 encoding = constant(die, DW_AT_encoding, 0);
	uint32_t bits = 0, name = string(u, dwarf_diename(die));

	switch (encoding) {
	case DW_ATE_complex_float:
		write_complex(u, name, (uint32_t)size);
		return;
	case DW_ATE_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		head(u, name, BTF_KIND_FLOAT, 0, false, (uint32_t)size);
		return;
	case DW_ATE_signed:
		bits = BTF_INT_SIGNED;
		break;
	case DW_ATE_signed_char:
		bits = BTF_INT_SIGNED; /* like plain char in BTF: it is recognised by its name */
		break;
	case DW_ATE_boolean:
		bits = BTF_INT_BOOL;
		break;
	}
	if (size > 16)
		size = 16;
	head(u, name, BTF_KIND_INT, 0, false, (uint32_t)size);
	word(u, bits << 24 | (uint32_t)size * 8);
}

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
	Dwarf_Attribute attr;
	Dwarf_Word size;
	Dwarf_Die type;

	if (has(member, DW_AT_byte_size))
		return constant(member, DW_AT_byte_size, 4);
	if (!dwarf_attr_integrate(member, DW_AT_type, &attr) || !dwarf_formref_die(&attr, &type) ||
	    dwarf_aggregate_size(&type, &size))
		return 4;
	return size;
}

/* Finds a member's offset in bits, from the attributes of DWARF 2 to 5. */
static bool member_offset(Dwarf_Die *member, uint64_t bit_size, uint64_t *ret)
{
	if (!member_location(member, ret))
		return false;
	*ret *= 8;
	if (has(member, DW_AT_data_bit_offset))
		*ret += constant(member, DW_AT_data_bit_offset, 0);
	else if (has(member, DW_AT_bit_offset)) /* DWARF 2: from the unit's high end */
		*ret += bit_unit_size(member) * 8 - constant(member, DW_AT_bit_offset, 0) -
			bit_size;
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

/* Notes a tag of the type that is being written. */
static void add_tag(struct unit_types *u, Dwarf_Die *die, int32_t component, const char *text)
{
	vec_push(u->s->arena, &u->tags,
		 ((struct type_tag){ unittypes_id(u, die), string(u, text), component }));
}

/* Writes member number *vlen; false: it is left out. */
static bool write_member(struct unit_types *u, Dwarf_Die *m, unsigned *vlen)
{
	uint64_t bits = constant(m, DW_AT_bit_size, 0), offset;

	/* BTF cannot store it, or it has no fixed place. */
	if (*vlen == UINT16_MAX || !member_offset(m, bits, &offset) || offset >= 1 << 24 ||
	    bits > 255)
		return false;
	word(u, dwarf_tag(m) == DW_TAG_inheritance ? 0 : string(u, dwarf_diename(m)));
	word(u, referred(u, m));
	word(u, (uint32_t)bits << 24 | (uint32_t)offset);
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
			add_tag(u, die, (int32_t)*vlen - 1,
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
			add_tag(u, die, (int32_t)*vlen - 1, TAG_CHOICE);
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
			add_tag(u, die, -1,
				arena_printf(u->s->arena, "%s%u", TAG_FIRST, referred(u, &child)));
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
		codenames_find(&u->codes, qualified_name(u, die), &names);
	vec_each(&names, i)
		add_tag(u, die, -1,
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

	head(u, string(u, name), BTF_KIND_STRUCT, 0, true, known->size);
	for (const struct declared_member *m = known->members; m->name; m++, vlen++) {
		struct declared_word type = { u->words.count + 1, m->is_text ? letter : NULL };

		vec_push(u->s->arena, &u->declared, type);
		word(u, string(u, m->name));
		word(u, 0);
		word(u, m->offset * 8);
	}
	u->words.data[info] |= vlen;
}

static void write_declaration(struct unit_types *u, Dwarf_Die *die, unsigned kind)
{
	const char *name = qualified_name(u, die);
	const struct declared_letter *letter;
	const struct declared_type *known =
		kind == BTF_KIND_STRUCT ? declaredtypes_find(name, &letter) : NULL;

	if (known)
		write_known(u, name, known, letter);
	else
		head(u, string(u, name), BTF_KIND_FWD, 0, kind == BTF_KIND_UNION, 0);
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
	add_tag(u, die, -1,
		arena_printf(u->s->arena, TAG_VIRTUAL "%llu %u", (unsigned long long)distance,
			     referred(u, base)));
}

static void write_struct(struct unit_types *u, Dwarf_Die *die, unsigned kind)
{
	size_t info = u->words.count + 1;
	unsigned vlen = 0;
	Dwarf_Die m;

	if (is_declaration(die)) {
		write_declaration(u, die, kind);
		return;
	}
	head(u, string(u, qualified_name(u, die)), kind, 0, true,
	     (uint32_t)constant(die, DW_AT_byte_size, 0));
	if (u->go_names && is_interface(dwarf_diename(die)))
		add_tag(u, die, -1,
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

/*
 * DWARF does not define whether data1 and similar forms are signed; compilers write
 * negative values as sdata.
 */
int64_t unittypes_enumerator_value(Dwarf_Die *e)
{
	Dwarf_Attribute attr;
	Dwarf_Sword with_sign = 0;
	Dwarf_Word value = 0;

	if (!dwarf_attr(e, DW_AT_const_value, &attr))
		return 0;
	if (dwarf_whatform(&attr) == DW_FORM_sdata ||
	    dwarf_whatform(&attr) == DW_FORM_implicit_const) {
		dwarf_formsdata(&attr, &with_sign);
		return with_sign;
	}
	dwarf_formudata(&attr, &value);
	return (int64_t)value;
}

static void write_enumerators(struct unit_types *u, Dwarf_Die *die, size_t info, bool wide)
{
	unsigned vlen = 0;
	Dwarf_Die e;

	if (dwarf_child(die, &e))
		return;
	do {
		int64_t value;

		if (dwarf_tag(&e) != DW_TAG_enumerator || vlen == UINT16_MAX)
			continue;
		value = unittypes_enumerator_value(&e);
		word(u, string(u, dwarf_diename(&e)));
		word(u, (uint32_t)value);
		if (wide)
			word(u, (uint32_t)((uint64_t)value >> 32));
		vlen++;
	} while (!dwarf_siblingof(&e, &e));
	u->words.data[info] |= vlen;
}

static void write_enum(struct unit_types *u, Dwarf_Die *die)
{
	uint64_t size = constant(die, DW_AT_byte_size, 4);
	size_t info = u->words.count + 1;
	uint64_t encoding = 0;
	bool is_signed;
	Dwarf_Attribute attr;
	Dwarf_Die base;

	if (dwarf_attr_integrate(die, DW_AT_type, &attr) && dwarf_formref_die(&attr, &base) &&
	    !dwarf_peel_type(&base, &base))
		encoding = constant(&base, DW_AT_encoding, 0);
	is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (is_declaration(die))
		size = 4;
	head(u, string(u, qualified_name(u, die)), size > 4 ? BTF_ID_ENUM64 : BTF_KIND_ENUM, 0,
	     is_signed, (uint32_t)size);
	if (dwarf_hasattr(die, DW_AT_enum_class))
		add_tag(u, die, -1, TAG_SCOPED);
	write_enumerators(u, die, info, size > 4);
}

/* Returns the number of elements of one dimension; 0: unknown. */
static uint32_t dimension(Dwarf_Die *range)
{
	uint64_t n = constant(range, DW_AT_count, UINT64_MAX);

	if (n == UINT64_MAX && has(range, DW_AT_upper_bound))
		n = constant(range, DW_AT_upper_bound, UINT64_MAX) + 1 -
		    constant(range, DW_AT_lower_bound, 0);
	return n > UINT32_MAX / 2 ? 0 : (uint32_t)n;
}

typedef VEC(uint32_t) dimensions;

static void array_dimensions(struct unit_types *u, Dwarf_Die *die, dimensions *ret)
{
	Dwarf_Die range;

	if (!dwarf_child(die, &range)) {
		do {
			if (dwarf_tag(&range) == DW_TAG_subrange_type && ret->count < 16)
				vec_push(u->s->arena, ret, dimension(&range));
		} while (!dwarf_siblingof(&range, &range));
	}
	if (!ret->count)
		vec_push(u->s->arena, ret, 0);
}

/*
 * An array of several dimensions is an array of arrays: the inner ones get their own ids
 * at the table's end.
 */
struct inner {
	uint32_t element, count;
	bool nested; /* the element is the inner array before this one */
};
typedef VEC(struct inner) inners;

static void write_array(struct unit_types *u, uint32_t element, uint32_t count)
{
	head(u, 0, BTF_KIND_ARRAY, 0, false, 0);
	word(u, element);
	word(u, 0); /* the index's type: it is never used */
	word(u, count);
}

static void write_function(struct unit_types *u, Dwarf_Die *die)
{
	size_t info = u->words.count + 1;
	unsigned vlen = 0;
	Dwarf_Die p;

	head(u, 0, BTF_KIND_FUNC_PROTO, 0, false, referred(u, die));
	if (dwarf_child(die, &p))
		return;
	do {
		int tag = dwarf_tag(&p);

		if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
		    vlen == UINT16_MAX)
			continue;
		word(u, string(u, dwarf_diename(&p)));
		word(u, tag == DW_TAG_unspecified_parameters ? 0 : referred(u, &p));
		vlen++;
	} while (!dwarf_siblingof(&p, &p));
	u->words.data[info] |= vlen;
}

/* Writes qualifiers, pointers, typedefs: all types that just refer to another one. */
static void write_reference(struct unit_types *u, Dwarf_Die *die, unsigned kind, const char *name)
{
	head(u, string(u, name), kind, 0, false, referred(u, die));
}

static void write_type(struct unit_types *u, Dwarf_Die *die)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		write_base(u, die);
		break;
	case DW_TAG_const_type:
		write_reference(u, die, BTF_KIND_CONST, NULL);
		break;
	case DW_TAG_volatile_type:
	case DW_TAG_atomic_type:
		write_reference(u, die, BTF_KIND_VOLATILE, NULL);
		break;
	case DW_TAG_restrict_type:
		write_reference(u, die, BTF_KIND_RESTRICT, NULL);
		break;
	case DW_TAG_typedef:
		write_reference(u, die, BTF_KIND_TYPEDEF, qualified_name(u, die));
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		write_struct(u, die, BTF_KIND_STRUCT);
		break;
	case DW_TAG_union_type:
		write_struct(u, die, BTF_KIND_UNION);
		break;
	case DW_TAG_enumeration_type:
		write_enum(u, die);
		break;
	case DW_TAG_subroutine_type:
		if (u->is_go) /* a value of it is a pointer */
			head(u, 0, BTF_KIND_PTR, 0, false, 0);
		else
			write_function(u, die);
		break;
	default: /* pointers, references, pointers to members */
		write_reference(u, die, BTF_KIND_PTR, NULL);
	}
}

/* Writes the types of the halves of complex numbers, after `last` types. */
static void write_halves(struct unit_types *u, uint32_t last)
{
	vec_each(&u->halves, i) {
		const struct half *h = &u->halves.data[i];

		head(u, string(u, h->size == 4 ? "float" : "double"), BTF_KIND_FLOAT, 0, false,
		     h->size);
		u->words.data[h->word] = last + (uint32_t)i + 1;
	}
}

static void write_integer(struct unit_types *u, const char *name, uint32_t size)
{
	head(u, string(u, name), BTF_KIND_INT, 0, false, size);
	word(u, size * 8);
}

/* Writes the types of members of structures without definition, after `last` types. */
static void write_declared(struct unit_types *u, uint32_t last)
{
	vec_each(&u->declared, i) {
		const struct declared_word *d = &u->declared.data[i];

		u->words.data[d->word] = ++last;
		if (!d->letter) {
			write_integer(u, "unsigned long", 8);
			continue;
		}
		head(u, 0, BTF_KIND_PTR, 0, false, last + 1);
		write_integer(u, d->letter->name, d->letter->size);
		last++;
	}
}

/*
 * Writes all types. Inner arrays get the ids after all other types, whose number is known
 * only at the end: until then they have placeholders.
 */
static void write_all(struct unit_types *u)
{
	inners inner = { 0 };
	VEC(size_t) marks = { 0 };

	for (size_t i = 0; i < u->types.count; i++) {
		Dwarf_Die copy = u->types.data[i].die, *die = &copy;
		dimensions dims = { 0 };
		uint32_t element;

		if (dwarf_tag(die) != DW_TAG_array_type) {
			write_type(u, die);
			continue;
		}
		array_dimensions(u, die, &dims);
		element = referred(u, die);
		if (dims.count > 1)
			vec_push(u->s->arena, &marks, u->words.count + 3);
		for (size_t d = dims.count - 1; d > 0; d--) {
			struct inner in = { element, dims.data[d], d + 1 < dims.count };

			vec_push(u->s->arena, &inner, in);
		}
		write_array(u, dims.count > 1 ? (uint32_t)inner.count : element, dims.data[0]);
	}
	vec_each(&marks, m)
		u->words.data[marks.data[m]] += (uint32_t)u->types.count;
	vec_each(&inner, k)
		write_array(u,
			    inner.data[k].nested ? (uint32_t)(u->types.count + k)
						 : inner.data[k].element,
			    inner.data[k].count);
	write_halves(u, (uint32_t)(u->types.count + inner.count));
	write_declared(u, (uint32_t)(u->types.count + inner.count + u->halves.count));
	vec_each(&u->tags, t) {
		head(u, u->tags.data[t].text, BTF_KIND_DECL_TAG, 0, false, u->tags.data[t].type);
		word(u, (uint32_t)u->tags.data[t].component);
	}
}

static struct error *finish(struct unit_types *u, const char *file)
{
	size_t types_len = u->words.count * sizeof(uint32_t),
	       len = sizeof(struct btf_header) + types_len + u->strings_len;
	struct btf_header *h = arena_alloc(u->s->arena, len);

	*h = (struct btf_header){ .magic = BTF_MAGIC,
				  .version = BTF_VERSION,
				  .hdr_len = sizeof(*h),
				  .type_len = (uint32_t)types_len,
				  .str_off = (uint32_t)types_len,
				  .str_len = (uint32_t)u->strings_len };
	if (types_len)
		memcpy(h + 1, u->words.data, types_len);
	memcpy((char *)(h + 1) + types_len, u->strings, u->strings_len);
	return btf_open(u->s->arena, file, h, len, NULL, &u->btf);
}

/* True: the program is loaded at a different address each time. */
static bool is_moved(Dwarf_Die *unit)
{
	GElf_Ehdr e;

	return gelf_getehdr(dwarf_getelf(dwarf_cu_getdwarf(unit->cu)), &e) && e.e_type != ET_EXEC;
}

struct error *unittypes_read(struct session *s, const char *file, Dwarf_Die *any,
			     struct unit_types **ret)
{
	struct unit_types *u = arena_new(s->arena, struct unit_types);
	struct error *err;
	uint8_t address_size;
	Dwarf_Die unit;

	u->s = s;
	u->strings_room = 65536;
	u->strings = arena_alloc(s->arena, u->strings_room);
	u->strings_len = 1; /* offset 0 is the empty name */
	if (!dwarf_diecu(any, &unit, &address_size, NULL))
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s", file, dwarf_errmsg(-1));
	grow(u);
	u->scopes = scopenames_are_in(&unit);
	u->is_go = languages_is_go(&unit);
	u->is_moved = is_moved(&unit);
	u->go_names = u->is_go ? gotypes_names(&unit) : 0;
	u->unit = unit.addr;
	u->codes = (struct codenames){ .s = s, .unit = unit };
	scopenames_enter(&u->elsewhere, s->arena, &unit);
	collect(u, &unit, NULL, 0);
	write_all(u);
	*ret = u;
	err = finish(u, file);
	if (!err)
		btf_set_pointer_size(u->btf, address_size);
	return err;
}

struct btf *unittypes_btf(struct unit_types *u)
{
	return u->btf;
}
