/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ->member[index] paths become access steps. The state says what the 64-bit value at hand
 * is: a value of the current type, its address, or (for small structures passed by value)
 * the registers that hold it. '->' and '.' are one, as everywhere in the language: a
 * pointer is followed where the path needs its target.
 */
#include "types/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "kernel/facts.h"
#include "types/shape.h"
#include "drift/drift.h"

#define KIND(k)	   (1u << BTF_KIND_##k)
#define AGGREGATES (KIND(STRUCT) | KIND(UNION))

struct follow {
	struct session *s;
	struct access *a;
	struct btf *btf;
	uint32_t type; /* as declared, with its typedefs */
	enum path_place place;
	unsigned registers;
	/* from the start of the registers, or of a bit field from its address */
	uint64_t bit_offset;
	unsigned bit_size;   /* 0: no bit field */
	/*
	 * The value is a structure that a row leads to, where there was a pointer to it:
	 * used by itself it means its address.
	 */
	bool is_part;
};

static uint32_t resolved(const struct follow *f)
{
	return btf_skip(f->btf, f->type);
}

static bool is_kind(const struct follow *f, uint32_t kinds)
{
	return kinds >> btf_kind(f->btf, resolved(f)) & 1;
}

static const char *type_str(const struct follow *f)
{
	return types_str(f->s, f->btf, f->type);
}

static void push(struct follow *f, struct access_step step)
{
	vec_push(f->s->arena, &f->a->steps, step);
}

/* Joins neighbouring offsets. */
static void push_add(struct follow *f, int64_t offset)
{
	size_t n = f->a->steps.count;

	if (!offset)
		return;
	if (n && f->a->steps.data[n - 1].kind == ACCESS_ADD)
		f->a->steps.data[n - 1].offset += offset;
	else
		push(f, (struct access_step){ .kind = ACCESS_ADD, .offset = offset });
}

static struct error *refuse(const struct follow *f, enum error_kind kind, const char *text)
{
	return error_create(f->s->arena, kind, "%s", text);
}

static void push_bits(struct follow *f, unsigned offset, unsigned size, bool is_signed)
{
	push(f, (struct access_step){ .kind = ACCESS_BITS,
				      .bit_offset = offset,
				      .bit_size = size,
				      .is_signed = is_signed });
}

/*
 * Takes bits of a value in registers: loads the word that they are in, then cuts them
 * out.
 */
static void take_bits(struct follow *f, unsigned size, bool is_signed)
{
	unsigned in_register = f->bit_offset % 64;

	f->a->number += f->bit_offset / 64;
	if (in_register || size < 64)
		push_bits(f, in_register, size, is_signed);
	f->bit_offset = 0;
}

/*
 * Turns the pointer at hand, or the one in memory at the address at hand, into the
 * address of its target.
 */
static void dereference(struct follow *f)
{
	if (f->place == PATH_ADDRESS)
		push(f,
		     (struct access_step){ .kind = ACCESS_LOAD, .size = btf_pointer_size(f->btf) });
	else if (f->place == PATH_REGISTERS)
		take_bits(f, btf_pointer_size(f->btf) * 8, false);
	f->type = btf_type(f->btf, resolved(f))->type;
	f->place = PATH_ADDRESS;
}

/*
 * True for a pointer whose target can be printed in its place; characters are printed as
 * a string.
 */
static bool is_shown_through(const struct follow *f)
{
	const uint32_t opaque = KIND(UNKN) | KIND(FUNC_PROTO);
	uint32_t target;

	if (!is_kind(f, KIND(PTR)))
		return false;
	target = btf_type(f->btf, resolved(f))->type;
	return !(opaque >> btf_kind(f->btf, btf_skip(f->btf, target)) & 1) &&
	       !shape_is_char(f->btf, target);
}

/* ---- members ---- */

struct found {
	uint32_t type;
	uint64_t bit_offset;
	unsigned bit_size;
};

/* Finds a member, in anonymous structures and unions inside as well. */
static bool find_member(const struct btf *b, uint32_t id, const char *name, unsigned depth,
			struct found *ret)
{
	const struct btf_type *t = btf_type(b, btf_skip(b, id));

	if (depth > BTF_MAX_DEPTH || !t || !(AGGREGATES >> btf_kind_of(t) & 1))
		return false;

