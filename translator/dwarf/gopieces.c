/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/gopieces.h"

#include <dwarf.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/languages.h"
#include "dwarf/valuetype.h"
#include "lib/vec.h"

#define MAX_NUMBERS 64 /* of a value */
#define NESTING	    32 /* of types */

/* A number of a value, which the compiler keeps by itself. */
struct number {
	uint64_t offset, size;
};

struct layout {
	struct number numbers[MAX_NUMBERS];
	unsigned count;
	uint64_t size;
};

/* The operations of a piece, without DW_OP_piece itself. */
struct piece {
	const Dwarf_Op *ops;
	size_t n;
	uint64_t size;
};

typedef VEC(struct piece) pieces;
typedef VEC(Dwarf_Op) operations;

/* ---- numbers of a type ---- */

static bool add_number(struct layout *l, uint64_t offset, uint64_t size)
{
	if (l->count == MAX_NUMBERS || !size)
		return false;
	l->numbers[l->count++] = (struct number){ offset, size };
	return true;
}

static bool add_type(struct layout *l, Dwarf_Die *type, uint64_t offset, unsigned depth);

static bool add_members(struct layout *l, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
	Dwarf_Die member, its;

	if (dwarf_child(type, &member))
		return true;
	do {
		Dwarf_Attribute attr;
		Dwarf_Word at;

		if (dwarf_tag(&member) != DW_TAG_member)
			continue;
		if (dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attr), &at) ||
		    !valuetype_of(&member, &its) || !add_type(l, &its, offset + at, depth + 1))
			return false;
	} while (!dwarf_siblingof(&member, &member));
	return true;
}

static bool add_base(struct layout *l, Dwarf_Die *type, uint64_t offset, uint64_t size)
{
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	if (dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attr), &encoding) ||
	    encoding != DW_ATE_complex_float)
		return add_number(l, offset, size);
	return add_number(l, offset, size / 2) && add_number(l, offset + size / 2, size / 2);
}

/* Adds the numbers of a type that the compiler keeps in registers. */
static bool add_type(struct layout *l, Dwarf_Die *type, uint64_t offset, unsigned depth)
{
	int size = dwarf_bytesize(type);

	if (depth > NESTING)
		return false;
	switch (dwarf_tag(type)) {
	case DW_TAG_structure_type:
		return add_members(l, type, offset, depth);
	case DW_TAG_base_type:
		return size > 0 && add_base(l, type, offset, (uint64_t)size);
	case DW_TAG_pointer_type:
	case DW_TAG_subroutine_type: /* a value of it is a pointer */
		return add_number(l, offset, size > 0 ? (uint64_t)size : sizeof(uint64_t));
	default:
		return false;
	}
}

static bool layout_of(Dwarf_Die *variable, struct layout *ret)
{
	Dwarf_Die type;
	int size;

	*ret = (struct layout){ 0 };
	if (!valuetype_of(variable, &type))
		return false;
	size = dwarf_bytesize(&type);
	ret->size = size > 0 ? (uint64_t)size : 0;
	return size > 0 && add_type(ret, &type, 0, 0);
}

/* ---- pieces ---- */

/* Splits the operations. False: they are not all pieces of whole bytes. */
static bool split(struct session *s, const Dwarf_Op *ops, size_t n, pieces *ret)
{
	size_t from = 0;

	for (size_t i = 0; i < n; i++) {
		struct piece p = { &ops[from], i - from, ops[i].number };

		if (ops[i].atom != DW_OP_piece)
			continue;
		vec_push(s->arena, ret, p);
		from = i + 1;
	}
	return ret->count && from == n;
}

static bool is_same(const struct piece *a, const struct piece *b)
{
	if (a->size != b->size || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (a->ops[i].atom != b->ops[i].atom || a->ops[i].number != b->ops[i].number ||
		    a->ops[i].number2 != b->ops[i].number2)
			return false;
	return true;
}

static void drop_repeats(pieces *list)
{
	size_t kept = 1;

	for (size_t i = 1; i < list->count; i++)
		if (!is_same(&list->data[i], &list->data[kept - 1]))
			list->data[kept++] = list->data[i];
	list->count = kept;
}

static uint64_t sum_of(const pieces *list)
{
	uint64_t sum = 0;

	vec_each(list, i)
		sum += list->data[i].size;
	return sum;
}

/* True: each piece has its number; numbers at the end may be without a piece. */
static bool fits(const pieces *list, const struct layout *l)
{
	if (list->count > l->count)
		return false;
	vec_each(list, i)
		if (list->data[i].size != l->numbers[i].size)
			return false;
	return true;
}

/* True: two pieces are at one place, so that one of them may be the other's repeat. */
static bool has_repeats(const pieces *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (list->data[i].n && is_same(&list->data[i], &list->data[i - 1]))
			return true;
	return false;
}

/* Leaves a piece for each number of the type, as far as they go. */
static bool match(pieces *list, const struct layout *l)
{
	if (list->count < l->count)
		return fits(list, l) && !has_repeats(list);
	if (list->count > l->count)
		drop_repeats(list);
	return list->count == l->count && fits(list, l);
}

static void write_piece(struct session *s, operations *ret, const struct piece *p)
{
	Dwarf_Op end = { .atom = DW_OP_piece, .number = p->size };

	for (size_t i = 0; i < p->n; i++)
		vec_push(s->arena, ret, p->ops[i]);
	vec_push(s->arena, ret, end);
}

static operations joined(struct session *s, const pieces *list, const struct layout *l)
{
	operations ret = { 0 };
	uint64_t at = 0;

	vec_each(list, i) {
		const struct number *number = &l->numbers[i];

		if (number->offset > at)
			write_piece(s, &ret, &(struct piece){ .size = number->offset - at });
		write_piece(s, &ret, &list->data[i]);
		at = number->offset + number->size;
	}
	return ret;
}

bool gopieces_put_right(struct session *s, Dwarf_Die *variable, Dwarf_Op **ops, size_t *n)
{
	pieces list = { 0 };
	operations all;
	struct layout l;
	Dwarf_Die unit;

	if (!dwarf_diecu(variable, &unit, NULL, NULL) || !languages_is_go(&unit) ||
	    !split(s, *ops, *n, &list))
		return true;
	if (!layout_of(variable, &l) || !match(&list, &l))
		return l.size && sum_of(&list) == l.size;
	all = joined(s, &list, &l);
	*ops = all.data;
	*n = all.count;
	return true;
}
