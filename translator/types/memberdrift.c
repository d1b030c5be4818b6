/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/memberdrift.h"

#include <string.h>

#include "base/session.h"
#include "drift/drift.h"
#include "types/relocation.h"
#include "types/types.h"

/* ---- steps ---- */

static struct error *become(struct follow *f, const char *type)
{
	uint32_t id = btf_find_type(f->btf, type, AGGREGATES);

	if (!id || f->place == PATH_REGISTERS)
		return error_create(f->s->arena, ERROR_ABSENT, "there is no '%s' here", type);
	f->type = id;
	f->place = PATH_ADDRESS;
	f->bit_size = 0;
	f->is_part = true;
	relocation_origin(f);
	return NULL;
}

/* Goes back from the place in the present structure to its beginning. */
static void go_back(struct follow *f, const struct access_field *beginning, int64_t offset)
{
	f->added = f->field;
	f->field = beginning;
	follow_add(f, offset);
}

static struct error *step_behind(struct follow *f, const struct drift_step *step)
{
	struct error *err = become(f, step->type);
	const struct access_field *beginning = f->field;

	if (err)
		return err;
	relocation_element(f, 1);
	go_back(f, beginning, -(int64_t)btf_size(f->btf, f->type));
	return NULL;
}

static struct error *step_around(struct follow *f, const struct drift_step *step)
{
	struct follow_found m = { 0 };
	struct error *err = become(f, step->type);
	const struct access_field *beginning = f->field;

	if (err)
		return err;
	if (!follow_find(f, step->name, &m))
		return follow_no_member(f, step->name);
	relocation_member(f, step->name);
	go_back(f, beginning, -(int64_t)(m.bit_offset / 8));
	return NULL;
}

static struct error *step_into(struct follow *f, const struct drift_step *step)
{
	struct follow_found buffer = { 0 }, offset = { 0 };
	struct follow at;

	if (f->place != PATH_ADDRESS || !follow_find(f, step->name, &buffer))
		return follow_no_member(f, step->name);
	if (!follow_find(f, step->offset, &offset))
		return follow_no_member(f, step->offset);
	at = *f;
	at.type = offset.type;
	relocation_member(&at, step->offset);
	relocation_member(f, step->name);
	follow_add(f, buffer.bit_offset / 8);
	follow_push(f, (struct access_step){
			       .kind = ACCESS_INTO,
			       .offset = (int64_t)(offset.bit_offset - buffer.bit_offset) / 8,
			       .size = btf_size(f->btf, offset.type),
			       .field = relocation_here(&at),
			       .since = f->field });
	f->type = buffer.type;
	f->place = PATH_VALUE;
	return step->type ? become(f, step->type) : NULL;
}

/* The areas of an address space used to be a list, and are now a tree. */
static struct error *step_area(struct follow *f, const struct drift_step *step)
{
	struct error *err = become(f, "vm_area_struct");

	if (!err)
		follow_push(f, (struct access_step){ .kind = step->kind == DRIFT_FIRST_AREA
								     ? ACCESS_FIRST_AREA
								     : ACCESS_NEXT_AREA });
	return err;
}

static struct error *step_member(struct follow *f, const struct drift_step *step)
{
	return follow_plain(f, step->name);
}

struct error *memberdrift_step(struct follow *f, const struct drift_step *step)
{
	static struct error *(*const steps[])(struct follow * f, const struct drift_step *step) = {
		[DRIFT_MEMBER] = step_member,	[DRIFT_BEHIND] = step_behind,
		[DRIFT_AROUND] = step_around,	[DRIFT_INTO] = step_into,
		[DRIFT_FIRST_AREA] = step_area, [DRIFT_NEXT_AREA] = step_area,
	};

	follow_structure(f);
	return steps[step->kind](f, step);
}

/* ---- rows ---- */

/* Returns the type's name in the tables: its tag, or the name of its typedef. */
static const char *drifting_name(const struct follow *f)
{
	uint32_t id = follow_type(f);

	if (follow_is(f, KIND(PTR)))
		id = btf_skip(f->btf, btf_type(f->btf, id)->type);
	if ((AGGREGATES | KIND(FWD)) >> btf_kind(f->btf, id) & 1 && *btf_name(f->btf, id))
		return btf_name(f->btf, id);
	id = follow_is(f, KIND(PTR)) ? btf_type(f->btf, follow_type(f))->type : f->type;
	while ((KIND(CONST) | KIND(VOLATILE)) >> btf_kind(f->btf, id) & 1)
		id = btf_type(f->btf, id)->type;
	return btf_kind(f->btf, id) == BTF_KIND_TYPEDEF ? btf_name(f->btf, id) : "";
}

