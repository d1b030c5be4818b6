/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shapes of types, in the format of SystemTap: members in the order of declaration,
 * anonymous ones as <union>= and <class>=, arrays by their first element, characters as
 * text, enumerators as numbers, pointers other than strings as addresses.
 */
#include "types/shape.h"

#include <stdio.h>

#include "ast/access.h"
#include "kernel/facts.h"
#include "types/relocation.h"
#include "types/choice.h"
#include "types/member.h"
#include "types/shaper.h"
#include "types/shown.h"
#include "types/tag.h"
#include "types/types.h"

void shape_row(struct shaper *sh, struct stp_shape row)
{
	if (sh->len > sh->room)
		return;
	sh->len += strlen(row.text) + 1;
	vec_push(sh->s->arena, sh->rows, row);
	if (!sh->origin)
		return;
	while (sh->fields->count + 1 < sh->rows->count)
		vec_push(sh->s->arena, sh->fields, NULL);
	vec_push(sh->s->arena, sh->fields,
		 row.kind >= STP_SHAPE_SIGNED && row.kind <= STP_SHAPE_BYTES
			 ? relocation_part(sh->s, sh->origin, sh->path, sh->btf, sh->type)
			 : NULL);
}

void shape_text(struct shaper *sh, enum stp_shape_kind kind, const char *name, const char *text)
{
	shape_row(sh, (struct stp_shape){ .kind = kind,
					  .text = arena_printf(sh->s->arena, "%s%s", name, text) });
}

bool shape_is_char(const struct btf *btf, uint32_t type_id)
{
	uint32_t id = btf_skip(btf, type_id);

	return btf_kind(btf, id) == BTF_KIND_INT && btf_size(btf, id) == 1 &&
	       !(BTF_INT_ENCODING(*(const uint32_t *)btf_tail(btf_type(btf, id))) & BTF_INT_BOOL);
}

/* ---- numbers ---- */

static enum stp_shape_kind number_kind(struct session *s, const struct btf *btf, uint32_t type)
{
	struct type_info info;
	uint32_t id = btf_skip(btf, type);

	if (types_info(s, btf, type, &info))
		return STP_SHAPE_TEXT;
	if (info.kind == KTYPE_POINTER)
		return shape_is_char(btf, btf_type(btf, id)->type) ? STP_SHAPE_STRING
								   : STP_SHAPE_POINTER;
	if (info.kind != KTYPE_INT)
		return STP_SHAPE_TEXT;
	if (shape_is_char(btf, id))
		return STP_SHAPE_CHAR;
	return info.is_signed ? STP_SHAPE_SIGNED : STP_SHAPE_UNSIGNED;
}

static void add_number(struct shaper *sh, uint32_t type, uint64_t offset, const char *name)
{
	enum stp_shape_kind kind = number_kind(sh->s, sh->btf, type);

	if (shown_number(sh, type, offset, name))
		return;
	if (kind == STP_SHAPE_TEXT) /* 16 bytes, floating point, or unknown */
		shape_text(sh, STP_SHAPE_TEXT, name, "?");
	else
		shape_row(sh, (struct stp_shape){ .kind = kind,
						  .text = name,
						  .offset = (uint32_t)offset,
						  .size = (uint8_t)btf_size(sh->btf, type) });
}

static void add_bit_field(struct shaper *sh, uint32_t type, uint64_t bit_offset, unsigned bit_size,
			  const char *name)
{
	enum stp_shape_kind kind = number_kind(sh->s, sh->btf, type);
	struct bit_unit unit;

	if (!btf_bit_unit(bit_offset, bit_size, &unit))
		shape_text(sh, STP_SHAPE_TEXT, name, "?");
	else
		shape_row(sh, (struct stp_shape){ .kind = kind,
						  .text = name,
						  .offset = (uint32_t)unit.offset,
						  .size = (uint8_t)unit.size,
						  .bit_offset = (uint8_t)unit.bit_offset,
						  .bit_size = (uint8_t)bit_size });
}

/* ---- aggregates ---- */

