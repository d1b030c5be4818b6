/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of results when a Go function returns; debuginfo does not describe them for
 * optimised code. Go's calling convention returns them in the registers for arguments. A
 * value is split into numbers, each in its own register. A value that does not fit
 * completely into registers is on the stack, after the arguments there.
 */
#include "dwarf/goresults.h"

#include <dwarf.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/kernelinfo.h"
#include "dwarf/languages.h"
#include "dwarf/machine.h"
#include "dwarf/scopevars.h"
#include "dwarf/units.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "types/types.h"

#define WORD	8
#define MAX_IN	32 /* numbers of a value in registers */
#define NESTING 32 /* of types */

/* A number in a register, and its place inside the value in memory. */
struct part {
	uint64_t offset;
	uint32_t size;
	unsigned reg;
};

struct value {
	Dwarf_Die die;
	uint32_t type;
	struct part parts[MAX_IN];
	unsigned count;
	bool on_stack;
	uint64_t at; /* on the stack: from the CFA */
};

struct assignment {
	struct session *s;
	const struct btf *btf;
	const struct arch_go *go;
	unsigned numbers, floats;	    /* registers that are taken, */
	unsigned number_count, float_count; /* … and that there are */
	uint64_t stack;
	const char *problem;
};

/* ---- types ---- */

static uint64_t align_of(const struct btf *btf, uint32_t type, unsigned depth)
{
	uint32_t id = btf_skip(btf, type);
	const struct btf_type *t = btf_type(btf, id);
	uint64_t most = 1;

	if (depth > NESTING)
		return WORD;
	switch (btf_kind(btf, id)) {
	case BTF_KIND_ARRAY:
		return align_of(btf, ((const struct btf_array *)btf_tail(t))->type, depth + 1);
	case BTF_KIND_STRUCT:
		for (unsigned i = 0; i < btf_vlen_of(t); i++) {
			const struct btf_member *m = (const struct btf_member *)btf_tail(t) + i;
			uint64_t its = align_of(btf, m->type, depth + 1);

			most = its > most ? its : most;
		}
		return most;
	default:
		most = btf_size(btf, id);
		return most && most < WORD ? most : WORD;
	}
}

/* ---- registers ---- */

static bool take(struct assignment *a, struct value *v, uint64_t offset, uint64_t size,
		 bool is_float)
{
	unsigned *taken = is_float ? &a->floats : &a->numbers;
	unsigned all = is_float ? a->float_count : a->number_count;
	unsigned reg = is_float	      ? arch_of(a->s)->registers->vectors + *taken
		       : *taken < all ? a->go->numbers[*taken]
				      : 0;

	if (*taken == all || v->count == MAX_IN || !size || size > WORD)
		return false;
	++*taken;
	v->parts[v->count++] = (struct part){ offset, (uint32_t)size, reg };
	return true;
}

static bool take_type(struct assignment *a, struct value *v, uint32_t type, uint64_t offset,
		      unsigned depth);

static bool take_members(struct assignment *a, struct value *v, const struct btf_type *t,
			 uint64_t offset, unsigned depth)
{
	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		const struct btf_member *m = (const struct btf_member *)btf_tail(t) + i;

		if (!take_type(a, v, m->type, offset + BTF_MEMBER_BIT_OFFSET(m->offset) / 8,
			       depth + 1))
			return false;
	}
	return true;
}

static bool take_array(struct assignment *a, struct value *v, const struct btf_array *array,
		       uint64_t offset, unsigned depth)
{
	return !array->nelems ||
	       (array->nelems == 1 && take_type(a, v, array->type, offset, depth + 1));
}

