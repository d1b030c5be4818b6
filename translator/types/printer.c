/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/printer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "formats/btf.h"
#include "lib/arena.h"
#include "types/tag.h"

#define MAX_BASES 9 /* one below the other */

static const struct row {
	enum printer_kind kind;
	const char *type, *data, *count;
} rows[] = {
#define PRINTER(kind, type, data, count) { PRINTER_##kind, type, data, count },
#include "types/printers.def"
};

static bool is_structure(const struct btf *btf, uint32_t type)
{
	unsigned kind = btf_kind(btf, type);

	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

static bool is_named(const struct btf *btf, const struct btf_member *m, const char *name,
		     size_t len)
{
	const char *own = btf_string(btf, m->name_off);

	return !strncmp(own, name, len) && !own[len];
}

/* Finds a member of a base class that is `below` classes down. */
static bool find_below(const struct btf *btf, uint32_t type, const char *name, size_t len,
		       unsigned below, struct printer_place *ret)
{
	uint32_t id = btf_skip(btf, type);
	const struct btf_type *t = btf_type(btf, id);

	if (!is_structure(btf, id))
		return false;
	for (unsigned i = 0; i < btf_vlen_of(t); i++) {
		const struct btf_member *m = (const struct btf_member *)btf_tail(t) + i;
		bool is_base = !m->name_off;

		if (is_base != (below > 0) || (!below && !is_named(btf, m, name, len)))
			continue;
		if (!below)
			*ret = (struct printer_place){ .type = m->type };
		else if (!find_below(btf, m->type, name, len, below - 1, ret))
			continue;
		ret->offset +=
			(BTF_INFO_KFLAG(t->info) ? BTF_MEMBER_BIT_OFFSET(m->offset) : m->offset) /
			8;
		return true;
	}
	return false;
}

/* Finds a member by its path, through base classes, too. */
static bool find_member(const struct btf *btf, uint32_t type, const char *path,
			struct printer_place *ret)
{
	struct printer_place at = { .type = type }, next;

	while (*path) {
		size_t len = strcspn(path, ".");
		unsigned below = 0;

		while (below < MAX_BASES && !find_below(btf, at.type, path, len, below, &next))
			below++;
		if (below == MAX_BASES)
			return false;
		at = (struct printer_place){ at.offset + next.offset, next.type };
		path += len + (path[len] == '.');
	}
	*ret = at;
	return true;
}

static bool matches(const char *pattern, const char *name)
{
	size_t len = strlen(pattern);

	if (pattern[len - 1] == '*')
		return !strncmp(pattern, name, len - 1);
	return !strncmp(pattern, name, len) && (!name[len] || name[len] == '<');
}

/* Returns the type of a template's first parameter, by its name; 0: there is none. */
static uint32_t first_parameter(struct session *s, const struct btf *btf, const char *name)
{
	const char *begin = strchr(name, '<'), *end;
	unsigned depth = 0;

	if (!begin)
		return 0;
	for (end = ++begin; *end && (depth || (*end != ',' && *end != '>')); end++) {
		depth += *end == '<' || *end == '(' || *end == '[';
		depth -= depth && (*end == '>' || *end == ')' || *end == ']');
	}
	return btf_find_type((struct btf *)btf,
			     arena_strndup(s->arena, begin, (size_t)(end - begin)),
			     1u << BTF_KIND_INT | 1u << BTF_KIND_STRUCT | 1u << BTF_KIND_FLOAT |
				     1u << BTF_KIND_ENUM | 1u << BTF_KIND_PTR);
}

static bool is_byte(const struct btf *btf, uint32_t type)
{
	return btf_kind(btf, btf_skip(btf, type)) == BTF_KIND_INT && btf_size(btf, type) == 1;
}

/* Finds the element type of a pointer. Rust's Vec only has a pointer to bytes. */
static bool find_element(struct session *s, const struct btf *btf, uint32_t type,
			 struct printer *ret)
{
	uint32_t pointer = btf_skip(btf, ret->data.type);

	if (btf_kind(btf, pointer) != BTF_KIND_PTR || btf_pointer_size(btf) != 8)
		return false;
	ret->element = btf_type(btf, pointer)->type;
	if (ret->kind == PRINTER_LIST && !strncmp(btf_name(btf, type), "alloc::vec::Vec<", 16))
		ret->element = first_parameter(s, btf, btf_name(btf, type));
	ret->size = btf_size(btf, ret->element);
	return ret->kind == PRINTER_POINTER ||
	       (ret->kind == PRINTER_LETTERS || ret->kind == PRINTER_SHORT
			? is_byte(btf, ret->element)
			: ret->element && ret->size && ret->size <= UINT32_MAX);
}

static bool find_array(const struct btf *btf, struct printer *ret)
{
	uint32_t id = btf_skip(btf, ret->data.type);
	const struct btf_array *array;

	if (btf_kind(btf, id) != BTF_KIND_ARRAY)
		return false;
	array = btf_tail(btf_type(btf, id));
	ret->element = array->type;
	ret->number = array->nelems;
	ret->size = btf_size(btf, array->type);
	return ret->size > 0 && ret->size <= UINT32_MAX;
}

static bool is_number(const struct btf *btf, uint32_t type)
{
	unsigned kind = btf_kind(btf, btf_skip(btf, type));

	return (kind == BTF_KIND_INT || kind == BTF_KIND_PTR) && btf_size(btf, type) <= 8;
}

static bool find_complex(const struct btf *btf, struct printer *ret)
{
	ret->size = btf_size(btf, ret->data.type);
	return btf_kind(btf, ret->data.type) == BTF_KIND_FLOAT &&
	       btf_kind(btf, ret->count.type) == BTF_KIND_FLOAT &&
	       (ret->size == 4 || ret->size == 8);
}

static bool find_names(const struct btf *btf, uint32_t type, struct printer *ret)
{
	const char *tag = tag_of(btf, btf_skip(btf, type), TAG_WHOLE);

	if (!tag || strncmp(tag, TAG_TYPES, strlen(TAG_TYPES)) || ret->data.offset != 8 ||
	    ret->count.offset)
		return false;
	ret->names = (uint32_t)strtoul(tag + strlen(TAG_TYPES), NULL, 10);
	return ret->names > 0;
}

/* True: the type has the members that the row names, with the types that it gives. */
static bool fits(struct session *s, const struct btf *btf, uint32_t type, const struct row *row,
		 struct printer *ret)
{
	*ret = (struct printer){ .kind = row->kind };
	if (row->data && !find_member(btf, type, row->data, &ret->data))
		return false;
	if (row->count && !find_member(btf, type, row->count, &ret->count))
		return false;
	if (row->count && row->kind != PRINTER_COMPLEX && !is_number(btf, ret->count.type))
		return false;
	if (ret->data.offset > UINT32_MAX || ret->count.offset > UINT32_MAX)
		return false;
	switch (row->kind) {
	case PRINTER_SIZE:
	case PRINTER_OPTIONAL:
		return true;
	case PRINTER_COMPLEX:
		return find_complex(btf, ret);
	case PRINTER_DYNAMIC:
		return find_names(btf, type, ret);
	case PRINTER_ARRAY:
		return find_array(btf, ret);
	case PRINTER_SHORT:
		return ret->count.offset == 8 && ret->data.offset == 16 &&
		       find_element(s, btf, type, ret);
	case PRINTER_LETTERS:
	case PRINTER_LIST:
	case PRINTER_SPAN:
	case PRINTER_POINTER:
		return find_element(s, btf, type, ret);
	}
	return false;
}

bool printer_find(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret)
{
	uint32_t id = btf_skip(btf, type);

	if (!is_structure(btf, id) || !*btf_name(btf, id))
		return false;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (matches(rows[i].type, btf_name(btf, id)) && fits(s, btf, id, &rows[i], ret))
			return true;
	return false;
}