/* Returns NULL for a member that is left out. */
static const char *member_name(struct shaper *sh, const struct btf_member *m)
{
	const char *name = btf_string(sh->btf, m->name_off);

	if (*name)
		return arena_printf(sh->s->arena, ".%s=", name);
	switch (btf_kind(sh->btf, btf_skip(sh->btf, m->type))) {
	case BTF_KIND_UNION:
		return "<union>=";
	case BTF_KIND_STRUCT:
		return shown_class(sh, m->type);
	default:
		return NULL; /* padding */
	}
}

void shape_members(struct shaper *sh, const struct btf_type *t, uint64_t offset, unsigned level)
{
	const struct btf_member *m = btf_tail(t);

	for (unsigned i = 0; i < btf_vlen_of(t) && sh->len <= sh->room; i++) {
		bool bits = BTF_INFO_KFLAG(t->info);
		uint64_t at =
			offset * 8 + (bits ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset);
		unsigned bit_size = bits ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0;
		const char *name = member_name(sh, &m[i]),
			   *own = btf_string(sh->btf, m[i].name_off);
		const char *outer = sh->path;

		sh->type = m[i].type;
		if (sh->origin && *own)
			sh->path = arena_printf(sh->s->arena, "%s.%s", outer, own);
		if (name && bit_size)
			add_bit_field(sh, m[i].type, at, bit_size, name);
		else if (name)
			shape_type(sh, m[i].type, at / 8, name, level);
		sh->path = outer;
	}
}

/* Adds the virtual base classes, which are where the object says. */
static void add_virtual(struct shaper *sh, uint32_t id, uint64_t offset, unsigned level)
{
	const char *text;
	uint32_t at = 0;

	while (!sh->origin && (text = tag_each(sh->btf, id, &at))) {
		unsigned distance;
		const char *name;
		uint32_t base;
		size_t row;

		if (sscanf(text, TAG_VIRTUAL "%u %u", &distance, &base) != 2 || distance % 8 ||
		    distance / 8 > UINT8_MAX)
			continue;
		name = shown_class(sh, base);
		if (!name)
			continue;
		if (sh->lists == STP_SHAPE_LISTS || sh->len > sh->room) {
			shape_text(sh, STP_SHAPE_TEXT, name, "{...}");
			continue;
		}
		row = choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_VIRTUAL,
							  .text = name,
							  .offset = (uint32_t)offset,
							  .bit_offset = (uint8_t)(distance / 8) });
		sh->lists++;
		shape_type(sh, base, 0, name, level);
		sh->lists--;
		choice_jump(sh, (struct stp_shape){ .kind = STP_SHAPE_OUTSIDE, .text = "" });
		choice_land(sh, row);
	}
}

static void add_aggregate(struct shaper *sh, uint32_t id, uint64_t offset, const char *name,
			  unsigned level)
{
	const struct btf_type *t = btf_type(sh->btf, id);

	if (!level) {
		shape_text(sh, STP_SHAPE_TEXT, name, "{...}");
		return;
	}
	shape_text(sh, STP_SHAPE_OPEN, name, "{");
	shape_members(sh, t, offset, level - 1);
	add_virtual(sh, id, offset, level - 1);
	shape_text(sh, STP_SHAPE_CLOSE, "", "}");
}

/* Adds an array; arrays of arrays are one long array. */
static void add_array(struct shaper *sh, uint32_t id, uint64_t offset, const char *name,
		      unsigned level)
{
	const struct btf_array *array = btf_tail(btf_type(sh->btf, id));
	const char *outer = sh->path;

	for (unsigned i = 0; i < BTF_MAX_DEPTH &&
			     btf_kind(sh->btf, btf_skip(sh->btf, array->type)) == BTF_KIND_ARRAY;
	     i++) {
		array = btf_tail(btf_type(sh->btf, btf_skip(sh->btf, array->type)));
		if (sh->origin)
			sh->path = arena_printf(sh->s->arena, "%s[0]", sh->path);
	}
	if (!level || !btf_size(sh->btf, id)) {
		shape_text(sh, STP_SHAPE_TEXT, name, "[...]");
	} else if (shape_is_char(sh->btf, array->type)) {
		shape_row(sh, (struct stp_shape){ .kind = STP_SHAPE_BYTES,
						  .text = name,
						  .offset = (uint32_t)offset,
						  .count = array->nelems });
	} else {
		if (sh->origin)
			sh->path = arena_printf(sh->s->arena, "%s[0]", sh->path);
		shape_text(sh, STP_SHAPE_OPEN, name, "[");
		shape_type(sh, array->type, offset, "", level - 1);
		shape_text(sh, STP_SHAPE_CLOSE, "", ", ...]");
	}
	sh->path = outer;
}