/* Takes registers for a whole value. False: there are too few. */
static bool take_type(struct assignment *a, struct value *v, uint32_t type, uint64_t offset,
		      unsigned depth)
{
	uint32_t id = btf_skip(a->btf, type);
	const struct btf_type *t = btf_type(a->btf, id);

	if (depth > NESTING)
		return false;
	switch (btf_kind(a->btf, id)) {
	case BTF_KIND_STRUCT:
		return take_members(a, v, t, offset, depth);
	case BTF_KIND_ARRAY:
		return take_array(a, v, btf_tail(t), offset, depth);
	case BTF_KIND_FLOAT:
		return take(a, v, offset, btf_size(a->btf, id), true);
	case BTF_KIND_INT:
	case BTF_KIND_PTR:
		return take(a, v, offset, btf_size(a->btf, id), false);
	default:
		a->problem = "its type is one that Go's convention has no place for";
		return false;
	}
}

static uint64_t aligned(uint64_t at, uint64_t to)
{
	return (at + to - 1) / to * to;
}

static void assign(struct assignment *a, struct value *v)
{
	unsigned numbers = a->numbers, floats = a->floats;
	uint64_t size = btf_size(a->btf, v->type);

	if (size && take_type(a, v, v->type, 0, 0))
		return;
	a->numbers = numbers;
	a->floats = floats;
	v->count = 0;
	v->on_stack = true;
	v->at = aligned(a->stack, align_of(a->btf, v->type, 0));
	a->stack = v->at + size;
}

/* ---- functions ---- */

typedef VEC(struct value) values;

static bool is_result(Dwarf_Die *parameter)
{
	Dwarf_Attribute attr;
	bool ret = false;

	return dwarf_attr_integrate(parameter, DW_AT_variable_parameter, &attr) &&
	       !dwarf_formflag(&attr, &ret) && ret;
}

static void collect(struct session *s, struct unit_types *types, Dwarf_Die *function, bool results,
		    values *ret)
{
	struct value v = { 0 };

	if (dwarf_child(function, &v.die))
		return;
	do {
		if (dwarf_tag(&v.die) != DW_TAG_formal_parameter || is_result(&v.die) != results ||
		    !dwarf_diename(&v.die))
			continue;
		v.type = unittypes_of(types, &v.die);
		vec_push(s->arena, ret, v);
	} while (!dwarf_siblingof(&v.die, &v.die));
}

/* True: the function's code passes values in registers, as since Go 1.17. */
static bool by_registers(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));

	return producer && strstr(producer, "regabi");
}

/* A Go function with the places of its results. */
struct go_function {
	Dwarf_Die die;
	struct unit_types *types;
	values results;
	const char *problem;
};

static bool read_function(struct session *s, const struct dwarf_place *p, struct go_function *ret)
{
	struct assignment a = { .s = s, .go = arch_of(s)->programs->go };
	values parameters = { 0 };
	Dwarf_Die unit;

	*ret = (struct go_function){ 0 };
	if (!a.go || !units_die(p->file, p->instance, &ret->die) ||
	    !dwarf_diecu(&ret->die, &unit, NULL, NULL) || !languages_is_go(&unit) ||
	    dwarf_unit_types(s, p->file, &ret->die, &ret->types))
		return false;
	a.btf = unittypes_btf(ret->types);
	if (by_registers(&unit)) {
		a.number_count = a.go->number_count;
		a.float_count = a.go->float_count;
	}
	collect(s, ret->types, &ret->die, false, &parameters);
	vec_each(&parameters, i)
		assign(&a, &parameters.data[i]);
	a.stack = aligned(a.stack, WORD);
	a.numbers = a.floats = 0;
	collect(s, ret->types, &ret->die, true, &ret->results);
	vec_each(&ret->results, i)
		assign(&a, &ret->results.data[i]);
	ret->problem = a.problem;
	return true;
}

/* ---- places ---- */

/* Results without a name are called ~r0, ~r1 and so on. */
static const char *plain_name(const struct value *v)
{
	const char *name = dwarf_diename((Dwarf_Die *)&v->die);

	return name + (*name == '~');
}

/* Adds a register or, without one, the gap between two values. */
static bool push_part(struct machine *m, const struct part *part)
{
	m->is_value = true;
	return (!part->size || machine_push_own_register(m, part->reg, 0)) &&
	       pieces_push(m, part->size * 8, 0);
}

