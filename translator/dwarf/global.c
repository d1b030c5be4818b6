/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables and types that belong to no function: variables by the index, types by a
 * search through the units of a program. Types that a unit only declares are found here,
 * in the other units.
 */
#include <dwarf.h>
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/index.h"
#include "dwarf/lines.h"
#include "dwarf/scopenames.h"
#include "dwarf/typeunits.h"
#include "dwarf/units.h"
#include "formats/btf.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/hashmap.h"
#include "program/cplus.h"
#include "types/types.h"

#define MAX_NESTING 256

/* ---- enumerators ---- */

/* The enumerator to find: "Paid" of "shop::State". */
struct wanted_enumerator {
	struct session *s;
	const char *scope; /* NULL: any */
	const char *name;
	bool is_scoped; /* the unit's language has scopes */
};

static struct wanted_enumerator wanted_enumerator(struct session *s, const char *text)
{
	struct wanted_enumerator ret = { .s = s, .name = text };

	for (const char *at = text; (at = strstr(at, "::")); at += 2)
		ret.name = at + 2;
	if (ret.name != text)
		ret.scope = arena_strndup(s->arena, text, (size_t)(ret.name - text) - 2);
	return ret;
}

static const char *scope_in(struct session *s, const char *scope, const char *name)
{
	return !name ? scope : scope ? arena_printf(s->arena, "%s::%s", scope, name) : name;
}

/* True: the wanted scope is that of the enumeration, or the enumeration itself. */
static bool is_its_scope(const struct wanted_enumerator *w, Dwarf_Die *type, const char *scope)
{
	return !w->scope ||
	       cplus_scope_matches(w->s->arena, w->scope,
				   scope_in(w->s, scope, dwarf_diename(type))) ||
	       (scope && !dwarf_hasattr(type, DW_AT_enum_class) &&
		cplus_scope_matches(w->s->arena, w->scope, scope));
}

/* Finds an enumerator, and sets *type to its enumeration. */
static bool enumerator_of(Dwarf_Die *type, const char *name, int64_t *ret)
{
	Dwarf_Die e;

	if (dwarf_child(type, &e))
		return false;
	do {
		if (dwarf_tag(&e) == DW_TAG_enumerator && dwarf_diename(&e) &&
		    !strcmp(dwarf_diename(&e), name)) {
			*ret = unittypes_enumerator_value(&e);
			return true;
		}
	} while (!dwarf_siblingof(&e, &e));
	return false;
}

static bool has_enumerations(int tag, bool is_scoped)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram ||
	       (is_scoped && (tag == DW_TAG_namespace || tag == DW_TAG_structure_type ||
			      tag == DW_TAG_class_type));
}

static bool enumerator_in(const struct wanted_enumerator *w, Dwarf_Die *in, const char *scope,
			  unsigned depth, Dwarf_Die *type, int64_t *ret)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(in, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);

		*type = child;
		if (tag == DW_TAG_enumeration_type && enumerator_of(&child, w->name, ret) &&
		    is_its_scope(w, &child, scope))
			return true;
		if (has_enumerations(tag, w->is_scoped) && (depth || tag != DW_TAG_subprogram) &&
		    enumerator_in(w, &child,
				  w->scope ? scope_in(w->s, scope, dwarf_diename(&child)) : NULL,
				  depth + 1, type, ret))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

static bool find_enumerator(struct session *s, struct dwarf_file *f, const char *name,
			    Dwarf_Die *type, int64_t *ret)
{
	struct wanted_enumerator w = wanted_enumerator(s, name);
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (units_next(s, f, &cu, &unit)) {
		w.is_scoped = scopenames_are_in(&unit);
		if (enumerator_in(&w, &unit, NULL, 0, type, ret))
			return true;
	}
	return false;
}

bool dwarf_enumerator_from(struct session *s, const struct dwarf_place *p, const char *name,
			   Dwarf_Die *type, int64_t *ret)
{
	struct wanted_enumerator w = wanted_enumerator(s, name);
	Dwarf_Die function, unit;

	if (units_die(p->file, p->instance, &function)) {
		if (enumerator_in(&w, &function, NULL, 1, type, ret))
			return true;
		if (dwarf_diecu(&function, &unit, NULL, NULL)) {
			w.is_scoped = scopenames_are_in(&unit);
			if (enumerator_in(&w, &unit, NULL, 0, type, ret))
				return true;
		}
	}
	return find_enumerator(s, p->file, name, type, ret);
}

struct error *dwarf_enumerator(struct session *s, struct dwarf_file *f, const char *name,
			       int64_t *ret)
{
	Dwarf_Die type;

	if (find_enumerator(s, f, name, &type, ret))
		return NULL;
	return error_create(s->arena, ERROR_ABSENT, "no enumerator '%s' in the debuginfo of %s",
			    name, f->path);
}

