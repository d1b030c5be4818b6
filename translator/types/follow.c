/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/follow.h"
#include "types/relocation.h"
#include "types/member.h"
#include "types/tag.h"
#include "types/types.h"

#include <stdio.h>
#include <string.h>

uint32_t follow_type(const struct follow *f)
{
	return btf_skip(f->btf, f->type);
}

bool follow_is(const struct follow *f, uint32_t kinds)
{
	return kinds >> btf_kind(f->btf, follow_type(f)) & 1;
}

const char *follow_type_text(const struct follow *f)
{
	return types_str(f->s, f->btf, f->type);
}

void follow_push(struct follow *f, struct access_step step)
{
	vec_push(f->s->arena, &f->a->steps, step);
}

void follow_add(struct follow *f, int64_t offset)
{
	size_t n = f->a->steps.count;
	struct access_step *last = n ? &f->a->steps.data[n - 1] : NULL;

	if (f->field == f->added && !offset)
		return;
	if (last && last->kind == ACCESS_ADD && last->field == f->added) {
		last->offset += offset;
		last->field = f->field;
	} else {
		follow_push(f, (struct access_step){ .kind = ACCESS_ADD,
						     .offset = offset,
						     .field = f->field,
						     .since = f->added });
	}
	f->added = f->field;
}

void follow_load(struct follow *f, unsigned size, bool is_signed)
{
	follow_push(f, (struct access_step){ .kind = ACCESS_LOAD,
					     .size = size,
					     .is_signed = is_signed,
					     .field = relocation_here(f) });
}

void follow_bits(struct follow *f, unsigned offset, unsigned size, bool is_signed)
{
	follow_push(f, (struct access_step){ .kind = ACCESS_BITS,
					     .bit_offset = offset,
					     .bit_size = size,
					     .is_signed = is_signed });
}

void follow_take_bits(struct follow *f, unsigned size, bool is_signed)
{
	unsigned in_register = f->bit_offset % 64;

	f->a->number += f->bit_offset / 64;
	if (in_register || size < 64)
		follow_bits(f, in_register, size, is_signed);
	f->bit_offset = 0;
}

void follow_pointer(struct follow *f)
{
	if (f->place == PATH_ADDRESS)
		follow_load(f, btf_pointer_size(f->btf), false);
	else if (f->place == PATH_REGISTERS)
		follow_take_bits(f, btf_pointer_size(f->btf) * 8, false);
	f->type = btf_type(f->btf, follow_type(f))->type;
	f->place = PATH_ADDRESS;
	relocation_origin(f);
}

/* ---- members ---- */

/* The places of a name, in this order: a class's member hides those of its bases. */
enum lookup { LOOKUP_NAMED, LOOKUP_ANONYMOUS, LOOKUP_BASES, LOOKUPS };

/* A base class is a member without a name whose type has one. */
static enum lookup lookup_of(const struct btf *b, const struct btf_member *m)
{
	if (*btf_string(b, m->name_off))
		return LOOKUP_NAMED;
	return *btf_name(b, btf_skip(b, m->type)) ? LOOKUP_BASES : LOOKUP_ANONYMOUS;
}

static bool find_member(const struct btf *b, uint32_t id, const char *name, unsigned depth,
			struct follow_found *ret);

static bool find_among(const struct btf *b, const struct btf_type *t, const char *name,
		       enum lookup wanted, unsigned depth, struct follow_found *ret)
{
	const struct btf_member *m = btf_tail(t);
	bool bits = BTF_INFO_KFLAG(t->info);

	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		bool found = lookup_of(b, &m[i]) == wanted;

		if (wanted == LOOKUP_NAMED) {
			found = found && !strcmp(btf_string(b, m[i].name_off), name);
			*ret = (struct follow_found){ m[i].type, 0,
						      bits ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset)
							   : 0 };
		} else {
			found = found && find_member(b, m[i].type, name, depth + 1, ret);
		}
		if (!found)
			continue;
		ret->bit_offset += bits ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		return true;
	}
	return false;
}

/* Finds a member, in anonymous structures and unions and in base classes as well. */
static bool find_member(const struct btf *b, uint32_t id, const char *name, unsigned depth,
			struct follow_found *ret)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));

	if (depth > BTF_MAX_DEPTH || !t || !(AGGREGATES >> btf_kind_of(t) & 1))
		return false;
	for (enum lookup i = 0; i < LOOKUPS; i++)
		if (find_among(b, t, name, i, depth, ret))
			return true;
	return false;
}

