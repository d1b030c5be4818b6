/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables visible at a place: those of the blocks around it, of the function, and of
 * the file. A name that an inner block declares again hides the outer one, even if the
 * inner variable is missing at this address.
 */
#include <dwarf.h>
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/kernelinfo.h"
#include "dwarf/lines.h"
#include "dwarf/livelines.h"
#include "dwarf/location.h"
#include "dwarf/scopevars.h"
#include "dwarf/threadsymbols.h"
#include "dwarf/units.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "types/member.h"
#include "types/types.h"

#define MAX_NESTING 256

typedef VEC(Dwarf_Die) variables;

static bool is_variable(Dwarf_Die *die)
{
	int tag = dwarf_tag(die);

	return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/*
 * Collects inner blocks first, so that the first variable with a name is the visible one.
 */
static void collect_block(struct session *s, Dwarf_Die *block, Dwarf_Addr pc, unsigned depth,
			  variables *ret)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(block, &child))
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_lexical_block && dwarf_haspc(&child, pc) == 1)
			collect_block(s, &child, pc, depth + 1, ret);
	} while (!dwarf_siblingof(&child, &child));
	if (dwarf_child(block, &child))
		return;
	do {
		if (is_variable(&child) && dwarf_diename(&child))
			vec_push(s->arena, ret, child);
	} while (!dwarf_siblingof(&child, &child));
}

static struct error *instance_of(struct session *s, const struct dwarf_place *p, Dwarf_Die *ret)
{
	return units_die(p->file, p->instance, ret) ? NULL : dwarf_failure(s, p->file);
}

static struct error *collect_local(struct session *s, const struct dwarf_place *p, variables *ret)
{
	Dwarf_Die function;
	struct error *err = instance_of(s, p, &function);

	if (!err)
		collect_block(s, &function, p->address, 0, ret);
	return err;
}

