/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "formats/btf.h"
#include "types/enums.h"
#include "types/printer.h"
#include "types/shaper.h"
#include "types/tag.h"

#define MAX_ROWS 256 /* deeper payload is not examined: enums may contain enums */

/* ---- places ---- */

static void add_place(struct shaper *sh, enum stp_shape_kind kind, uint64_t offset, uint64_t size,
		      uint32_t count)
{
	shape_row(sh, (struct stp_shape){ .kind = kind,
					  .text = "",
					  .offset = (uint32_t)offset,
					  .size = (uint8_t)size,
					  .count = count });
}

/* Adds the address and the count of the next values. */
static void add_data(struct shaper *sh, const struct printer *p, uint64_t offset)
{
	uint64_t at = offset + p->count.offset;

	add_place(sh, STP_SHAPE_DATA, offset + p->data.offset, p->kind == PRINTER_ARRAY ? 0 : 8, 0);
	if (p->kind == PRINTER_ARRAY)
		add_place(sh, STP_SHAPE_COUNT, 0, 0, p->number);
	else if (p->kind == PRINTER_SPAN)
		add_place(sh, STP_SHAPE_BEHIND, at, 8, (uint32_t)p->size);
	else
		add_place(sh, STP_SHAPE_COUNT, at, btf_size(sh->btf, p->count.type), 0);
	if (p->kind == PRINTER_SHORT)
		add_place(sh, STP_SHAPE_SHORT, offset, 1, 0);
}

/* ---- rows that lead to others ---- */

/*
 * Appends a row that leads to another row, even if the text is full, and returns its
 * number: rows after it are reached only by a value whose text was full before.
 */
static size_t add_jump(struct shaper *sh, struct stp_shape row)
{
	vec_push(sh->s->arena, sh->rows, row);
	return sh->rows->count - 1;
}

/* Lets the row lead to the place after the last one. */
static void close_jump(struct shaper *sh, size_t row)
{
	sh->rows->data[row].count = (uint32_t)(sh->rows->count - row - 1);
}

struct choice {
	size_t start, leave; /* rows: SWITCH; the JUMP after the last value */
	size_t len, least;   /* characters before, and with the shortest value */
};

static struct choice choice_open(struct shaper *sh, const char *name, uint64_t offset,
				 uint64_t size)
{
	return (struct choice){ .start =
					add_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_SWITCH,
									 .text = name,
									 .offset = (uint32_t)offset,
									 .size = (uint8_t)size }),
				.len = sh->len,
				.least = SIZE_MAX };
}

/* Opens the rows of a value; returns the JUMP that leads to the next value. */
static size_t choice_case(struct shaper *sh, uint64_t value)
{
	add_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_CASE,
					 .text = "",
					 .offset = (uint32_t)value,
					 .count = (uint32_t)(value >> 32) });
	return add_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_JUMP, .text = "" });
}

typedef VEC(size_t) jumps;

/* Ends the rows of a value: they continue after all values. */
static void choice_end_case(struct shaper *sh, struct choice *c, size_t next, jumps *ends)
{
	vec_push(sh->s->arena, ends,
		 add_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_JUMP, .text = "" }));
	close_jump(sh, next);
	c->least = sh->len < c->least ? sh->len : c->least;
	sh->len = c->len;
}

/* Ends everything; the rows of all other values come before. */
static void choice_close(struct shaper *sh, struct choice *c, const jumps *ends)
{
	if (c->least < sh->len)
		sh->len = c->least;
	vec_each(ends, i)
		close_jump(sh, ends->data[i]);
	close_jump(sh, c->start);
}

/* ---- types of libraries ---- */

static void add_list(struct shaper *sh, const struct printer *p, uint64_t offset, const char *name,
		     unsigned level)
{
	size_t each;

	if (!level || sh->lists == STP_SHAPE_LISTS || sh->rows->count > MAX_ROWS) {
		shape_text(sh, STP_SHAPE_TEXT, name, "[...]");
		return;
	}
	add_data(sh, p, offset);
	each = add_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_EACH,
						.text = name,
						.offset = (uint32_t)p->size });
	sh->lists++;
	sh->len += strlen(name);
	shape_type(sh, p->element, 0, "", level - 1);
	sh->lists--;
	add_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_NEXT, .text = "" });
	close_jump(sh, each);
}

static void add_optional(struct shaper *sh, const struct printer *p, uint64_t offset,
			 const char *name, unsigned level)
{
	struct choice c = choice_open(sh, name, offset + p->count.offset, 1);
	size_t some = choice_case(sh, 0);
	jumps ends = { 0 };

	shape_text(sh, STP_SHAPE_TEXT, name, "<none>");
	choice_end_case(sh, &c, some, &ends);
	shape_type(sh, p->data.type, offset + p->data.offset, name, level);
	choice_close(sh, &c, &ends);
}