struct access_step memberdrift_unit(const struct successor *now)
{
	return (struct access_step){ .kind = ACCESS_DIVIDE,
				     .offset = now->divisor,
				     .is_rest = now->is_rest };
}

/* Converts a value that has other units today. */
static void convert(struct follow *f, const struct successor *now)
{
	struct type_info info;

	if (f->place != PATH_ADDRESS || f->bit_size || types_info(f->s, f->btf, f->type, &info))
		return;
	follow_load(f, info.size, info.is_signed);
	follow_push(f, memberdrift_unit(now));
	f->place = PATH_VALUE;
}

/* True for a pointer to a number: ktime_t *now. */
static bool points_to_number(const struct follow *f)
{
	return follow_is(f, KIND(PTR)) &&
	       !((AGGREGATES | KIND(FWD)) >>
			 btf_kind(f->btf,
				  btf_skip(f->btf, btf_type(f->btf, follow_type(f))->type)) &
		 1);
}

/* Follows the whole path; without steps it stays at the current value. */
static bool follow_successor(struct follow *f, const struct successor *now)
{
	if (!now->steps.count && points_to_number(f))
		follow_pointer(f);
	vec_each(&now->steps, i)
		if (memberdrift_step(f, &now->steps.data[i]))
			return false;
	if (now->divisor)
		convert(f, now);
	return true;
}

/* Returns the note about a successor that was taken. */
static const char *note(struct arena *a, const char *type, const struct drift *row,
			const struct successor *now)
{
	const char *story = drift_story(a, row);

	if (!*now->text)
		return arena_printf(a, "'%s' has no member '%s' %s; it is the value itself", type,
				    row->old, story);
	if (!*row->old)
		return arena_printf(a, "'%s' is a structure %s; its member '%s' is taken", type,
				    story, now->text);
	return arena_printf(a, "'%s' has no member '%s' %s; '%s' is taken", type, row->old, story,
			    now->text);
}

struct error *memberdrift_follow(struct follow *f, const struct follow_mark *before,
				 const char *name, struct error *err)
{
	struct arena *a = f->s->arena;
	const char *type = drifting_name(&before->f);
	const struct drift *row = name ? drift_member(a, type, name) : NULL;

	if (!row)
		return err;
	vec_each(&row->now, i) {
		follow_go_back(f, before);
		if (follow_successor(f, &row->now.data[i])) {
			f->a->drift = note(a, type, row, &row->now.data[i]);
			return NULL;
		}
	}
	follow_go_back(f, before);
	return error_create(a, err->kind, "'%s' has no member '%s' %s", type, row->old,
			    drift_story(a, row));
}

const struct drift_values *memberdrift_values(const struct follow_mark *before, const char *name)
{
	const struct session *s = before->f.s;

	if (!s->kernel || !s->kernel->release || before->f.a->user)
		return NULL;
	return drift_values(drifting_name(&before->f), name, s->kernel->release);
}

/* ---- paths from parameters and variables ---- */

/* True for "[0]". */
static bool is_first_element(const struct path_step *step)
{
	return step->kind == STEP_INDEX && step->index->kind == NODE_NUMBER && !step->index->number;
}

void memberdrift_path(struct arena *a, const struct successor *now, const path_steps *more,
		      struct loc loc, path_steps *ret)
{
	vec_each(&now->steps, i) {
		const struct drift_step *step = &now->steps.data[i];
		bool is_plain = step->kind == DRIFT_MEMBER;
		struct path_step s = { .kind = is_plain ? STEP_MEMBER : STEP_DRIFT, .loc = loc };

		if (is_plain)
			s.member = step->name;
		else
			s.drift = step;
		vec_push(a, ret, s);
	}
	vec_each(more, i)
		if (i || !now->is_part || !is_first_element(&more->data[i]))
			vec_push(a, ret, more->data[i]);
}