	const struct btf_member *m = btf_tail(t);

	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		const char *n = btf_string(b, m[i].name_off);
		bool bits = BTF_INFO_KFLAG(t->info);
		uint64_t offset = bits ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;

		if (*n ? !strcmp(n, name) : find_member(b, m[i].type, name, depth + 1, ret)) {
			if (*n)
				*ret = (struct found){ m[i].type, 0,
						       bits ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset)
							    : 0 };
			ret->bit_offset += offset;
			return true;
		}
	}
	return false;
}

typedef VEC(const char *) names;

static void member_names(struct session *s, const struct btf *b, uint32_t id, unsigned depth,
			 names *ret)
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

static struct error *no_member(struct follow *f, const char *name)
{
	names list = { 0 };

	if (btf_kind(f->btf, resolved(f)) == BTF_KIND_FWD)
		return error_create(f->s->arena, ERROR_ABSENT,
				    "'%s' is declared but not defined in this BTF", type_str(f));
	member_names(f->s, f->btf, f->type, 0, &list);

	const char *near = list.count ? diag_near(f->s, name, list.data, list.count) : NULL;

	return error_create(f->s->arena, ERROR_ABSENT, "'%s' has no member '%s'%s%s", type_str(f),
			    name, near ? "; did you mean " : "", near ? near : "");
}

/* Finds the kernel's definition of a structure that a module's table only declares. */
static void find_definition(struct follow *f)
{
	uint32_t id = resolved(f);

	if (btf_kind(f->btf, id) == BTF_KIND_FWD && *btf_name(f->btf, id)) {
		id = btf_find_type(f->btf, btf_name(f->btf, id), AGGREGATES);
		if (id)
			f->type = id;
	}
}

/*
 * Rows about structures around or in front of the one at hand, or in a buffer that it
 * points into; drift.h has their form.
 */
static struct error *enclosing(struct follow *f, const char *name);
static struct error *into_buffer(struct follow *f, const char *name);
static struct error *follow_area(struct follow *f, const char *name);

static struct error *plain_member(struct follow *f, const char *name)
{
	struct found m;

	f->is_part = false;
	if (is_kind(f, KIND(PTR)))
		dereference(f);
	find_definition(f);
	if (*name == '^')
		return enclosing(f, name + 1);
	if (strchr(name, '+'))
		return into_buffer(f, name);
	if (strchr(name, '('))
		return follow_area(f, name);
	if (!is_kind(f, AGGREGATES | KIND(FWD)))
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "'%s' is no structure: it has no member '%s'", type_str(f),
				    name);
	if (!find_member(f->btf, f->type, name, 0, &m))
		return no_member(f, name);
	f->type = m.type;
	f->bit_size = m.bit_size;
	if (f->place == PATH_REGISTERS) {
		f->bit_offset += m.bit_offset;
	} else if (m.bit_size) {
		f->bit_offset = m.bit_offset;
	} else {
		push_add(f, m.bit_offset / 8);
		f->bit_offset = 0;
	}
	return NULL;
}

/* ---- old names ---- */

static struct error *become(struct follow *f, const char *type)
{
	uint32_t id = btf_find_type(f->btf, type, AGGREGATES);

	if (!id || f->place == PATH_REGISTERS)
		return error_create(f->s->arena, ERROR_ABSENT, "there is no '%s' here", type);
	f->type = id;
	f->place = PATH_ADDRESS;
	f->bit_size = 0;
	f->is_part = true;
	return NULL;
}

/*
 * "sock:sk_timer": the value at hand is this member of the structure. "request": it lies
 * right behind one.
 */
static struct error *enclosing(struct follow *f, const char *name)
{
	const char *type = arena_strndup(f->s->arena, name, strcspn(name, ":"));
	struct found m = { 0 };
	struct error *err = become(f, type);

	if (err)
		return err;
	if (!name[strlen(type)])
		push_add(f, -(int64_t)btf_size(f->btf, f->type));
	else if (find_member(f->btf, f->type, name + strlen(type) + 1, 0, &m))
		push_add(f, -(int64_t)(m.bit_offset / 8));
	else
		return no_member(f, name + strlen(type) + 1);
	return NULL;
}

