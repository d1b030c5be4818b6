/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/printed.h"

#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "formats/btf.h"
#include "types/choice.h"
#include "types/printer.h"
#include "types/shown.h"
#include "types/tag.h"

#define MAX_TUPLE   32 /* values, and nested base classes */
#define MAX_VARIANT 64 /* values of a std::variant */

/* ---- places ---- */

/* Adds a row that prints nothing itself. */
static void add_place(struct shaper *sh, enum stp_shape_kind kind, uint64_t offset, uint64_t size,
		      uint32_t count)
{
	const struct stp_shape row = { .kind = kind,
				       .text = "",
				       .offset = (uint32_t)offset,
				       .size = (uint8_t)size,
				       .count = count };

	if (sh->len <= sh->room)
		vec_push(sh->s->arena, sh->rows, row);
}

/* Adds the number of the next values. */
static void add_count(struct shaper *sh, const struct printer *p, uint64_t offset)
{
	uint64_t at = offset + p->count.offset;

	if (!p->row->count)
		add_place(sh, STP_SHAPE_COUNT, 0, 0, p->number);
	else if (p->row->kind == PRINTER_SPAN)
		add_place(sh, STP_SHAPE_BEHIND, at, 8, (uint32_t)p->size);
	else if (p->kind == PRINTER_BITS && p->has_more)
		add_place(sh, STP_SHAPE_BEHIND_BITS, at, 8, 0);
	else
		add_place(sh, STP_SHAPE_COUNT, at, btf_size(sh->btf, p->count.type),
			  p->kind == PRINTER_ENDED);
}

/* Adds the address and the count of the next values. */
static void add_data(struct shaper *sh, const struct printer *p, uint64_t offset)
{
	uint64_t more = offset + p->more.offset;

	if (p->kind != PRINTER_DEQUE) {
		add_place(sh, STP_SHAPE_DATA, offset + p->data.offset,
			  p->kind == PRINTER_ARRAY ? 0 : 8,
			  p->kind == PRINTER_BYTES ? (uint32_t)p->more.offset : 0);
		add_count(sh, p, offset);
	}
	switch (p->kind) {
	case PRINTER_SHORT:
		add_place(sh, STP_SHAPE_SHORT, offset, 1, (uint32_t)p->size);
		break;
	case PRINTER_LINKED:
		add_place(sh, STP_SHAPE_LINKED, p->more.offset, p->number, !p->row->count);
		break;
	case PRINTER_DEQUE:
		add_place(sh, STP_SHAPE_DEQUE, offset + p->data.offset, 8, (uint32_t)p->size);
		break;
	case PRINTER_CHUNKS:
		add_place(sh, STP_SHAPE_CHUNKS, more, 8, p->number);
		break;
	case PRINTER_RING:
		add_place(sh, STP_SHAPE_RING, more, 8, (uint32_t)(p->room.offset - p->more.offset));
		break;
	default:
		break;
	}
}

static void add_letters(struct shaper *sh, const struct printer *p, uint64_t offset,
			const char *name, enum stp_shape_kind kind)
{
	add_data(sh, p, offset);
	shape_row(sh, (struct stp_shape){ .kind = kind, .text = name, .size = (uint8_t)p->size });
}

/* ---- lists ---- */

static void add_list(struct shaper *sh, const struct printer *p, uint64_t offset, const char *name,
		     unsigned level)
{
	size_t each;

	if (!level || sh->lists == STP_SHAPE_LISTS || sh->rows->count > SHOWN_ROWS) {
		shape_text(sh, STP_SHAPE_TEXT, name, "[...]");
		return;
	}
	add_data(sh, p, offset);
	each = choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_EACH,
						   .text = name,
						   .offset = (uint32_t)p->size });
	sh->lists++;
	sh->len += strlen(name);
	shape_type(sh, p->element, 0, "", level - 1);
	sh->lists--;
	choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_NEXT, .text = "" });
	choice_land(sh, each);
}