/* ---- variables ---- */

struct hunt {
	struct session *s;
	struct dwarf_file *f;
	const struct dwarf_index *x;
	const char *name, *scope, *file; /* scope and file may be NULL: any */
};

static const char *near_variables(const struct hunt *h)
{
	VEC(const char *) names = { 0 };

	for (size_t i = 0; i < h->x->ncopies; i++)
		if (h->x->copies[i].flags & COPY_VARIABLE)
			vec_push(h->s->arena, &names, index_text(h->x, h->x->copies[i].name));
	return diag_near(h->s, h->name, names.data, names.count);
}

static bool is_meant(const struct hunt *h, const struct index_copy *c)
{
	return c->flags & COPY_VARIABLE &&
	       cplus_scope_matches(h->s->arena, h->scope, index_text(h->x, c->scope)) &&
	       (!h->file || glob_path_ends(h->file, index_file(h->x, c->file)));
}

/* Chooses the variable that other files see; of several that none sees, the first. */
static struct error *choose(const struct hunt *h, const struct index_copy **ret)
{
	const struct index_copy *first = NULL, *external = NULL;
	size_t begin, end;
	const char *near;

	index_range(h->x, h->name, strlen(h->name) + 1, &begin, &end);
	for (size_t i = begin; i < end; i++) {
		const struct index_copy *c = &h->x->copies[i];

		if (!is_meant(h, c))
			continue;
		if (!first || c->die < first->die)
			first = c;
		if (c->flags & COPY_EXTERNAL && !external)
			external = c;
	}
	*ret = external ? external : first;
	if (*ret)
		return NULL;
	near = near_variables(h);
	return error_create(h->s->arena, ERROR_ABSENT, "no variable '%s'%s%s in %s%s%s", h->name,
			    h->file ? " of " : "", h->file ? h->file : "", h->f->path,
			    near ? "; did you mean " : "", near ? near : "");
}

static struct error *find_copy(struct session *s, struct dwarf_file *f, const char *pattern,
			       const struct index_copy **copy, Dwarf_Die *die)
{
	const char *at = strchr(pattern, '@');
	struct hunt h = { .s = s, .f = f, .file = at && at[1] ? at + 1 : NULL };
	struct error *err = index_get(s, f, &h.x);
	struct cplus_name name;

	name = cplus_split(s->arena,
			   at ? arena_strndup(s->arena, pattern, (size_t)(at - pattern)) : pattern);
	h.name = name.function;
	h.scope = name.scope;
	if (!err)
		err = choose(&h, copy);
	if (err)
		return err;
	return units_die(f, (*copy)->die, die) ? NULL : dwarf_failure(s, f);
}

struct error *dwarf_global_die(struct session *s, struct dwarf_file *f, const char *pattern,
			       Dwarf_Die *ret)
{
	const struct index_copy *c;

	return find_copy(s, f, pattern, &c, ret);
}

/* Handles a name that is not a variable: it may be an enumerator. */
static struct error *as_enumerator(struct session *s, struct dwarf_file *f, const char *name,
				   struct error *err, struct dwarf_global *ret)
{
	struct unit_types *types;
	Dwarf_Die type;
	int64_t value;

	if (err->kind != ERROR_ABSENT || f->is_kernel ||
	    !find_enumerator(s, f, name, &type, &value) || dwarf_unit_types(s, f, &type, &types))
		return err;
	*ret = (struct dwarf_global){ .name = name,
				      .address = (uint64_t)value,
				      .btf = unittypes_btf(types),
				      .type = unittypes_id(types, &type),
				      .is_constant = true };
	return NULL;
}

struct error *dwarf_global(struct session *s, struct dwarf_file *f, const char *pattern,
			   struct dwarf_global *ret)
{
	const struct index_copy *c;
	struct unit_types *types;
	Dwarf_Die die;
	struct error *err = find_copy(s, f, pattern, &c, &die);

	if (err)
		return as_enumerator(s, f, pattern, err, ret);
	err = dwarf_unit_types(s, f, &die, &types);
	if (err)
		return err;
	*ret = (struct dwarf_global){
		.name = dwarf_diename(&die),
		.address = c->address,
		.btf = unittypes_btf(types),
		.type = unittypes_of(types, &die),
		.is_thread_local = c->flags & COPY_THREAD,
		.is_constant = (c->flags & COPY_CONSTANT) == COPY_CONSTANT,
	};
	return NULL;
}

/* ---- variables that are only declared ---- */

/* The result of a search. */
struct declared {
	struct dwarf_global *variable; /* NULL: there is none */
};

static bool find_declaration(Dwarf_Die *unit, const char *name, Dwarf_Die *ret)
{
	const char *its;

	if (dwarf_child(unit, ret))
		return false;
	do {
		its = dwarf_tag(ret) == DW_TAG_variable ? dwarf_diename(ret) : NULL;
		if (its && !strcmp(its, name) && dwarf_hasattr(ret, DW_AT_declaration))
			return true;
	} while (!dwarf_siblingof(ret, ret));
	return false;
}

