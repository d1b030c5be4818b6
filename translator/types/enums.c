/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enumerators by name and by value. The search goes through the whole table, once for
 * each enumerator that a script names.
 */
#include "types/enums.h"

#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "kernel/facts.h"
#include "lib/hashmap.h"
#include "types/relocation.h"
#include "types/types.h"

/*
 * Returns the name of row i of an enumeration of either kind: most rows are compared only
 * by name.
 */
static uint32_t row_name(const struct btf_type *t, unsigned i)
{
	if (btf_kind_of(t) == BTF_KIND_ENUM)
		return ((const struct btf_enum *)btf_tail(t))[i].name_off;
	return ((const uint32_t *)btf_tail(t))[3 * i];
}

static int64_t row_value(const struct btf_type *t, unsigned i)
{
	const uint32_t *words = btf_tail(t);

	if (btf_kind_of(t) == BTF_ID_ENUM64)
		return (int64_t)((uint64_t)words[3 * i + 2] << 32 | words[3 * i + 1]);

	int32_t value = ((const struct btf_enum *)btf_tail(t))[i].val;

	return types_enum_is_signed(t) ? value : (int64_t)(uint32_t)value;
}

static bool is_enum(const struct btf *b, uint32_t id)
{
	return btf_kind(b, id) == BTF_KIND_ENUM || btf_kind(b, id) == BTF_ID_ENUM64;
}

/* ---- a value by name ---- */

/*
 * The search for enumerators of one name keeps the two smallest values, each with its
 * type. The order of kernels' tables differs from build to build, but the message must
 * not.
 */
struct search {
	struct session *s;
	const char *name;
	const struct btf *btf; /* table that it was found in */
	uint32_t type, other;  /* other: with another value */
	int64_t value, other_value;
};

static bool is_earlier_type(const struct search *search, const struct btf *b, uint32_t id,
			    uint32_t than)
{
	return strcmp(types_str(search->s, b, id), types_str(search->s, b, than)) < 0;
}

static void keep_enumerator(struct search *search, const struct btf *b, uint32_t id, int64_t value)
{
	bool is_other = search->type && value != search->value;

	if (!search->type || value < search->value ||
	    (value == search->value && is_earlier_type(search, b, id, search->type))) {
		if (is_other) {
			search->other = search->type;
			search->other_value = search->value;
		}
		search->btf = b;
		search->type = id;
		search->value = value;
	} else if (is_other && (!search->other || value < search->other_value ||
				(value == search->other_value &&
				 is_earlier_type(search, b, id, search->other)))) {
		search->other = id;
		search->other_value = value;
	}
}

static void search_type(struct search *search, const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, id);

	for (unsigned i = 0; i < btf_vlen_of(t); i++)
		if (!strcmp(btf_string(b, row_name(t, i)), search->name))
			keep_enumerator(search, b, id, row_value(t, i));
}

static void search_table(struct search *search, const struct btf *b)
{
	for (uint32_t id = btf_first(b); id < btf_end(b); id++)
		if (is_enum(b, id))
			search_type(search, b, id);
}

/* ---- existence of a name ---- */

typedef VEC(const char *) name_list;

/* Appends the names of a table's enumerators. */
static void add_names(struct session *s, const struct btf *b, name_list *ret)
{
	for (uint32_t id = btf_first(b); id < btf_end(b); id++)
		for (unsigned i = 0; is_enum(b, id) && i < btf_vlen_of(btf_type(b, id)); i++)
			vec_push(s->arena, ret, btf_string(b, row_name(btf_type(b, id), i)));
}

static const struct hashmap *kernel_names(struct session *s, const struct btf *b)
{
	struct facts *f = session_facts(s);
	name_list names = { 0 };

	if (f->enumerators)
		return f->enumerators;
	add_names(s, b, &names);
	hashmap_made(&f->enumerators, s->arena);
	vec_each(&names, i)
		hashmap_put(f->enumerators, names.data[i], f);
	return f->enumerators;
}

static bool has_enumerator(struct session *s, const struct btf *b, const char *name)
{
	struct search search = { .s = s, .name = name };

	search_table(&search, b);
	return search.type != 0;
}

bool enums_have(struct session *s, const char *module, const char *name)
{
	struct btf *b, *own;

	if (kernel_btf(s, &b))
		return false;
	if (hashmap_get(kernel_names(s, b), name))
		return true;
	return module && !kernel_module_btf(s, module, &own) && own != b &&
	       has_enumerator(s, own, name);
}

/* ---- the search ---- */

static const char *near_enumerators(struct session *s, const struct btf *b, const char *name)
{
	name_list names = { 0 };

	for (; b; b = btf_base(b))
		add_names(s, b, &names);
	return diag_near(s, name, names.data, names.count);
}

static struct error *differing(const struct search *search)
{
	struct session *s = search->s;

	return error_create(
		s->arena, ERROR_SCRIPT, "'%s' is %lld in '%s' and %lld in '%s'; write the number",
		search->name, (long long)search->value, types_str(s, search->btf, search->type),
		(long long)search->other_value, types_str(s, search->btf, search->other));
}

struct error *enums_find(struct session *s, const char *module, const char *name,
			 struct enum_value *ret)
{
	struct search search = { .s = s, .name = name };
	struct btf *b;
	struct error *err = kernel_module_btf(s, module, &b);
	const char *near;

	if (err)
		return err;
	for (const struct btf *t = b; t && !search.type; t = btf_base(t))
		search_table(&search, t);
	*ret = (struct enum_value){ .value = search.value, .btf = b, .type = search.type };
	if (search.type)
		return search.other ? differing(&search) : NULL;
	near = near_enumerators(s, b, name);
	return error_create(s->arena, ERROR_ABSENT, "no enumerator '%s' in the BTF of %s%s%s", name,
			    module ? module : "the kernel", near ? "; did you mean " : "",
			    near ? near : "");
}

struct error *enums_enumerator(struct session *s, const char *module, const char *name,
			       int64_t *ret)
{
	struct enum_value found = { 0 };
	struct error *err = enums_find(s, module, name, &found);

	*ret = found.value;
	return err;
}

/* ---- names by value ---- */

const struct enumeration *enums_enumeration(struct session *s, const struct btf *btf,
					    uint32_t type_id)
{
	uint32_t id = btf_skip(btf, type_id);
	const struct btf_type *t = btf_type(btf, id);
	struct enumeration *e;

	if (!is_enum(btf, id))
		return NULL;
	e = arena_new(s->arena, struct enumeration);
	for (unsigned i = 0; i < btf_vlen_of(t); i++)
		vec_push(s->arena, &e->rows,
			 ((struct enumerator){ .name = btf_string(btf, row_name(t, i)),
					       .value = row_value(t, i) }));
	e->field = relocation_names(s, btf, e);
	return e;
}
