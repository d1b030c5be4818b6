/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ->member[index] paths become access steps. '->' and '.' mean the same, as everywhere in
 * the language: a pointer is followed where the path needs its target.
 */
#include "types/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "types/relocation.h"
#include "types/follow.h"
#include "types/memberdrift.h"
#include "types/printer.h"
#include "types/shown.h"
#include "types/shape.h"
#include "types/types.h"

/*
 * True for a pointer whose target can be printed instead; characters are printed as a
 * string.
 */
static bool is_shown_through(const struct follow *f)
{
	const uint32_t opaque = KIND(UNKN) | KIND(FUNC_PROTO);
	uint32_t target;

	if (!follow_is(f, KIND(PTR)))
		return false;
	target = btf_type(f->btf, follow_type(f))->type;
	return !(opaque >> btf_kind(f->btf, btf_skip(f->btf, target)) & 1) &&
	       !shape_is_char(f->btf, target);
}

static struct error *refuse(const struct follow *f, enum error_kind kind, const char *text)
{
	return error_create(f->s->arena, kind, "%s", text);
}

/* ---- members ---- */

static struct error *step_member(struct follow *f, const char *name)
{
	const struct follow_mark here = follow_mark_here(f);
	struct error *err = follow_plain(f, name);

	return err ? memberdrift_follow(f, &here, name, err) : NULL;
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
 * Follows "se.statistics", a member that moved out of a member that stayed, or "cap[1]",
 * an element that is now part of a number.
 */
static struct error *step_pair(struct follow *f, const struct follow_mark *before,
			       const struct path_step pair[2], struct error *err)
{
	return memberdrift_follow(f, before, pair_name(f->s->arena, pair), err);
}

/* ---- elements ---- */

/* Follows an element of an array that is in registers, not in memory. */
static struct error *step_in_registers(struct follow *f, const struct node *index)
{
	uint64_t size;

	if (index->kind != NODE_NUMBER)
		return refuse(f, ERROR_SCRIPT,
			      "an array held in registers has no memory: its elements are named by "
			      "plain numbers, [0], or printed whole, with '$'");
	f->type = ((const struct btf_array *)btf_tail(btf_type(f->btf, follow_type(f))))->type;
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

static struct error *step_index(struct follow *f, struct node *index, bool whole)
{
	uint32_t id = follow_type(f);

	f->is_part = false;
	if (f->place == PATH_REGISTERS && follow_is(f, KIND(ARRAY)) && !whole)
		return step_in_registers(f, index);
	if (follow_is(f, KIND(PTR)) && !whole)
		follow_pointer(f);
	else if (follow_is(f, KIND(ARRAY)) && !whole)
		f->type = ((const struct btf_array *)btf_tail(btf_type(f->btf, id)))->type;
	else if (!whole)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "'%s' is neither array nor pointer: it has no elements",
				    follow_type_text(f));

	uint64_t size;

	follow_definition(f);
	size = btf_size(f->btf, f->type);
	if (btf_kind(f->btf, follow_type(f)) == BTF_KIND_UNKN)
		size = 1; /* void *, with gcc's size */
	if (!size || size > UINT32_MAX)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "the size of '%s' is not known: it cannot be an element",
				    follow_type_text(f));
	if (index->kind == NODE_NUMBER) {
		relocation_element(f, index->number);
		follow_add(f, (int64_t)((uint64_t)index->number * size));
	} else {
		relocation_element(f, 0);
		follow_push(f, (struct access_step){ .kind = ACCESS_INDEX,
						     .index = index,
						     .size = size,
						     .field = f->field });
		f->added = f->field;
	}
	return NULL;
}

/* ---- the end ---- */

static struct error *load_bit_field(struct follow *f, const struct type_info *info)
{
	struct bit_unit unit;

	if (!btf_bit_unit(f->bit_offset, f->bit_size, &unit))
		return refuse(f, ERROR_SCRIPT, "the bit field spans more than 8 bytes");
	follow_add(f, unit.offset);
	follow_load(f, unit.size, false);
	follow_bits(f, unit.bit_offset, f->bit_size, info->is_signed);
	f->a->steps.data[f->a->steps.count - 1].field = f->field;
	return NULL;
}

/* True: a number of 16 bytes, which only fits a text. */
static bool is_wide(const struct follow *f)
{
	return f->a->user && follow_is(f, KIND(INT) | KIND(FLOAT)) &&
	       btf_size(f->btf, f->type) == 16;
}

static struct error *finish_in_registers(struct follow *f, const struct type_info *info)
{
	unsigned size = f->bit_size ? f->bit_size : info->size * 8;

	if (!size || size > 64 || f->bit_offset % 64 + size > 64)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "'%s' is passed by value in more than one register; %s",
				    follow_type_text(f),
				    is_wide(f) ? "print it with '$' at the end" : "name a member");
	follow_take_bits(f, size, info->is_signed);
	return NULL;
}

/* Records the reached type, from which a path may continue. */
static void reached(struct follow *f, const char *c_type)
{
	f->a->c_type = c_type;
	f->a->btf = f->btf;
	f->a->type_id = f->type;
	f->a->reached = f->field;
}

static struct error *finish_address(struct follow *f)
{
	if (f->bit_size)
		return refuse(f, ERROR_SCRIPT, "a bit field has no address");
	if (f->place != PATH_ADDRESS)
		return refuse(f, ERROR_SCRIPT,
			      "this is held in a register: it has no address; '&' needs a member "
			      "or element, '$' at the end prints it whole");
	reached(f, arena_printf(f->s->arena, "%s *", follow_type_text(f)));
	f->a->is_address = true;
	relocation_end(f);
	return NULL;
}