static bool place_in_registers(struct machine *m, const struct value *v, uint64_t size)
{
	uint64_t at = 0;

	for (unsigned i = 0; i < v->count; i++) {
		if (v->parts[i].offset > at && !pieces_push(m, (v->parts[i].offset - at) * 8, 0))
			return false;
		if (!push_part(m, &v->parts[i]))
			return false;
		at = v->parts[i].offset + v->parts[i].size;
	}
	return at == size || pieces_push(m, (size - at) * 8, 0);
}

static struct error *locate(struct session *s, const struct dwarf_place *p,
			    const struct go_function *f, const struct value *v,
			    struct location *ret)
{
	const struct arch *arch = arch_of(s);
	struct location_frame frame = { .pc = p->address, .file = p->file };
	struct machine m = { .s = s, .f = &frame, .ret = ret };

	*ret = (struct location){ .expression = arena_new(s->arena, struct access_expression),
				  .kind = LOCATION_VALUE };
	if (f->problem)
		machine_fail(&m, f->problem);
	else if (!v->on_stack)
		place_in_registers(&m, v, btf_size(unittypes_btf(f->types), v->type));
	else if (machine_push_own_register(&m, arch->registers->sp,
					   arch->programs->go->to_frame + (int64_t)v->at))
		vec_push(s->arena, &ret->expression->words, m.stack[0]);
	ret->kind = v->on_stack ? LOCATION_ADDRESS : LOCATION_VALUE;
	return m.problem ? error_create(s->arena, ERROR_ABSENT, "'$%s' of '%s': %s", plain_name(v),
					p->function, m.problem)
			 : NULL;
}

struct error *goresults_access(struct session *s, const struct dwarf_place *p, const char *name,
			       const path_steps *path, bool address_of, struct access *a)
{
	struct go_function f;
	struct location l;
	struct error *err;

	if (!read_function(s, p, &f))
		return error_create(s->arena, ERROR_ABSENT, "'%s' is not a function of Go",
				    p->function);
	vec_each(&f.results, i) {
		struct value *v = &f.results.data[i];

		if ((i || strcmp(name, "return")) && strcmp(name, plain_name(v)))
			continue;
		err = locate(s, p, &f, v, &l);
		if (!err)
			err = scopevars_access(s, &v->die, unittypes_btf(f.types), v->type, &l,
					       path, address_of, a);
		a->of_result = true;
		return err;
	}
	return error_create(s->arena, ERROR_ABSENT,
			    f.results.count ? "'%s' has no result '$%s'"
					    : "'%s' returns nothing, so that there is no '$%s'",
			    p->function, name);
}

bool goresults_list(struct session *s, const struct dwarf_place *p, dwarf_names *ret)
{
	struct go_function f;

	if (!read_function(s, p, &f))
		return false;
	vec_each(&f.results, i) {
		const struct value *v = &f.results.data[i];
		struct dwarf_name n = { .name = i ? plain_name(v) : "return",
					.c_type = types_str(s, unittypes_btf(f.types), v->type) };

		vec_push(s->arena, ret, n);
	}
	return true;
}

bool goresults_has(struct session *s, const struct dwarf_place *p, const char *name)
{
	struct go_function f;

	if (!read_function(s, p, &f))
		return false;
	vec_each(&f.results, i)
		if (!strcmp(dwarf_diename(&f.results.data[i].die), name))
			return true;
	return false;
}

bool goresults_by_registers(const struct dwarf_place *p)
{
	Dwarf_Die function, unit;

	return units_die(p->file, p->instance, &function) &&
	       dwarf_diecu(&function, &unit, NULL, NULL) && languages_is_go(&unit) &&
	       by_registers(&unit);
}

uint64_t goresults_end(const struct dwarf_place *p)
{
	Dwarf_Die function;
	Dwarf_Addr low, high;

	return !units_die(p->file, p->instance, &function) || dwarf_lowpc(&function, &low) ||
			       dwarf_highpc(&function, &high) || low != p->address
		       ? 0
		       : high;
}