static void member_names(struct session *s, const struct btf *b, uint32_t id, unsigned depth,
			 follow_names *ret)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));

	if (depth > BTF_MAX_DEPTH || !t || !(AGGREGATES >> btf_kind_of(t) & 1))
		return;

	const struct btf_member *m = btf_tail(t);

	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		if (*btf_string(b, m[i].name_off))
			vec_push(s->arena, ret, btf_string(b, m[i].name_off));
		else
			member_names(s, b, m[i].type, depth + 1, ret);
	}
}

bool follow_find(const struct follow *f, const char *name, struct follow_found *ret)
{
	return find_member(f->btf, f->type, name, 0, ret);
}

void follow_members(const struct follow *f, follow_names *ret)
{
	member_names(f->s, f->btf, f->type, 0, ret);
}

static struct error *no_definition(struct follow *f)
{
	const char *type = follow_type_text(f);

	if (btf_has_siblings(f->btf))
		return error_create(f->s->arena, ERROR_ABSENT,
				    "'%s' is only declared: no unit of the debuginfo defines it; "
				    "clang -g does with -fstandalone-debug",
				    type);
	return error_create(f->s->arena, ERROR_ABSENT,
			    "'%s' is declared but not defined in this BTF", type);
}

/* Returns a virtual base class of the type or of its base classes; 0: it has none. */
static uint32_t virtual_base(const struct btf *btf, uint32_t type, unsigned depth)
{
	const struct btf_type *t = btf_type(btf, btf_skip(btf, type));
	const struct btf_member *m = t ? btf_tail(t) : NULL;
	uint32_t at = 0, ret = 0;
	const char *text;

	if (!t || btf_kind_of(t) != BTF_KIND_STRUCT || depth > BTF_MAX_DEPTH)
		return 0;
	while ((text = tag_each(btf, btf_skip(btf, type), &at)))
		if (sscanf(text, TAG_VIRTUAL "%*u %u", &ret) == 1)
			return ret;
	for (unsigned i = 0; i < btf_vlen_of(t) && !ret; i++)
		if (!m[i].name_off)
			ret = virtual_base(btf, m[i].type, depth + 1);
	return ret;
}

struct error *follow_no_member(struct follow *f, const char *name)
{
	follow_names list = { 0 };
	uint32_t base;

	if (btf_kind(f->btf, follow_type(f)) == BTF_KIND_FWD)
		return no_definition(f);
	base = virtual_base(f->btf, follow_type(f), 0);
	if (base)
		return error_create(f->s->arena, ERROR_ABSENT,
				    "'%s' has no member '%s' at a fixed place; those of its "
				    "virtual base class '%s' are only shown with the object",
				    follow_type_text(f), name,
				    btf_name(f->btf, btf_skip(f->btf, base)));
	follow_members(f, &list);

	const char *near = list.count ? diag_near(f->s, name, list.data, list.count) : NULL;

	return error_create(f->s->arena, ERROR_ABSENT, "'%s' has no member '%s'%s%s",
			    follow_type_text(f), name, near ? "; did you mean " : "",
			    near ? near : "");
}

void follow_definition(struct follow *f)
{
	uint32_t id = btf_find_definition(&f->btf, follow_type(f));

	if (id)
		f->type = id;
}

void follow_structure(struct follow *f)
{
	f->is_part = false;
	if (follow_is(f, KIND(PTR)))
		follow_pointer(f);
	follow_definition(f);
}

struct error *follow_plain(struct follow *f, const char *name)
{
	struct follow_found m;

	follow_structure(f);
	if (!follow_is(f, AGGREGATES | KIND(FWD)))
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "'%s' is not a structure, so it has no member '%s'",
				    follow_type_text(f), name);
	if (!follow_find(f, name, &m)) {
		relocation_absent(f, name);
		return follow_no_member(f, name);
	}
	f->type = m.type;
	f->bit_size = m.bit_size;
	relocation_member(f, name);
	if (f->place == PATH_REGISTERS) {
		f->bit_offset += m.bit_offset;
	} else if (m.bit_size) {
		f->bit_offset = m.bit_offset;
	} else {
		follow_add(f, m.bit_offset / 8);
		f->bit_offset = 0;
	}
	return NULL;
}

/* ---- from the member back to the structure ---- */

struct follow_mark follow_mark_here(const struct follow *f)
{
	struct follow_mark m = { .f = *f, .steps = f->a->steps.count };

	if (m.steps)
		m.last = f->a->steps.data[m.steps - 1];
	return m;
}

void follow_go_back(struct follow *f, const struct follow_mark *m)
{
	*f = m->f;
	f->a->steps.count = m->steps;
	if (m->steps)
		f->a->steps.data[m->steps - 1] = m->last;
}