static void add_float(struct shaper *sh, uint64_t offset, uint64_t size, const char *name)
{
	shape_row(sh, (struct stp_shape){ .kind = STP_SHAPE_FLOAT,
					  .text = name,
					  .offset = (uint32_t)offset,
					  .size = (uint8_t)size });
}

static void add_complex(struct shaper *sh, const struct printer *p, uint64_t offset,
			const char *name)
{
	shape_text(sh, STP_SHAPE_OPEN, name, "complex(");
	add_float(sh, offset + p->data.offset, p->size, "");
	add_float(sh, offset + p->count.offset, p->size, "");
	shape_text(sh, STP_SHAPE_CLOSE, "", ")");
}

/* Adds an interface: the type that its value has now, and the address of the value. */
static void add_dynamic(struct shaper *sh, const struct printer *p, uint32_t id, uint64_t offset,
			const char *name)
{
	bool has_table = !strcmp(btf_name(sh->btf, id), "runtime.iface");

	shape_row(sh, (struct stp_shape){ .kind = has_table ? STP_SHAPE_TABLED : STP_SHAPE_DYNAMIC,
					  .text = name,
					  .offset = (uint32_t)offset,
					  .size = 8,
					  .count = p->names });
}

static void add_printed(struct shaper *sh, const struct printer *p, uint32_t id, uint64_t offset,
			const char *name, unsigned level)
{
	switch (p->kind) {
	case PRINTER_LETTERS:
	case PRINTER_SHORT:
		add_data(sh, p, offset);
		shape_text(sh, STP_SHAPE_LETTERS, name, "");
		break;
	case PRINTER_LIST:
	case PRINTER_SPAN:
	case PRINTER_ARRAY:
		add_list(sh, p, offset, name, level);
		break;
	case PRINTER_SIZE:
		add_place(sh, STP_SHAPE_DATA, 0, 0, 0);
		add_place(sh, STP_SHAPE_COUNT, offset + p->count.offset,
			  btf_size(sh->btf, p->count.type), 0);
		shape_text(sh, STP_SHAPE_SIZED, name, "");
		break;
	case PRINTER_OPTIONAL:
		add_optional(sh, p, offset, name, level);
		break;
	case PRINTER_POINTER:
		shape_type(sh, p->data.type, offset + p->data.offset, name, level);
		break;
	case PRINTER_COMPLEX:
		add_complex(sh, p, offset, name);
		break;
	case PRINTER_DYNAMIC:
		add_dynamic(sh, p, id, offset, name);
		break;
	}
}

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
	if (sh->rows->count > MAX_ROWS) {
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
	jumps ends = { 0 };

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
	struct printer printer;

	if (!sh->of_program || btf_kind(sh->btf, id) != BTF_KIND_STRUCT)
		return false;
	if (!printer_find(sh->s, sh->btf, id, &printer))
		return add_enum(sh, id, offset, name, level);
	add_printed(sh, &printer, id, offset, name, level);
	return true;
}

bool shown_is_text(struct session *s, const struct btf *btf, uint32_t type, bool of_program)
{
	struct printer printer;

	return of_program && printer_find(s, btf, type, &printer) &&
	       (printer.kind == PRINTER_LETTERS || printer.kind == PRINTER_SHORT);
}

void shown_text(struct shaper *sh, uint32_t type)
{
	struct printer printer;

	if (!printer_find(sh->s, sh->btf, type, &printer))
		return;
	add_data(sh, &printer, 0);
	shape_text(sh, STP_SHAPE_RAW, "", "");
}

/* ---- numbers ---- */

static void add_named(struct shaper *sh, uint32_t id, uint64_t offset, const char *name)
{
	const struct enumeration *e = enums_enumeration(sh->s, sh->btf, id);
	struct stp_shape row = { .kind = STP_SHAPE_NAMED,
				 .text = name,
				 .offset = (uint32_t)offset,
				 .count = (uint32_t)e->rows.count,
				 .size = sh->is_cut ? 8 : (uint8_t)btf_size(sh->btf, id) };

	if (sh->len > sh->room)
		return;
	shape_row(sh, row);
	vec_each(&e->rows, i)
		add_jump(sh,
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

bool shown_number(struct shaper *sh, uint32_t type, uint64_t offset, const char *name)
{
	uint32_t id = btf_skip(sh->btf, type);
	uint64_t size = btf_size(sh->btf, id);

	if (!sh->of_program)
		return false;
	if (is_scoped(sh->btf, id)) {
		add_named(sh, id, offset, name);
		return true;
	}
	if (btf_kind(sh->btf, id) != BTF_KIND_FLOAT || (size != 4 && size != 8))
		return false;
	add_float(sh, offset, size, name);
	return true;
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