static bool symbol_address(const struct dwarf_file *f, const char *name, uint64_t *ret)
{
	int n = dwfl_module_getsymtab(f->module);

	for (int i = 1; i < n; i++) {
		GElf_Sym sym;
		const char *its =
			dwfl_module_getsym_info(f->module, i, &sym, ret, NULL, NULL, NULL);

		if (its && !strcmp(its, name) && sym.st_shndx != SHN_UNDEF &&
		    GELF_ST_TYPE(sym.st_info) != STT_FUNC) {
			*ret -= f->bias;
			return true;
		}
	}
	return false;
}

/* Searches all units, or those of one file. */
static bool find_in_units(struct session *s, struct dwarf_file *f, const char *name,
			  const char *file, Dwarf_Die *ret)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	while (units_next(s, f, &cu, &unit)) {
		const char *path = dwarf_diename(&unit);

		if (file && !(path && glob_path_ends(file, path)))
			continue;
		if (find_declaration(&unit, name, ret))
			return true;
	}
	return false;
}

/*
 * Finds a variable at that address: the linker gives some a second name, such as jiffies
 * for jiffies_64, which clang does not describe.
 */
static bool find_at(struct session *s, struct dwarf_file *f, uint64_t address, Dwarf_Die *ret)
{
	const struct dwarf_index *x;

	if (index_get(s, f, &x))
		return false;
	for (size_t i = 0; i < x->ncopies; i++) {
		const struct index_copy *c = &x->copies[i];

		if (c->address == address &&
		    (c->flags & (COPY_CONSTANT | COPY_THREAD)) == COPY_VARIABLE)
			return units_die(f, c->die, ret);
	}
	return false;
}

/* Returns NULL if there is none. */
static struct dwarf_global *look_for_declared(struct session *s, struct dwarf_file *f,
					      const char *pattern)
{
	const char *at = strchr(pattern, '@');
	const char *name = at ? arena_strndup(s->arena, pattern, (size_t)(at - pattern)) : pattern;
	struct dwarf_global *ret = arena_new(s->arena, struct dwarf_global);
	struct unit_types *types;
	Dwarf_Die die;

	ret->name = name;
	if (!symbol_address(f, name, &ret->address) ||
	    (!find_in_units(s, f, name, at && at[1] ? at + 1 : NULL, &die) &&
	     (at || !find_at(s, f, ret->address, &die))) ||
	    dwarf_unit_types(s, f, &die, &types))
		return NULL;
	ret->btf = unittypes_btf(types);
	ret->type = unittypes_of(types, &die);
	return ret;
}

struct error *dwarf_declared(struct session *s, struct dwarf_file *f, const char *pattern,
			     struct dwarf_global *ret)
{
	struct declared *known = hashmap_get(&f->declared, pattern);

	if (!known) {
		known = arena_new(s->arena, struct declared);
		known->variable = look_for_declared(s, f, pattern);
		if (!f->declared.arena)
			hashmap_init(&f->declared, s->arena);
		hashmap_put(&f->declared, arena_strdup(s->arena, pattern), known);
	}
	if (!known->variable)
		return error_create(s->arena, ERROR_ABSENT, "no variable '%s' in %s", pattern,
				    f->path);
	*ret = *known->variable;
	return NULL;
}

bool dwarf_declares(const struct dwarf_place *p, const char *name)
{
	Dwarf_Die die, unit;

	return p->file && units_die(p->file, p->instance, &die) &&
	       dwarf_diecu(&die, &unit, NULL, NULL) && find_declaration(&unit, name, &die);
}

/* ---- types ---- */

static const struct {
	const char *word;
	int tag;
} tagged[] = {
	{ "struct ", DW_TAG_structure_type },
	{ "union ", DW_TAG_union_type },
	{ "enum ", DW_TAG_enumeration_type },
	{ "class ", DW_TAG_class_type },
};

static bool is_named_type(int tag)
{
	switch (tag) {
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_class_type:
	case DW_TAG_typedef:
	case DW_TAG_base_type:
		return true;
	default:
		return false;
	}
}

struct wanted_type {
	struct arena *arena;
	struct cplus_name name;
	int tag;	/* 0: of any kind */
	bool is_scoped; /* the unit's language has namespaces and classes */
};