static void add_optional(struct shaper *sh, const struct printer *p, uint64_t offset,
			 const char *name, unsigned level)
{
	struct choice c = choice_open(sh, name, offset + p->count.offset, 1);
	size_t some = choice_case(sh, 0);
	choice_ends ends = { 0 };

	shape_text(sh, STP_SHAPE_TEXT, name, "<none>");
	choice_end_case(sh, &c, some, &ends);
	shape_type(sh, p->data.type, offset + p->data.offset, name, level);
	choice_close(sh, &c, &ends);
}

static void add_number(struct shaper *sh, enum stp_shape_kind kind, uint64_t offset, uint64_t size,
		       uint64_t count, const char *name)
{
	shape_row(sh, (struct stp_shape){ .kind = kind,
					  .text = name,
					  .offset = (uint32_t)offset,
					  .size = (uint8_t)size,
					  .count = (uint32_t)count });
}

static void add_array(struct shaper *sh, const struct printer *p, uint64_t offset, const char *name,
		      unsigned level)
{
	if (shape_is_char(sh->btf, p->element))
		add_number(sh, STP_SHAPE_BYTES, offset + p->data.offset, 0, p->number, name);
	else
		add_list(sh, p, offset, name, level);
}

static void add_size(struct shaper *sh, const struct printer *p, uint64_t offset, const char *name)
{
	add_place(sh, STP_SHAPE_DATA, 0, 0, 0);
	add_place(sh, STP_SHAPE_COUNT, offset + p->count.offset, btf_size(sh->btf, p->count.type),
		  0);
	add_number(sh, STP_SHAPE_SIZED, offset + p->more.offset, p->has_more ? 8 : 0, 0, name);
}

void printed_referred(struct shaper *sh, const struct printer *p, uint64_t offset, const char *name)
{
	size_t inside;

	if (sh->lists == STP_SHAPE_LISTS || sh->rows->count > SHOWN_ROWS) {
		add_number(sh, STP_SHAPE_POINTER, offset, 8, 0, name);
		return;
	}
	inside = choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_INSIDE,
						     .text = name,
						     .offset = (uint32_t)offset,
						     .size = 9 });
	add_size(sh, p, 0, name);
	choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_OUTSIDE, .text = "" });
	choice_land(sh, inside);
}

/* Adds a pointer, and how many owners its target has. */
static void add_shared(struct shaper *sh, const struct printer *p, uint64_t offset,
		       const char *name, unsigned level)
{
	bool is_libcxx = strstr(p->row->type, "__1") != NULL; /* counts one less */
	size_t inside;

	shape_type(sh, p->data.type, offset + p->data.offset, name, level);
	if (!p->has_more || sh->lists == STP_SHAPE_LISTS || sh->len > sh->room)
		return;
	inside = choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_INSIDE,
						     .text = "",
						     .offset = (uint32_t)(offset + p->count.offset),
						     .size = 8 });
	add_place(sh, STP_SHAPE_COUNT, p->more.offset, btf_size(sh->btf, p->more.type), 0);
	add_place(sh, STP_SHAPE_USED, is_libcxx, 0, 0);
	choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_OUTSIDE, .text = "" });
	choice_land(sh, inside);
}

/* ---- alternatives ---- */

/* Adds one of the values of a std::variant: <index 1>="text". */
static void add_alternative(struct shaper *sh, const struct printer_place *at, uint64_t offset,
			    const char *name, unsigned index, unsigned level)
{
	const char *own = arena_printf(sh->s->arena, "%s<index %u>=", name, index);

	if (sh->rows->count > SHOWN_ROWS)
		shape_text(sh, STP_SHAPE_TEXT, own, "{...}");
	else
		shape_type(sh, printer_value(sh->s, sh->btf, at->type), offset + at->offset, own,
			   level);
}

static void add_variant(struct shaper *sh, const struct printer *p, uint64_t offset,
			const char *name, unsigned level)
{
	uint64_t size = btf_size(sh->btf, p->count.type), none = UINT64_MAX >> (64 - size * 8);
	struct choice c = choice_open(sh, name, offset + p->count.offset, size);
	const char *rest = strchr(p->row->more, ' ') + 1;
	struct printer_place all = p->data, value;
	choice_ends ends = { 0 };
	size_t next;

	for (unsigned i = 0;
	     i < MAX_VARIANT && printer_member(sh->btf, all.type, p->row->more, &value); i++) {
		next = choice_case(sh, i);
		add_alternative(sh, &value, offset + all.offset, name, i, level);
		choice_end_case(sh, &c, next, &ends);
		if (!printer_member(sh->btf, all.type, rest, &value))
			break;
		all = (struct printer_place){ all.offset + value.offset, value.type };
	}
	next = choice_case(sh, none);
	shape_text(sh, STP_SHAPE_TEXT, name, "<none>");
	choice_end_case(sh, &c, next, &ends);
	shape_text(sh, STP_SHAPE_TEXT, name, "?");
	choice_close(sh, &c, &ends);
}

