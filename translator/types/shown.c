/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/shown.h"

#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/btf.h"
#include "types/choice.h"
#include "types/enums.h"
#include "types/printed.h"
#include "types/printer.h"
#include "types/shaper.h"
#include "types/tag.h"

/* ---- enums with payload ---- */

static const struct btf_member *member_of(const struct btf_type *t, unsigned i)
{
	return (const struct btf_member *)btf_tail(t) + i;
}

/* Returns the number of the member with the tag; -1: none has it. */
static int tagged_member(struct shaper *sh, uint32_t id, const char *tag)
{
	for (unsigned i = 0; i < btf_vlen_of(btf_type(sh->btf, id)); i++) {
		const char *own = tag_of(sh->btf, id, (int32_t)i);

		if (own && !strcmp(own, tag))
			return (int)i;
	}
	return -1;
}

/* True: members have no names, but numbers. */
static bool is_tuple(struct shaper *sh, const struct btf_type *t)
{
	return btf_vlen_of(t) && !strcmp(btf_string(sh->btf, member_of(t, 0)->name_off), "__0");
}

static void add_tuple(struct shaper *sh, const struct btf_type *t, uint64_t offset, unsigned level)
{
	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		const struct btf_member *m = member_of(t, i);

		shape_type(sh, m->type, offset + BTF_MEMBER_BIT_OFFSET(m->offset) / 8, "", level);
	}
}

/* Adds Name, Name(a, b) or Name{.x=a, .y=b}. */
static void add_variant(struct shaper *sh, const struct btf_member *m, uint64_t offset,
			const char *name, unsigned level)
{
	const char *own =
		arena_printf(sh->s->arena, "%s%s", name, btf_string(sh->btf, m->name_off));
	const struct btf_type *t = btf_type(sh->btf, btf_skip(sh->btf, m->type));
	bool tuple = is_tuple(sh, t);

	offset += BTF_MEMBER_BIT_OFFSET(m->offset) / 8;
	if (btf_kind_of(t) != BTF_KIND_STRUCT || !btf_vlen_of(t)) {
		shape_text(sh, STP_SHAPE_TEXT, own, "");
		return;
	}
	if (sh->rows->count > SHOWN_ROWS) {
		shape_text(sh, STP_SHAPE_TEXT, own, tuple ? "(...)" : "{...}");
		return;
	}
	level -= level > 0;
	shape_text(sh, STP_SHAPE_OPEN, own, tuple ? "(" : "{");
	if (tuple)
		add_tuple(sh, t, offset, level);
	else
		shape_members(sh, t, offset, level);
	shape_text(sh, STP_SHAPE_CLOSE, "", tuple ? ")" : "}");
}

static void add_variants(struct shaper *sh, uint32_t id, int choosing, int other, uint64_t offset,
			 const char *name, unsigned level)
{
	const struct btf_type *t = btf_type(sh->btf, id);
	const struct btf_member *number = member_of(t, (unsigned)choosing);
	uint64_t size = btf_size(sh->btf, number->type);
	struct choice c =
		choice_open(sh, name, offset + BTF_MEMBER_BIT_OFFSET(number->offset) / 8, size);
	choice_ends ends = { 0 };

	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		const char *tag = tag_of(sh->btf, id, (int32_t)i);
		uint64_t value;
		size_t next;

		if (!tag || strncmp(tag, TAG_VARIANT, strlen(TAG_VARIANT)) ||
		    !tag[strlen(TAG_VARIANT)])
			continue;
		value = strtoull(tag + strlen(TAG_VARIANT), NULL, 10);
		next = choice_case(sh, value & UINT64_MAX >> (64 - size * 8));
		add_variant(sh, member_of(t, i), offset, name, level);
		choice_end_case(sh, &c, next, &ends);
	}
	if (other >= 0)
		add_variant(sh, member_of(t, (unsigned)other), offset, name, level);
	else
		shape_text(sh, STP_SHAPE_TEXT, name, "?");
	choice_close(sh, &c, &ends);
}