/* Finds a variable of the file itself, or of the program as the file declares it. */
static bool find_global(struct session *s, const struct dwarf_place *p, const char *name,
			Dwarf_Die *ret)
{
	Dwarf_Die unit, child;
	Dwarf_Addr offset;

	if (instance_of(s, p, &child) || !dwarf_diecu(&child, &unit, NULL, NULL) ||
	    dwarf_child(&unit, &child))
		return false;
	do {
		const char *its =
			dwarf_tag(&child) == DW_TAG_variable ? dwarf_diename(&child) : NULL;

		if (its && !strcmp(its, name) &&
		    (dwarf_hasattr_integrate(&child, DW_AT_location) ||
		     dwarf_hasattr_integrate(&child, DW_AT_const_value) ||
		     threadsymbols_offset(s, p->file, &child, &offset))) {
			*ret = child;
			return true;
		}
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static struct error *no_variable(struct session *s, const struct dwarf_place *p, const char *name,
				 const variables *list)
{
	VEC(const char *) names = { 0 };
	const char *near;

	vec_each(list, i)
		vec_push(s->arena, &names,
			 arena_printf(s->arena, "$%s", dwarf_diename(&list->data[i])));
	near = names.count
		       ? diag_near(s, arena_printf(s->arena, "$%s", name), names.data, names.count)
		       : NULL;
	return error_create(s->arena, ERROR_ABSENT, "'%s' has no variable '$%s' here%s%s",
			    p->function, name, near ? "; did you mean " : "", near ? near : "");
}

/* Returns "name" for "name@", a variable of any file; NULL for other names. */
static const char *global_name(struct session *s, const char *name)
{
	const char *at = strchr(name, '@');

	return at && !at[1] ? arena_strndup(s->arena, name, (size_t)(at - name)) : NULL;
}

static struct error *find(struct session *s, const struct dwarf_place *p, const char *name,
			  Dwarf_Die *ret)
{
	const char *global = global_name(s, name);
	variables list = { 0 };
	struct error *err;

	if (global && find_global(s, p, global, ret))
		return NULL;
	if (strchr(name, '@'))
		return dwarf_global_die(s, p->file, name, ret);
	err = collect_local(s, p, &list);
	if (err)
		return err;
	vec_each(&list, i)
		if (!strcmp(dwarf_diename(&list.data[i]), name)) {
			*ret = list.data[i];
			return NULL;
		}
	return find_global(s, p, name, ret) ? NULL : no_variable(s, p, name, &list);
}

bool dwarf_sees(struct session *s, const struct dwarf_place *p, const char *name)
{
	Dwarf_Die variable;

	return !find(s, p, name, &variable);
}

/* ---- access ---- */

struct wanted {
	struct session *s;
	const struct dwarf_place *p;
	const path_steps *path;
	bool address_of;
	struct access *a;
};

static struct error *access_at(struct wanted *w, Dwarf_Die *variable, struct btf *btf,
			       uint32_t type, const struct location *l);

/*
 * Handles a pointer that was optimised out, to a variable that was not: its target is
 * available.
 */
static struct error *through_pointer(struct wanted *w, struct location *l,
				     const struct location_frame *f, struct btf *btf, uint32_t type)
{
	Dwarf_Die target = l->target;
	const struct btf_type *pointer = btf_type(btf, btf_skip(btf, type));
	struct error *err;

	if (!w->path->count || btf_kind(btf, btf_skip(btf, type)) != BTF_KIND_PTR || l->offset)
		return error_create(w->s->arena, ERROR_ABSENT,
				    "the pointer itself is optimised out; what it points to can be "
				    "reached by '->'");
	err = machine_location(w->s, f, &target, l);
	if (err)
		return err;
	if (l->kind == LOCATION_POINTER)
		return error_create(w->s->arena, ERROR_ABSENT, "the pointer is optimised out");
	return access_at(w, &target, btf, pointer->type, l);
}

/* Returns the bits of the value's word that the path reads first. */
static uint64_t bits_wanted(const struct access *a, unsigned size)
{
	const struct access_step *first = a->steps.count ? &a->steps.data[0] : NULL;
	unsigned bits = first && first->kind == ACCESS_BITS	  ? first->bit_size
			: first && first->kind == ACCESS_TRUNCATE ? first->size * 8
								  : size * 8;

	return (bits && bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX)
	       << (first && first->kind == ACCESS_BITS ? first->bit_offset : 0);
}

/*
 * True: all parts that the path reads are available. A structure printed whole shows "?"
 * for a missing part.
 */
static bool is_held(const struct access *a, unsigned size)
{
	const struct access_expression *x = a->expression;
	uint64_t number = (uint64_t)a->number;

	if (number >= x->words.count ||
	    (x->words.data[number] == ACCESS_NO_WORD && !a->pretty_words))
		return false;
	return a->pretty_words || number >= x->known.count ||
	       !(bits_wanted(a, size) & ~x->known.data[number]);
}

struct error *scopevars_access(struct session *s, Dwarf_Die *variable, struct btf *btf,
			       uint32_t type, const struct location *l, const path_steps *path,
			       bool address_of, struct access *a)
{
	struct type_info info;
	struct path_start start = { .btf = btf,
				    .type_id = type,
				    .registers = (unsigned)l->expression->words.count };
	struct error *err = types_info(s, btf, type, &info);

	if (err)
		return err;
	a->base = ACCESS_EXPRESSION;
	a->expression = l->expression;
	if (l->kind == LOCATION_ADDRESS) {
		start.place = PATH_ADDRESS;
	} else if (info.kind == KTYPE_AGGREGATE || info.kind == KTYPE_ARRAY ||
		   info.kind == KTYPE_OTHER || info.size > 8) {
		start.place = PATH_REGISTERS;
	} else {
		struct access_step cut = { .kind = ACCESS_TRUNCATE,
					   .size = info.size,
					   .is_signed = info.is_signed };

		start.place = PATH_VALUE;
		if ((info.kind == KTYPE_INT || info.kind == KTYPE_POINTER) && info.size < 8)
			vec_push(s->arena, &a->steps, cut);
	}
	err = member_follow(s, &start, path, address_of, a);
	if (err)
		return err;
	if (!is_held(a, start.place == PATH_VALUE ? info.size : 8))
		return error_create(s->arena, ERROR_ABSENT,
				    "this part of '$%s' is optimised out here",
				    dwarf_diename(variable));
	return NULL;
}

static struct error *access_at(struct wanted *w, Dwarf_Die *variable, struct btf *btf,
			       uint32_t type, const struct location *l)
{
	return scopevars_access(w->s, variable, btf, type, l, w->path, w->address_of, w->a);
}

/* True: the name refers to this variable at that place, and it can be read. */
static bool is_readable(struct session *s, const struct dwarf_place *p, Dwarf_Die *variable,
			const char *name)
{
	Dwarf_Die frame, its;
	struct location l;

	if (find(s, p, name, &its) || dwarf_dieoffset(&its) != dwarf_dieoffset(variable) ||
	    !units_die(p->file, p->frame, &frame))
		return false;

	struct location_frame f = { p->address, p->is_entry, &frame, p->file };

	return !machine_location(s, &f, variable, &l);
}

static const char *readable_lines(struct session *s, const struct dwarf_place *p,
				  Dwarf_Die *variable, const char *name)
{
	dwarf_places lines = { 0 };
	line_lives lives = { 0 };

	dwarf_lines_of_copy(s, p, &lines);
	vec_each(&lines, i) {
		const struct dwarf_place *at = &lines.data[i];
		struct line_life one = { at->line, is_readable(s, at, variable, name) };

		/*
		 * Lines of a macro from another file are lines of that file: they are
		 * left out.
		 */
		if (p->source && !strcmp(at->source, p->source))
			vec_push(s->arena, &lives, one);
	}
	return livelines_at(s, &lives);
}

const char *dwarf_readable(struct session *s, const struct dwarf_place *p, const char *name)
{
	Dwarf_Die variable;

	return find(s, p, name, &variable) ? NULL : readable_lines(s, p, &variable, name);
}

static struct error *at_place(struct session *s, const struct dwarf_place *p, const char *name,
			      struct error *err, struct access *a)
{
	const char *at = p->source && *p->source
				 ? arena_printf(s->arena, "%s:%u", p->source, p->line)
				 : arena_printf(s->arena, "%#llx", (unsigned long long)p->address);

	a->absent_at = p;
	return error_create(s->arena, err->kind, "'$%s' of '%s' at %s: %s", name, p->function, at,
			    err->text);
}

/* Handles a name that is not a variable: it may be an enumerator. */
static struct error *as_enumerator(struct session *s, const struct dwarf_place *p, const char *name,
				   const path_steps *path, bool address_of, struct error *err,
				   struct access *a)
{
	const char *global = global_name(s, name);
	struct dwarf_global constant = { .name = global ? global : name, .is_constant = true };
	struct unit_types *types;
	Dwarf_Die type;
	int64_t value;

	if (err->kind != ERROR_ABSENT || p->file->is_kernel ||
	    !dwarf_enumerator_from(s, p, constant.name, &type, &value) ||
	    dwarf_unit_types(s, p->file, &type, &types))
		return err;
	constant.address = (uint64_t)value;
	constant.btf = unittypes_btf(types);
	constant.type = unittypes_id(types, &type);
	return dwarf_constant(s, &constant, path, address_of, a);
}

struct error *dwarf_variable(struct session *s, const struct dwarf_place *p, const char *name,
			     const path_steps *path, bool address_of, struct access *a)
{
	struct wanted w = { s, p, path, address_of, a };
	struct unit_types *types;
	Dwarf_Die variable, frame;
	struct location l;
	struct error *err = find(s, p, name, &variable);

	if (err)
		return as_enumerator(s, p, name, path, address_of, err, a);
	err = dwarf_unit_types(s, p->file, &variable, &types);
	if (err)
		return err;
	if (!units_die(p->file, p->frame, &frame))
		return dwarf_failure(s, p->file);

	struct location_frame f = { p->address, p->is_entry, &frame, p->file };
	uint32_t type = unittypes_of(types, &variable);

	err = machine_location(s, &f, &variable, &l);
	if (err)
		return at_place(s, p, name, err, a);
	err = l.kind == LOCATION_POINTER ? through_pointer(&w, &l, &f, unittypes_btf(types), type)
					 : access_at(&w, &variable, unittypes_btf(types), type, &l);
	return err && l.kind == LOCATION_POINTER ? at_place(s, p, name, err, a) : err;
}

/* ---- lists ---- */

static bool listed(const dwarf_names *list, const char *name)
{
	vec_each(list, i)
		if (!strcmp(list->data[i].name, name))
			return true;
	return false;
}

static bool is_parameter(Dwarf_Die *v)
{
	return dwarf_tag(v) == DW_TAG_formal_parameter;
}

static int line_of(Dwarf_Die *v)
{
	int line = 0;

	return dwarf_decl_line(v, &line) ? 0 : line;
}

/*
 * Inserts a variable at its place: parameters first, as declared; then locals by line.
 * Variables of the same line keep their order.
 */
static void insert_in_order(struct session *s, variables *list, Dwarf_Die v)
{
	size_t i = list->count;

	vec_push(s->arena, list, v);
	for (; i > 0; i--) {
		Dwarf_Die *before = &list->data[i - 1];

		if (is_parameter(before) || (!is_parameter(&v) && line_of(before) <= line_of(&v)))
			break;
		list->data[i] = *before;
	}
	list->data[i] = v;
}

static bool is_here(struct session *s, const struct dwarf_place *p, Dwarf_Die *v)
{
	Dwarf_Die frame;
	struct location l;

	if (!units_die(p->file, p->frame, &frame))
		return false;

	struct location_frame f = { p->address, p->is_entry, &frame, p->file };

	return !machine_location(s, &f, v, &l) || l.is_unreadable;
}

void dwarf_variables(struct session *s, const struct dwarf_place *p, dwarf_names *ret)
{
	struct unit_types *types;
	variables list = { 0 }, sorted = { 0 };
	dwarf_names seen = { 0 };

	if (collect_local(s, p, &list) || !list.count ||
	    dwarf_unit_types(s, p->file, &list.data[0], &types))
		return;
	vec_each(&list, i) {
		struct dwarf_name n = { .name = dwarf_diename(&list.data[i]) };

		/*
		 * Skips Go's unnamed results, and variables that Go adds itself.
		 */
		if (*n.name == '~' || *n.name == '.' || listed(&seen, n.name))
			continue;
		vec_push(s->arena, &seen, n);
		insert_in_order(s, &sorted, list.data[i]);
	}
	vec_each(&sorted, i) {
		Dwarf_Die *v = &sorted.data[i];
		struct dwarf_name n = { .name = dwarf_diename(v),
					.is_parameter = is_parameter(v),
					.is_absent = !is_here(s, p, v) };

		n.c_type = types_str(s, unittypes_btf(types), unittypes_of(types, v));
		vec_push(s->arena, ret, n);
	}
}

struct error *dwarf_return_type(struct session *s, const struct dwarf_place *p, struct btf **btf,
				uint32_t *type)
{
	struct unit_types *types;
	Dwarf_Die function;
	struct error *err = instance_of(s, p, &function);

	if (!err)
		err = dwarf_unit_types(s, p->file, &function, &types);
	if (err)
		return err;
	*btf = unittypes_btf(types);
	*type = unittypes_of(types, &function);
	return NULL;
}
