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
#include "dwarf/declaredtypes.h"
#include "dwarf/gotypes.h"
#include "dwarf/languages.h"
#include "dwarf/scopenames.h"
#include "dwarf/unitstruct.h"
#include "dwarf/unittable.h"
#include "dwarf/valuetype.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "lib/vec.h"
#include "types/tag.h"

#define MAX_NESTING 256 /* of DIEs, and of types that refer to others */

/* ---- ids ---- */

uint32_t unittypes_id(struct unit_types *u, Dwarf_Die *type)
{
	return unittable_id(u, type);
}

uint32_t unittypes_of(struct unit_types *u, Dwarf_Die *die)
{
	Dwarf_Die type;

	return valuetype_declared(die, &type) ? unittypes_id(u, &type) : 0;
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
			unittable_refer(u, &child);
			break;
		default:
			type = child;
			id = unittable_add(u, &type);
			if (id && type.addr == child.addr)
				u->types.data[id - 1].scope = scope;
		}
		collect(u, &child, scope, depth + 1);
	} while (!dwarf_siblingof(&child, &child));
}

/* ---- writing ---- */

/* Writes a complex number as a structure: BTF has no other type for it. */
static void write_complex(struct unit_types *u, uint32_t name, uint32_t size)
{
	static const char *const members[] = { "real", "imag" };

	unittable_head(u, name, BTF_KIND_STRUCT, 2, true, size);
	for (uint32_t i = 0; i < 2; i++) {
		struct half h = { u->words.count + 1, size / 2 };

		vec_push(u->s->arena, &u->halves, h);
		unittable_word(u, unittable_string(u, members[i]));
		unittable_word(u, 0);
		unittable_word(u, i * size / 2 * 8);
	}
}

static void write_base(struct unit_types *u, Dwarf_Die *die)
{
	uint64_t size = unittable_constant(die, DW_AT_byte_size, 0),
		 encoding = unittable_constant(die, DW_AT_encoding, 0);
	uint32_t bits = 0, name = unittable_string(u, dwarf_diename(die));

	switch (encoding) {
	case DW_ATE_complex_float:
		write_complex(u, name, (uint32_t)size);
		return;
	case DW_ATE_float:
	case DW_ATE_imaginary_float:
	case DW_ATE_decimal_float:
		unittable_head(u, name, BTF_KIND_FLOAT, 0, false, (uint32_t)size);
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
	unittable_head(u, name, BTF_KIND_INT, 0, false, (uint32_t)size);
	unittable_word(u, bits << 24 | (uint32_t)size * 8);
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
		unittable_word(u, unittable_string(u, dwarf_diename(&e)));
		unittable_word(u, (uint32_t)value);
		if (wide)
			unittable_word(u, (uint32_t)((uint64_t)value >> 32));
		vlen++;
	} while (!dwarf_siblingof(&e, &e));
	u->words.data[info] |= vlen;
}

static void write_enum(struct unit_types *u, Dwarf_Die *die)
{
	uint64_t size = unittable_constant(die, DW_AT_byte_size, 4);
	size_t info = u->words.count + 1;
	uint64_t encoding = 0;
	bool is_signed;
	Dwarf_Die base;

	if (valuetype_of(die, &base))
		encoding = unittable_constant(&base, DW_AT_encoding, 0);
	is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
	if (unittable_is_declaration(die))
		size = 4;
	unittable_head(u, unittable_string(u, unittable_name(u, die)),
		       size > 4 ? BTF_ID_ENUM64 : BTF_KIND_ENUM, 0, is_signed, (uint32_t)size);
	if (dwarf_hasattr(die, DW_AT_enum_class))
		unittable_tag(u, die, -1, TAG_SCOPED);
	write_enumerators(u, die, info, size > 4);
}

/* Returns the number of elements of one dimension; 0: unknown. */
static uint32_t dimension(Dwarf_Die *range)
{
	uint64_t n = unittable_constant(range, DW_AT_count, UINT64_MAX);

	if (n == UINT64_MAX && unittable_has(range, DW_AT_upper_bound))
		n = unittable_constant(range, DW_AT_upper_bound, UINT64_MAX) + 1 -
		    unittable_constant(range, DW_AT_lower_bound, 0);
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
	unittable_head(u, 0, BTF_KIND_ARRAY, 0, false, 0);
	unittable_word(u, element);
	unittable_word(u, 0); /* the index's type: it is never used */
	unittable_word(u, count);
}

static void write_function(struct unit_types *u, Dwarf_Die *die)
{
	size_t info = u->words.count + 1;
	unsigned vlen = 0;
	Dwarf_Die p;

	unittable_head(u, 0, BTF_KIND_FUNC_PROTO, 0, false, unittable_refer(u, die));
	if (dwarf_child(die, &p))
		return;
	do {
		int tag = dwarf_tag(&p);

		if ((tag != DW_TAG_formal_parameter && tag != DW_TAG_unspecified_parameters) ||
		    vlen == UINT16_MAX)
			continue;
		unittable_word(u, unittable_string(u, dwarf_diename(&p)));
		unittable_word(u,
			       tag == DW_TAG_unspecified_parameters ? 0 : unittable_refer(u, &p));
		vlen++;
	} while (!dwarf_siblingof(&p, &p));
	u->words.data[info] |= vlen;
}

/* Writes qualifiers, pointers, typedefs: all types that just refer to another one. */
static void write_reference(struct unit_types *u, Dwarf_Die *die, unsigned kind, const char *name)
{
	unittable_head(u, unittable_string(u, name), kind, 0, false, unittable_refer(u, die));
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
		write_reference(u, die, BTF_KIND_TYPEDEF, unittable_name(u, die));
		break;
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
		unitstruct_write(u, die, BTF_KIND_STRUCT);
		break;
	case DW_TAG_union_type:
		unitstruct_write(u, die, BTF_KIND_UNION);
		break;
	case DW_TAG_enumeration_type:
		write_enum(u, die);
		break;
	case DW_TAG_subroutine_type:
		if (u->is_go) /* a value of it is a pointer */
			unittable_head(u, 0, BTF_KIND_PTR, 0, false, 0);
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

		unittable_head(u, unittable_string(u, h->size == 4 ? "float" : "double"),
			       BTF_KIND_FLOAT, 0, false, h->size);
		u->words.data[h->word] = last + (uint32_t)i + 1;
	}
}

static void write_integer(struct unit_types *u, const char *name, uint32_t size)
{
	unittable_head(u, unittable_string(u, name), BTF_KIND_INT, 0, false, size);
	unittable_word(u, size * 8);
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
		unittable_head(u, 0, BTF_KIND_PTR, 0, false, last + 1);
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
		element = unittable_refer(u, die);
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
		unittable_head(u, u->tags.data[t].text, BTF_KIND_DECL_TAG, 0, false,
			       u->tags.data[t].type);
		unittable_word(u, (uint32_t)u->tags.data[t].component);
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
	if (!dwarf_diecu(any, &unit, &address_size, NULL))
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s", file, dwarf_errmsg(-1));
	unittable_init(u);
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