void shape_type(struct shaper *sh, uint32_t type, uint64_t offset, const char *name, unsigned level)
{
	uint32_t id = btf_skip(sh->btf, type);

	sh->type = type;
	if (shown_structure(sh, id, offset, name, level))
		return;
	switch (btf_kind(sh->btf, id)) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		add_aggregate(sh, id, offset, name, level);
		break;
	case BTF_KIND_ARRAY:
		add_array(sh, id, offset, name, level);
		break;
	case BTF_KIND_FWD:
		shape_text(sh, STP_SHAPE_TEXT, name, "{...}");
		break;
	default:
		add_number(sh, type, offset, name);
		break;
	}
}

static void add_end(struct session *s, shape *ret)
{
	vec_push(s->arena, ret, ((struct stp_shape){ .kind = STP_SHAPE_END, .text = "" }));
}

static const char *root_text(const struct btf *btf, uint32_t type_id)
{
	uint32_t id = btf_skip(btf, type_id);

	return btf_kind(btf, id) == BTF_KIND_PTR &&
			       btf_kind(btf, btf_skip(btf, btf_type(btf, id)->type)) ==
				       BTF_KIND_FUNC_PROTO
		       ? "<function>:"
		       : "";
}

static void shape_whole(struct shaper *sh, const struct access *a)
{
	if (a->is_pointed)
		shape_row(sh, (struct stp_shape){ .kind = STP_SHAPE_NULL_POINTER,
						  .text = shown_null(sh, a->type_id) });
	shape_type(sh, a->type_id, 0, root_text(a->btf, a->type_id),
		   a->pretty == PRETTY_DEEP ? BTF_MAX_DEPTH : 1);
}

void shape_of(struct session *s, const struct access *a, size_t room, shape *ret,
	      shape_fields *fields)
{
	struct shaper sh = { .s = s,
			     .btf = a->btf,
			     .of_program = a->user,
			     .room = room,
			     .rows = ret,
			     .fields = fields,
			     .origin = a->reached,
			     .path = "" };

	if (a->pretty == PRETTY_TEXT)
		shown_text(&sh, a->type_id);
	else
		shape_whole(&sh, a);
	add_end(s, ret);
}

void shape_of_number(struct session *s, const struct access *a, shape *ret)
{
	struct shaper sh = { .s = s,
			     .btf = a->btf,
			     .of_program = a->user,
			     .is_cut = true,
			     .room = SIZE_MAX,
			     .rows = ret };

	if (!shown_number(&sh, a->type_id, 0, ""))
		shape_row(&sh, (struct stp_shape){ .kind = number_kind(s, a->btf, a->type_id),
						   .text = root_text(a->btf, a->type_id),
						   .size = 8 });
	add_end(s, ret);
}

bool shape_is_number(struct session *s, const struct access *a)
{
	shape rows = { 0 };

	shape_of_number(s, a, &rows);
	switch (rows.data[0].kind) {
	case STP_SHAPE_SIGNED:
	case STP_SHAPE_UNSIGNED:
	case STP_SHAPE_CHAR:
	case STP_SHAPE_POINTER:
	case STP_SHAPE_NAMED:
		return true;
	default:
		return false;
	}
}

bool shape_is_shown(const shape *rows)
{
	vec_each(rows, i)
		if (rows->data[i].kind >= STP_SHAPE_SHOWN)
			return true;
	return false;
}

bool shape_is_moved(const shape *rows)
{
	vec_each(rows, i) {
		const struct stp_shape *row = &rows->data[i];

		if (row->bit_offset && !row->bit_size && row->kind >= STP_SHAPE_SHOWN)
			return true;
	}
	return false;
}