/*
 * "head+network_header:iphdr": a structure in a buffer, at the offset that a member
 * holds.
 */
static struct error *into_buffer(struct follow *f, const char *name)
{
	struct arena *a = f->s->arena;
	size_t first = strcspn(name, "+"), last = strcspn(name, ":");
	struct found buffer = { 0 }, offset = { 0 };

	if (f->place != PATH_ADDRESS ||
	    !find_member(f->btf, f->type, arena_strndup(a, name, first), 0, &buffer) ||
	    !find_member(f->btf, f->type, arena_strndup(a, name + first + 1, last - first - 1), 0,
			 &offset))
		return no_member(f, name);
	push_add(f, buffer.bit_offset / 8);
	push(f,
	     (struct access_step){ .kind = ACCESS_INTO,
				   .offset = (int64_t)(offset.bit_offset - buffer.bit_offset) / 8,
				   .size = btf_size(f->btf, offset.type) });
	f->type = buffer.type;
	f->place = PATH_VALUE;
	return name[last] ? become(f, name + last + 1) : NULL;
}

/*
 * Areas of an address space were a list, and are a tree now: "first_area()" of an
 * mm_struct, "next_area()" of a vm_area_struct.
 */
static struct error *follow_area(struct follow *f, const char *name)
{
	struct error *err = become(f, "vm_area_struct");

	if (!err)
		push(f, (struct access_step){ .kind = *name == 'f' ? ACCESS_FIRST_AREA
								   : ACCESS_NEXT_AREA });
	return err;
}

/* The state that a path is taken back to when it leads nowhere. */
struct mark {
	struct follow f;
	size_t steps;
	struct access_step last;
};

static struct mark mark_here(const struct follow *f)
{
	struct mark m = { .f = *f, .steps = f->a->steps.count };

	if (m.steps)
		m.last = f->a->steps.data[m.steps - 1];
	return m;
}

static void go_back(struct follow *f, const struct mark *m)
{
	*f = m->f;
	f->a->steps.count = m->steps;
	if (m->steps)
		f->a->steps.data[m->steps - 1] = m->last;
}

/* Returns the type's name in the tables: its tag, or the name of its typedef. */
static const char *drifting_name(const struct follow *f)
{
	uint32_t id = resolved(f);

	if (is_kind(f, KIND(PTR)))
		id = btf_skip(f->btf, btf_type(f->btf, id)->type);
	if ((AGGREGATES | KIND(FWD)) >> btf_kind(f->btf, id) & 1 && *btf_name(f->btf, id))
		return btf_name(f->btf, id);
	id = is_kind(f, KIND(PTR)) ? btf_type(f->btf, resolved(f))->type : f->type;
	while ((KIND(CONST) | KIND(VOLATILE)) >> btf_kind(f->btf, id) & 1)
		id = btf_type(f->btf, id)->type;
	return btf_kind(f->btf, id) == BTF_KIND_TYPEDEF ? btf_name(f->btf, id) : "";
}

struct access_step member_division(const char *by)
{
	return (struct access_step){ .kind = ACCESS_DIVIDE,
				     .offset = strtoll(by + 1, NULL, 10),
				     .is_rest = *by == '%' };
}

/*
 * Converts a value that has other units now: "__data_len/512", "start_time%1000000000".
 */
static void divide(struct follow *f, const char *by)
{
	struct type_info info;

	if (f->place != PATH_ADDRESS || f->bit_size || types_info(f->s, f->btf, f->type, &info))
		return;
	push(f, (struct access_step){
			.kind = ACCESS_LOAD, .size = info.size, .is_signed = info.is_signed });
	push(f, member_division(by));
	f->place = PATH_VALUE;
}

/* True for a pointer to a number: ktime_t *now. */
static bool points_to_number(const struct follow *f)
{
	return is_kind(f, KIND(PTR)) &&
	       !((AGGREGATES | KIND(FWD)) >>
			 btf_kind(f->btf, btf_skip(f->btf, btf_type(f->btf, resolved(f))->type)) &
		 1);
}