static bool add_enum(struct shaper *sh, uint32_t id, uint64_t offset, const char *name,
		     unsigned level)
{
	int choosing = tagged_member(sh, id, TAG_CHOICE),
	    other = tagged_member(sh, id, TAG_VARIANT);
	const struct btf_type *t = btf_type(sh->btf, id);
	uint64_t size;

	if (choosing < 0 && other >= 0) {
		add_variant(sh, member_of(t, (unsigned)other), offset, name, level);
		return true;
	}
	if (choosing < 0)
		return false;
	size = btf_size(sh->btf, member_of(t, (unsigned)choosing)->type);
	if (!size || size > 8)
		return false;
	add_variants(sh, id, choosing, other, offset, name, level);
	return true;
}

bool shown_structure(struct shaper *sh, uint32_t id, uint64_t offset, const char *name,
		     unsigned level)
{
	const struct btf_type *t = btf_type(sh->btf, id);
	struct printer printer;

	if (!sh->of_program || btf_kind(sh->btf, id) != BTF_KIND_STRUCT)
		return false;
	if (printer_find(sh->s, sh->btf, id, &printer))
		return printed_add(sh, &printer, id, offset, name, level);
	if (!is_tuple(sh, t))
		return add_enum(sh, id, offset, name, level);
	if (!level) {
		shape_text(sh, STP_SHAPE_TEXT, name, "(...)");
		return true;
	}
	shape_text(sh, STP_SHAPE_OPEN, name, "(");
	add_tuple(sh, t, offset, level - 1);
	shape_text(sh, STP_SHAPE_CLOSE, "", ")");
	return true;
}

bool shown_is_text(struct session *s, const struct btf *btf, uint32_t type, bool of_program)
{
	struct printer printer;
	uint64_t at;

	return of_program && printer_find_text(s, btf, type, &printer, &at);
}

void shown_text(struct shaper *sh, uint32_t type)
{
	struct printer printer;
	uint64_t at;

	if (printer_find_text(sh->s, sh->btf, type, &printer, &at))
		printed_text(sh, &printer, at);
}

/* ---- numbers ---- */

static void add_named(struct shaper *sh, uint32_t id, uint64_t offset, const char *name)
{
	const struct enumeration *e = enums_enumeration(sh->s, sh->btf, id);
	struct stp_shape row = { .kind = STP_SHAPE_NAMED,
				 .text = name,
				 .offset = (uint32_t)offset,
				 .count = (uint32_t)e->rows.count,
				 .bit_size = BTF_INFO_KFLAG(btf_type(sh->btf, id)->info),
				 .size = sh->is_cut ? 8 : (uint8_t)btf_size(sh->btf, id) };

	if (sh->len > sh->room)
		return;
	shape_row(sh, row);
	vec_each(&e->rows, i)
		choice_jump(
			sh,
			(struct stp_shape){
				.kind = STP_SHAPE_NAME,
				.text = arena_printf(sh->s->arena, "%s::%s", btf_name(sh->btf, id),
						     e->rows.data[i].name),
				.offset = (uint32_t)e->rows.data[i].value,
				.count = (uint32_t)((uint64_t)e->rows.data[i].value >> 32) });
}

static bool is_scoped(const struct btf *btf, uint32_t id)
{
	const char *tag = btf_kind(btf, id) == BTF_KIND_ENUM || btf_kind(btf, id) == BTF_ID_ENUM64
				  ? tag_of(btf, id, TAG_WHOLE)
				  : NULL;

	return tag && !strcmp(tag, TAG_SCOPED);
}

/* Numbers of some types are more than their digits. */
static const struct named_number {
	const char *name;
	uint8_t size;
	enum stp_shape_kind kind;
} named_numbers[] = {
	{ "char", 4, STP_SHAPE_LETTER }, /* Rust's */
	{ "char16_t", 2, STP_SHAPE_LETTER },
	{ "char32_t", 4, STP_SHAPE_LETTER },
	{ "wchar_t", 4, STP_SHAPE_LETTER },
	{ "u8", 1, STP_SHAPE_UNSIGNED }, /* Rust's and Go's: in C, they are letters */
	{ "i8", 1, STP_SHAPE_SIGNED },
	{ "uint8", 1, STP_SHAPE_UNSIGNED },
	{ "int8", 1, STP_SHAPE_SIGNED },
	{ "time.Duration", 8, STP_SHAPE_NANOSECONDS },
};