/* Returns the type's text without "const" and "volatile", which newer kernels add. */
static const char *unqualified_text(struct follow *f)
{
	const char *text = follow_type_text(f);

	for (;;) {
		if (!strncmp(text, "const ", 6))
			text += 6;
		else if (!strncmp(text, "volatile ", 9))
			text += 9;
		else
			return text;
	}
}

/* Makes the error for a structure used as a number: a member is missing. */
static struct error *whole_structure(struct follow *f)
{
	follow_names list = { 0 };

	follow_members(f, &list);
	return error_create(f->s->arena, ERROR_SCRIPT,
			    "'%s' is a structure, not a number; name a member%s%s%s, print it "
			    "whole with '$' at the end, or take its address with '&' in front",
			    unqualified_text(f), list.count ? " ('->" : "",
			    list.count ? list.data[0] : "", list.count ? "')" : "");
}

static struct error *finish(struct follow *f, bool address_of);

/* Handles a type that used to be a number, and may now be a structure around one. */
static struct error *finish_structure(struct follow *f)
{
	const struct follow_mark here = follow_mark_here(f);
	struct error *err = memberdrift_follow(f, &here, "", whole_structure(f));

	return err ? err : finish(f, false);
}

static struct error *finish(struct follow *f, bool address_of)
{
	struct type_info info;
	struct error *err = types_info(f->s, f->btf, f->type, &info);

	if (err)
		return err;
	reached(f, follow_type_text(f));
	if (address_of || f->is_part || (f->place == PATH_REGISTERS && info.kind == KTYPE_ARRAY))
		return finish_address(f);
	if (f->place == PATH_REGISTERS)
		return finish_in_registers(f, &info);
	if (f->place == PATH_VALUE)
		return NULL;
	if (f->bit_size)
		return load_bit_field(f, &info);
	if (info.kind == KTYPE_AGGREGATE)
		return finish_structure(f);
	if (info.kind == KTYPE_ARRAY) {
		f->a->is_address = true;
		relocation_end(f);
		return NULL;
	}
	if (info.size != 1 && info.size != 2 && info.size != 4 && info.size != 8)
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "a value of type '%s' (%u bytes) does not fit a long%s",
				    follow_type_text(f), info.size,
				    is_wide(f) ? "; print it with '$' at the end" : "");
	follow_load(f, info.size, info.is_signed);
	return NULL;
}

static void follow_target(struct follow *f)
{
	follow_pointer(f);
	f->a->is_pointed = true;
}

/* Follows a pointer inside a structure such as std::unique_ptr to its target. */
static void smart_pointer(struct follow *f)
{
	struct printer printer;

	if (f->place != PATH_ADDRESS || !f->a->user ||
	    !printer_find(f->s, f->btf, f->type, &printer) ||
	    (printer.kind != PRINTER_POINTER && printer.kind != PRINTER_SHARED))
		return;
	follow_add(f, (int64_t)printer.data.offset);
	f->type = printer.data.type;
	if (is_shown_through(f))
		follow_target(f);
	follow_definition(f);
}

/*
 * Ends a path with `$` or `$$`: pointers are printed as their targets. Reads that fail
 * are then part of the text.
 */
static struct error *finish_pretty(struct follow *f, enum pretty depth, bool address_of)
{
	struct type_info info;
	struct error *err = NULL;

	if (address_of)
		return refuse(f, ERROR_SCRIPT, "'$' gives a string: it has no address");
	for (unsigned i = 0; i < BTF_MAX_DEPTH && is_shown_through(f); i++)
		follow_target(f);
	follow_definition(f);
	f->a->pretty = depth;
	if (depth == PRETTY_TEXT && btf_kind(f->btf, follow_type(f)) == BTF_KIND_FWD)
		return follow_no_member(f, "");
	if (depth == PRETTY_TEXT && !shown_is_text(f->s, f->btf, f->type, f->a->user))
		return error_create(f->s->arena, ERROR_SCRIPT,
				    "text_of() takes a string of C++, Rust or Go in a program, not "
				    "'%s'; user_string() takes a 'char *'",
				    follow_type_text(f));
	smart_pointer(f);
	if (f->place == PATH_REGISTERS && (follow_is(f, AGGREGATES | KIND(ARRAY)) || is_wide(f))) {
		f->a->pretty_words = f->registers;
		f->a->number += f->bit_offset / 64;
		f->a->pretty_words -= f->bit_offset / 64;
		f->a->pretty_offset = f->bit_offset % 64 / 8;
		reached(f, follow_type_text(f));
		return NULL;
	}
	f->a->pretty_number = f->place != PATH_ADDRESS || f->bit_size;
	reached(f, follow_type_text(f));
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
	struct follow_mark before;
	struct error *err = NULL;

	relocation_begin(&f);
	before = follow_mark_here(&f);
	for (size_t i = 0; path && !err && i < path->count; i++) {
		const struct path_step *step = &path->data[i];
		const struct follow_mark here = follow_mark_here(&f);

		if (f.bit_size && f.place != PATH_REGISTERS && step->kind != STEP_PRETTY)
			err = refuse(&f, ERROR_SCRIPT, "a bit field has no members");
		else if (step->kind == STEP_MEMBER)
			err = step_member(&f, step->member);
		else if (step->kind == STEP_DRIFT)
			err = memberdrift_step(&f, step->drift);
		else if (step->kind == STEP_INDEX)
			err = step_index(&f, step->index, !i && start->element);
		else
			return finish_pretty(&f, step->depth, address_of);
		a->values =
			step->kind == STEP_MEMBER ? memberdrift_values(&here, step->member) : NULL;
		if (err && i)
			err = step_pair(&f, &before, step - 1, err);
		if (err && i + 1 < path->count) {
			err = step_pair(&f, &here, step, err);
			i++;
		}
		before = here;
	}
	return err ? err : finish(&f, address_of);
}