/* Follows "f_path.dentry", one member after the other; "": stays at the value at hand. */
static bool follow_names(struct follow *f, const char *dotted)
{
	const char *by = strpbrk(dotted, "/%");
	char *rest, *one = strtok_r(arena_strndup(f->s->arena, dotted, strcspn(dotted, "/%")), ".",
				    &rest);

	if (!*dotted && points_to_number(f))
		dereference(f);
	for (; one; one = strtok_r(NULL, ".", &rest))
		if (plain_member(f, one))
			return false;
	if (by)
		divide(f, by);
	return true;
}

/*
 * Follows the first of the row's paths that exists. If there is none, the error at hand
 * gets the name's story.
 */
static struct error *follow_row(struct follow *f, const struct drift *row, const char *type,
				struct error *err)
{
	const struct mark here = mark_here(f);
	struct arena *a = f->s->arena;
	const char *list = row->now, *path;

	while ((path = drift_next(a, &list)) != NULL) {
		if (follow_names(f, path)) {
			f->a->taken =
				!*path ? arena_printf(a,
						      "'%s' has no member '%s' %s; it is the value "
						      "itself",
						      type, row->old, drift_story(a, row))
				: *row->old
					? arena_printf(a,
						       "'%s' has no member '%s' %s; '%s' is taken",
						       type, row->old, drift_story(a, row), path)
					: arena_printf(a,
						       "'%s' is a structure %s; its member '%s' is "
						       "taken",
						       type, drift_story(a, row), path);
			return NULL;
		}
		go_back(f, &here);
	}
	return error_create(a, err->kind, "'%s' has no member '%s' %s", type, row->old,
			    drift_story(a, row));
}

static struct error *follow_member(struct follow *f, const char *name)
{
	const struct mark here = mark_here(f);
	const char *type = drifting_name(f);
	struct error *err = plain_member(f, name);
	const struct drift *row = err ? drift_member(type, name) : NULL;

	if (!row)
		return err;
	go_back(f, &here);
	return follow_row(f, row, type, err);
}

/* Returns two steps as the tables write them; NULL: they never do. */
static const char *pair_name(struct arena *a, const struct path_step pair[2])
{
	const struct node *index = pair[1].kind == STEP_INDEX ? pair[1].index : NULL;

	if (pair[0].kind != STEP_MEMBER)
		return NULL;
	if (pair[1].kind == STEP_MEMBER)
		return arena_printf(a, "%s.%s", pair[0].member, pair[1].member);
	return index && index->kind == NODE_NUMBER
		       ? arena_printf(a, "%s[%lld]", pair[0].member, (long long)index->number)
		       : NULL;
}

/*
 * Follows "se.statistics": a member that moved out of a member that stayed; "cap[1]": an
 * element that is now a part of a number.
 */
static struct error *follow_pair(struct follow *f, const struct mark *before,
				 const struct path_step pair[2], struct error *err)
{
	const char *name = pair_name(f->s->arena, pair), *type = drifting_name(&before->f);
	const struct drift *row = name ? drift_member(type, name) : NULL;

	if (!row)
		return err;
	go_back(f, before);
	return follow_row(f, row, type, err);
}

/* ---- elements ---- */

/* Follows an element of an array that is in registers, not in memory. */
static struct error *follow_index_in_registers(struct follow *f, const struct node *index)
{
	uint64_t size;

	if (index->kind != NODE_NUMBER)
		return refuse(f, ERROR_SCRIPT,
			      "an array held in registers has no memory: its elements are named by "
			      "plain numbers, [0], or printed whole, with '$'");
	f->type = ((const struct btf_array *)btf_tail(btf_type(f->btf, resolved(f))))->type;
	size = btf_size(f->btf, f->type);
	if (index->number < 0 || !size ||
	    (uint64_t)index->number >= (f->registers * 64ull - f->bit_offset) / (size * 8))
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "the array ends before element %" PRId64
				    ", and so do the registers that hold it",
				    index->number);
	f->bit_offset += (uint64_t)index->number * size * 8;
	return NULL;
}

static struct error *follow_index(struct follow *f, struct node *index, bool whole)
{
	uint32_t id = resolved(f);