/* A C++ class may be requested as struct. */
static bool is_wanted(const struct wanted_type *w, Dwarf_Die *die, int tag, const char *scope)
{
	const char *its =
		is_named_type(tag) &&
				(!w->tag || tag == w->tag ||
				 (tag == DW_TAG_class_type && w->tag == DW_TAG_structure_type))
			? dwarf_diename(die)
			: NULL;

	if (!its || strcmp(its, w->name.function) || dwarf_hasattr(die, DW_AT_declaration))
		return false;
	if (w->is_scoped && dwarf_hasattr(die, DW_AT_specification))
		scope = typeunits_scope(w->arena, die);
	return cplus_scope_matches(w->arena, w->name.scope, scope ? scope : "");
}

static bool find_in(const struct wanted_type *w, Dwarf_Die *in, const char *scope, unsigned depth,
		    Dwarf_Die *ret)
{
	Dwarf_Die child;

	if (depth > MAX_NESTING || dwarf_child(in, &child))
		return false;
	do {
		int tag = dwarf_tag(&child);
		const char *name;

		if (is_wanted(w, &child, tag, scope)) {
			*ret = child;
			return true;
		}
		if (!w->is_scoped || (tag != DW_TAG_namespace && tag != DW_TAG_structure_type &&
				      tag != DW_TAG_class_type))
			continue;
		name = dwarf_diename(&child);
		if (find_in(w, &child,
			    !name    ? scope
			    : *scope ? arena_printf(w->arena, "%s::%s", scope, name)
				     : name,
			    depth + 1, ret))
			return true;
	} while (!dwarf_siblingof(&child, &child));
	return false;
}

struct error *dwarf_type(struct session *s, struct dwarf_file *f, const char *name,
			 struct btf **btf, uint32_t *ret)
{
	struct wanted_type w = { .arena = s->arena };
	const char *plain = name;
	struct unit_types *types;
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, type;

	for (size_t i = 0; i < sizeof(tagged) / sizeof(tagged[0]); i++)
		if (!strncmp(name, tagged[i].word, strlen(tagged[i].word))) {
			plain = name + strlen(tagged[i].word);
			w.tag = tagged[i].tag;
		}
	w.name = cplus_split(s->arena, plain);
	while (units_next(s, f, &cu, &unit)) {
		struct error *err;

		w.is_scoped = scopenames_are_in(&unit);
		if (!find_in(&w, &unit, "", 0, &type))
			continue;
		err = dwarf_unit_types(s, f, &type, &types);
		if (err)
			return err;
		*btf = unittypes_btf(types);
		*ret = unittypes_id(types, &type);
		return NULL;
	}
	return error_create(s->arena, ERROR_ABSENT, "no type '%s' in the debuginfo of %s", name,
			    f->path);
}

/* ---- the types of a unit ---- */

struct elsewhere {
	struct session *s;
	struct dwarf_file *f;
};

/*
 * Finds a type that is defined in another unit of the file, or in the kernel's own table.
 */
struct definition {
	struct btf *btf;
	uint32_t id;
};

static struct definition look_for_definition(struct elsewhere *e, const char *type)
{
	struct definition ret = { 0 };

	if (e->f->is_kernel && !types_find(e->s, e->f->module_name, type, &ret.btf, &ret.id))
		return ret;
	if (dwarf_type(e->s, e->f, type, &ret.btf, &ret.id))
		ret.id = 0;
	return ret;
}

static uint32_t definition_elsewhere(void *ctx, const char *name, bool is_union, struct btf **ret)
{
	struct elsewhere *e = ctx;
	struct hashmap *all = &e->f->definitions;
	const char *type = arena_printf(e->s->arena, "%s %s", is_union ? "union" : "struct", name);
	struct definition *d;

	if (!all->arena)
		hashmap_init(all, e->s->arena);
	d = hashmap_get(all, type);
	if (!d) {
		d = arena_new(e->s->arena, struct definition);
		*d = look_for_definition(e, type);
		hashmap_put(all, type, d);
	}
	if (d->id)
		*ret = d->btf;
	return d->id;
}

static void set_definitions(struct session *s, struct dwarf_file *f, struct unit_types *types)
{
	struct elsewhere *e = arena_new(s->arena, struct elsewhere);

	*e = (struct elsewhere){ s, f };
	btf_set_definitions(unittypes_btf(types), definition_elsewhere, e);
}

struct error *dwarf_unit_types(struct session *s, struct dwarf_file *f, Dwarf_Die *any,
			       struct unit_types **ret)
{
	struct unit_entry entry = { 0 };
	struct error *err;
	Dwarf_Die unit;

	if (!dwarf_diecu(any, &unit, NULL, NULL))
		return dwarf_failure(s, f);
	entry.unit = unit.addr;
	vec_each(&f->units, i)
		if (f->units.data[i].unit == entry.unit) {
			*ret = f->units.data[i].types;
			return NULL;
		}
	err = unittypes_read(s, f->path, any, &entry.types);
	if (err)
		return err;
	set_definitions(s, f, entry.types);
	vec_push(s->arena, &f->units, entry);
	*ret = entry.types;
	return NULL;
}