static bool add_named_number(struct shaper *sh, uint32_t id, uint64_t offset, const char *name)
{
	uint64_t size = btf_size(sh->btf, id);
	const char *own = btf_name(sh->btf, id);

	for (size_t i = 0; i < sizeof(named_numbers) / sizeof(named_numbers[0]); i++) {
		const struct named_number *n = &named_numbers[i];

		if (n->size != size || strcmp(n->name, own))
			continue;
		shape_row(sh, (struct stp_shape){ .kind = n->kind,
						  .text = name,
						  .offset = (uint32_t)offset,
						  .size = n->size });
		return true;
	}
	return false;
}

/* Adds a number of 16 bytes. */
static bool add_wide(struct shaper *sh, uint32_t id, uint64_t offset, const char *name)
{
	uint32_t encoding = BTF_INT_ENCODING(*(const uint32_t *)btf_tail(btf_type(sh->btf, id)));

	shape_row(sh, (struct stp_shape){ .kind = STP_SHAPE_WIDE,
					  .text = name,
					  .offset = (uint32_t)offset,
					  .size = 16,
					  .bit_size = (encoding & BTF_INT_SIGNED) != 0 });
	return true;
}

static bool add_float(struct shaper *sh, uint32_t id, uint64_t offset, const char *name)
{
	uint64_t size = btf_size(sh->btf, id);
	const char *own = btf_name(sh->btf, id);

	if (strstr(own, "ecimal") || strstr(own, "ibm")) /* of other kinds */
		return false;
	if (size > 8 && (!strcmp(own, "long double") || !strcmp(own, "_Float64x")))
		size = arch_of(sh->s)->machine->long_double;
	if (size != 4 && size != 8 && size != 10 && size != 16)
		return false;
	shape_row(sh, (struct stp_shape){ .kind = STP_SHAPE_FLOAT,
					  .text = name,
					  .offset = (uint32_t)offset,
					  .size = (uint8_t)size });
	return true;
}

/* True: the type is behind a map or a channel of Go, which are pointers. */
static bool is_referred(const struct shaper *sh, uint32_t type, struct printer *ret)
{
	return printer_find(sh->s, sh->btf, type, ret) && ret->kind == PRINTER_SIZE &&
	       !strstr(ret->row->type, "::");
}

const char *shown_null(const struct shaper *sh, uint32_t type)
{
	struct printer printer;

	return sh->of_program && is_referred(sh, type, &printer) ? "nil" : "0x0";
}

static bool add_referred(struct shaper *sh, uint32_t id, uint64_t offset, const char *name)
{
	struct printer printer;

	if (sh->is_cut || !is_referred(sh, btf_type(sh->btf, id)->type, &printer))
		return false;
	printed_referred(sh, &printer, offset, name);
	return true;
}

bool shown_number(struct shaper *sh, uint32_t type, uint64_t offset, const char *name)
{
	uint32_t id = btf_skip(sh->btf, type);

	if (!sh->of_program)
		return false;
	if (is_scoped(sh->btf, id)) {
		add_named(sh, id, offset, name);
		return true;
	}
	switch (btf_kind(sh->btf, id)) {
	case BTF_KIND_FLOAT:
		return add_float(sh, id, offset, name);
	case BTF_KIND_PTR:
		return add_referred(sh, id, offset, name);
	case BTF_KIND_INT:
		if (btf_size(sh->btf, id) == 16)
			return add_wide(sh, id, offset, name);
		if (!btf_size(sh->btf, id) && !strcmp(btf_name(sh->btf, id), "()")) {
			shape_text(sh, STP_SHAPE_TEXT, name, "()");
			return true;
		}
		return add_named_number(sh, id, offset, name);
	default:
		return false;
	}
}

/* ---- base classes ---- */

/* True: neither the class nor its bases have members. */
static bool is_empty(const struct btf *btf, uint32_t type, unsigned depth)
{
	const struct btf_type *t = btf_type(btf, btf_skip(btf, type));

	if (!t || btf_kind_of(t) != BTF_KIND_STRUCT || depth > BTF_MAX_DEPTH)
		return false;
	for (unsigned i = 0; i < btf_vlen_of(t); i++)
		if (member_of(t, i)->name_off || !is_empty(btf, member_of(t, i)->type, depth + 1))
			return false;
	return true;
}

const char *shown_class(struct shaper *sh, uint32_t type)
{
	const char *name = btf_name(sh->btf, btf_skip(sh->btf, type));

	if (!sh->of_program || !*name)
		return "<class>=";
	return is_empty(sh->btf, type, 0) ? NULL : arena_printf(sh->s->arena, "<%s>=", name);
}