	f->is_part = false;
	if (f->place == PATH_REGISTERS && is_kind(f, KIND(ARRAY)) && !whole)
		return follow_index_in_registers(f, index);
	if (is_kind(f, KIND(PTR)) && !whole)
		dereference(f);
	else if (is_kind(f, KIND(ARRAY)) && !whole)
		f->type = ((const struct btf_array *)btf_tail(btf_type(f->btf, id)))->type;
	else if (!whole)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "'%s' is neither array nor pointer: it has no elements",
				    type_str(f));

	uint64_t size = btf_size(f->btf, f->type);

	if (btf_kind(f->btf, resolved(f)) == BTF_KIND_UNKN)
		size = 1; /* void *, with gcc's size */
	if (!size || size > UINT32_MAX)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "the size of '%s' is not known: it cannot be an element",
				    type_str(f));
	if (index->kind == NODE_NUMBER)
		push_add(f, (int64_t)((uint64_t)index->number * size));
	else
		push(f, (struct access_step){ .kind = ACCESS_INDEX, .index = index, .size = size });
	return NULL;
}

/* ---- the end ---- */

static struct error *load_bit_field(struct follow *f, const struct type_info *info)
{
	struct bit_unit unit;

	if (!btf_bit_unit(f->bit_offset, f->bit_size, &unit))
		return refuse(f, ERROR_SCRIPT, "the bit field spans more than 8 bytes");
	push_add(f, unit.offset);
	push(f, (struct access_step){ .kind = ACCESS_LOAD, .size = unit.size });
	push_bits(f, unit.bit_offset, f->bit_size, info->is_signed);
	return NULL;
}

static struct error *finish_in_registers(struct follow *f, const struct type_info *info)
{
	unsigned size = f->bit_size ? f->bit_size : info->size * 8;

	if (!size || size > 64 || f->bit_offset % 64 + size > 64)
		return error_create(
			f->s->arena, ERROR_SCRIPT,
			"'%s' is passed by value in more than one register; name a member",
			type_str(f));
	take_bits(f, size, info->is_signed);
	return NULL;
}

/* Records the type that is reached, from which a path may go on. */
static void reached(struct follow *f, const char *c_type)
{
	f->a->c_type = c_type;
	f->a->btf = f->btf;
	f->a->type_id = f->type;
}

static struct error *finish_address(struct follow *f)
{
	if (f->bit_size)
		return refuse(f, ERROR_SCRIPT, "a bit field has no address");
	if (f->place != PATH_ADDRESS)
		return refuse(f, ERROR_SCRIPT,
			      "this is held in a register: it has no address; '&' needs a member "
			      "or element, '$' at the end prints it whole");
	reached(f, arena_printf(f->s->arena, "%s *", type_str(f)));
	f->a->is_address = true;
	return NULL;
}

/* Makes the error for a structure used as a number: a member was forgotten. */
static struct error *whole_structure(struct follow *f)
{
	names list = { 0 };

	member_names(f->s, f->btf, f->type, 0, &list);
	return error_create(f->s->arena, ERROR_SCRIPT,
			    "'%s' is a structure, no number; name a member%s%s%s, print it whole "
			    "with '$' at the end, or "
			    "take its address with '&' in front",
			    type_str(f), list.count ? " ('->" : "", list.count ? list.data[0] : "",
			    list.count ? "')" : "");
}

static struct error *finish(struct follow *f, bool address_of);

/* Handles a type that was a number once, and is a structure around one now. */
static struct error *former_number(struct follow *f)
{
	const char *type = drifting_name(f);
	const struct drift *row = drift_member(type, "");
	struct error *err = whole_structure(f);

	if (row)
		err = follow_row(f, row, type, err);
	return err ? err : finish(f, false);
}

static struct error *finish(struct follow *f, bool address_of)
{
	struct type_info info;
	struct error *err = types_info(f->s, f->btf, f->type, &info);

	if (err)
		return err;
	reached(f, type_str(f));
	if (address_of || f->is_part || (f->place == PATH_REGISTERS && info.kind == KTYPE_ARRAY))
		return finish_address(f);
	if (f->place == PATH_REGISTERS)
		return finish_in_registers(f, &info);
	if (f->place == PATH_VALUE)
		return NULL;
	if (f->bit_size)
		return load_bit_field(f, &info);
	if (info.kind == KTYPE_AGGREGATE)
		return former_number(f);
	if (info.kind == KTYPE_ARRAY) {
		f->a->is_address = true;
		return NULL;
	}
	if (info.size != 1 && info.size != 2 && info.size != 4 && info.size != 8)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "a value of type '%s' (%u bytes) does not fit a long",
				    type_str(f), info.size);
	push(f, (struct access_step){
			.kind = ACCESS_LOAD, .size = info.size, .is_signed = info.is_signed });
	return NULL;
}