/* ---- tuples ---- */

struct tuple {
	const struct printer *p;
	struct tuple_value {
		bool is_there;
		uint64_t offset;
		uint32_t class;
	} values[MAX_TUPLE];
	unsigned count;
	bool is_odd; /* there are more values, or classes with other names */
};

/* Notes the values in the base classes of a class, by the number in the class's name. */
static void find_values(struct shaper *sh, struct tuple *t, uint32_t type, uint64_t offset,
			unsigned depth)
{
	uint32_t id = btf_skip(sh->btf, type);
	const char *name = btf_name(sh->btf, id), *leaf = t->p->row->data;
	const struct btf_type *structure = btf_type(sh->btf, id);
	size_t len = strlen(leaf);

	if (btf_kind(sh->btf, id) != BTF_KIND_STRUCT || depth > MAX_TUPLE) {
		t->is_odd |= depth > MAX_TUPLE;
		return;
	}
	if (!strncmp(name, leaf, len) && name[len] == '<') {
		unsigned long number = strtoul(name + len + 1, NULL, 10);

		if (number >= MAX_TUPLE || t->values[number].is_there) {
			t->is_odd = true;
			return;
		}
		t->values[number] = (struct tuple_value){ true, offset, id };
		t->count += t->count <= number ? (unsigned)number + 1 - t->count : 0;
		return;
	}
	for (unsigned i = 0; i < btf_vlen_of(structure); i++) {
		const struct btf_member *m = (const struct btf_member *)btf_tail(structure) + i;

		/* libc++ has the classes of all values in a member. */
		if (!m->name_off || !depth)
			find_values(sh, t, m->type, offset + BTF_MEMBER_BIT_OFFSET(m->offset) / 8,
				    depth + 1);
	}
}

/* Adds (5, "five"). */
static bool add_tuple(struct shaper *sh, const struct printer *p, uint32_t id, uint64_t offset,
		      const char *name, unsigned level)
{
	struct tuple t = { .p = p };

	find_values(sh, &t, id, offset, 0);
	t.is_odd |= !t.count && !strstr(btf_name(sh->btf, id), "<>");
	for (unsigned i = 0; i < t.count; i++)
		t.is_odd |= !t.values[i].is_there;
	if (t.is_odd)
		return false;
	shape_text(sh, STP_SHAPE_OPEN, name, "(");
	for (unsigned i = 0; i < t.count; i++) {
		struct printer_place value = { .type = t.values[i].class };

		printer_member(sh->btf, value.type, p->row->count, &value);
		shape_type(sh, value.type, t.values[i].offset + value.offset, "", level);
	}
	shape_text(sh, STP_SHAPE_CLOSE, "", ")");
	return true;
}

/* ---- numbers ---- */

static void add_complex(struct shaper *sh, const struct printer *p, uint64_t offset,
			const char *name)
{
	shape_text(sh, STP_SHAPE_OPEN, name, "complex(");
	add_number(sh, STP_SHAPE_FLOAT, offset + p->data.offset, p->size, 0, "");
	add_number(sh, STP_SHAPE_FLOAT, offset + p->count.offset, p->size, 0, "");
	shape_text(sh, STP_SHAPE_CLOSE, "", ")");
}

static void add_time(struct shaper *sh, const struct printer *p, uint64_t offset, const char *name,
		     unsigned level)
{
	shape_type(sh, p->data.type, offset + p->data.offset, name, level);
	shape_row(sh, (struct stp_shape){ .kind = STP_SHAPE_SUFFIX, .text = p->suffix });
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
					  .bit_offset = p->is_moved,
					  .count = p->names });
}