/*
 * Ends a path with `$` or `$$`: pointers are printed as their targets. Reads that fail
 * are then part of the text.
 */
static struct error *finish_pretty(struct follow *f, unsigned depth, bool address_of)
{
	struct type_info info;
	struct error *err = NULL;

	if (address_of)
		return refuse(f, ERROR_SCRIPT, "what '$' prints is a string: it has no address");
	for (unsigned i = 0; i < BTF_MAX_DEPTH && is_shown_through(f); i++)
		dereference(f);
	find_definition(f);
	f->a->pretty = depth;
	if (f->place == PATH_REGISTERS && is_kind(f, AGGREGATES | KIND(ARRAY))) {
		f->a->pretty_words = f->registers;
		f->a->number += f->bit_offset / 64;
		f->a->pretty_words -= f->bit_offset / 64;
		f->a->pretty_offset = f->bit_offset % 64 / 8;
		reached(f, type_str(f));
		return NULL;
	}
	f->a->pretty_number = f->place != PATH_ADDRESS || f->bit_size;
	reached(f, type_str(f));
	if (f->a->pretty_number)
		err = types_info(f->s, f->btf, f->type, &info);
	if (!err && f->place == PATH_REGISTERS)
		err = finish_in_registers(f, &info);
	else if (!err && f->bit_size)
		err = load_bit_field(f, &info);
	return err;
}

struct error *member_follow(struct session *s, const struct path_start *start,
			    const path_steps *path, bool address_of, struct access *a)
{
	struct follow f = { .s = s,
			    .a = a,
			    .btf = start->btf,
			    .type = start->type_id,
			    .place = start->place,
			    .registers = start->registers };
	struct mark before = mark_here(&f);
	struct error *err = NULL;

	for (size_t i = 0; path && !err && i < path->count; i++) {
		const struct path_step *step = &path->data[i];
		const struct mark here = mark_here(&f);

		if (f.bit_size && f.place != PATH_REGISTERS && step->kind != STEP_PRETTY)
			err = refuse(&f, ERROR_SCRIPT, "a bit field has no members");
		else if (step->kind == STEP_MEMBER)
			err = follow_member(&f, step->member);
		else if (step->kind == STEP_INDEX)
			err = follow_index(&f, step->index,
					   !i && start->element);
		else
			return finish_pretty(&f, step->depth, address_of);
		if (err && i)
			err = follow_pair(&f, &before, step - 1, err);
		if (err && i + 1 < path->count) {
			err = follow_pair(&f, &here, step, err);
			i++;
		}
		before = here;
	}
	return err ? err : finish(&f, address_of);
}

/* True for "[0]". */
static bool is_first_element(const struct path_step *step)
{
	return step->kind == STEP_INDEX && step->index->kind == NODE_NUMBER && !step->index->number;
}

const char *member_start_of(struct arena *a, const char *text, const path_steps *more,
			    struct loc loc, path_steps *ret)
{
	bool is_part = *text == '&';
	char *rest, *first = strtok_r(arena_strdup(a, text + is_part), ".", &rest), *name;

	while ((name = strtok_r(NULL, ".", &rest)) != NULL) {
		struct path_step step = { .kind = STEP_MEMBER, .loc = loc, .member = name };

		vec_push(a, ret, step);
	}
	vec_each(more, i)
		if (i || !is_part || !is_first_element(&more->data[i]))
			vec_push(a, ret, more->data[i]);
	return first;
}

struct error *member_follow_named(struct session *s, struct btf *btf, uint32_t type_id,
				  const path_steps *path, bool address_of, struct access *a)
{
	unsigned kind = btf_kind(btf, btf_skip(btf, type_id));
	struct path_start start = {
		.btf = btf,
		.type_id = type_id,
		.place = (AGGREGATES | KIND(ARRAY)) >> kind & 1 ? PATH_ADDRESS : PATH_VALUE,
	};

	return member_follow(s, &start, path, address_of, a);
}