/* Adds <int>, or zoo::Dog(0x55d0c8) with the address of the value. */
static void add_code(struct shaper *sh, const struct printer *p, uint32_t id, uint64_t offset,
		     const char *name)
{
	struct stp_shape row = { .kind = STP_SHAPE_NAMED,
				 .text = name,
				 .offset = (uint32_t)(offset + p->count.offset),
				 .size = 8 };
	struct stp_shape none = { .kind = STP_SHAPE_NAME, .text = "<none>" };
	const char *form = p->row->data ? "%s" : "<%s>", *text;
	size_t first = sh->rows->count;
	char *end;

	if (sh->len > sh->room)
		return;
	shape_row(sh, row);
	choice_jump(sh, none);
	for (unsigned i = 0; (text = tag_each(sh->btf, id, &i)) != NULL;) {
		unsigned long long value;

		if (strncmp(text, TAG_CODE, strlen(TAG_CODE)))
			continue;
		value = strtoull(text + strlen(TAG_CODE), &end, 10);
		sh->rows->data[first].bit_offset |= *end == '+';
		choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_NAME,
						    .text = arena_printf(sh->s->arena, form,
									 end + 1 + (*end == '+')),
						    .offset = (uint32_t)value,
						    .count = (uint32_t)(value >> 32) });
	}
	sh->rows->data[first].count = (uint32_t)(sh->rows->count - first - 1);
	if (p->row->data)
		add_place(sh, STP_SHAPE_TARGET, offset + p->data.offset, 8, 0);
}

/* ---- all of them ---- */

bool printed_add(struct shaper *sh, const struct printer *p, uint32_t id, uint64_t offset,
		 const char *name, unsigned level)
{
	uint64_t at = offset + p->data.offset;

	switch (p->kind) {
	case PRINTER_LETTERS:
	case PRINTER_SHORT:
	case PRINTER_BYTES:
	case PRINTER_ENDED:
		add_letters(sh, p, offset, name, STP_SHAPE_LETTERS);
		break;
	case PRINTER_LIST:
	case PRINTER_SPAN:
	case PRINTER_LINKED:
	case PRINTER_DEQUE:
	case PRINTER_CHUNKS:
	case PRINTER_RING:
		add_list(sh, p, offset, name, level);
		break;
	case PRINTER_ARRAY:
		add_array(sh, p, offset, name, level);
		break;
	case PRINTER_BITS:
		add_data(sh, p, offset);
		shape_text(sh, STP_SHAPE_BITS, name, "");
		break;
	case PRINTER_HEX:
		add_number(sh, STP_SHAPE_HEX, at, 0, p->size, name);
		break;
	case PRINTER_SIZE:
		add_size(sh, p, offset, name);
		break;
	case PRINTER_OPTIONAL:
		add_optional(sh, p, offset, name, level);
		break;
	case PRINTER_INNER:
	case PRINTER_POINTER:
		shape_type(sh, p->data.type, at, name, level);
		break;
	case PRINTER_SHARED:
		add_shared(sh, p, offset, name, level);
		break;
	case PRINTER_VARIANT:
		add_variant(sh, p, offset, name, level);
		break;
	case PRINTER_TUPLE:
		return add_tuple(sh, p, id, offset, name, level);
	case PRINTER_COMPLEX:
		add_complex(sh, p, offset, name);
		break;
	case PRINTER_TIME:
		add_time(sh, p, offset, name, level);
		break;
	case PRINTER_SECONDS:
		add_number(sh, STP_SHAPE_SECONDS, at, 8, p->count.offset - p->data.offset, name);
		break;
	case PRINTER_DATE:
		add_number(sh, STP_SHAPE_DATE, at, 8, p->count.offset - p->data.offset, name);
		break;
	case PRINTER_GO_TIME:
		add_number(sh, STP_SHAPE_GO_TIME, at, 16, 0, name);
		break;
	case PRINTER_CODE:
		add_code(sh, p, id, offset, name);
		break;
	case PRINTER_DYNAMIC:
		add_dynamic(sh, p, id, offset, name);
		break;
	}
	return true;
}

void printed_text(struct shaper *sh, const struct printer *p, uint64_t offset)
{
	add_letters(sh, p, offset, "", STP_SHAPE_RAW);
}
