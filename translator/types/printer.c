/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "types/printer.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "formats/btf.h"
#include "lib/arena.h"
#include "types/shape.h"
#include "types/tag.h"

#define MAX_BASES 9 /* one below the other */

static const struct printer_row rows[] = {
#define WITH(kind, type, data, count, more) { PRINTER_##kind, type, data, count, more },
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

bool printer_member(const struct btf *btf, uint32_t type, const char *path,
		    struct printer_place *ret)
{
	struct printer_place at = { .type = type }, next;

	while (*path && *path != ' ') {
		size_t len = strcspn(path, ". ");
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

/* Returns the end of a template's parameter that begins there. */
static const char *parameter_end(const char *begin)
{
	const char *end = begin;

	for (unsigned depth = 0; *end && (depth || (*end != ',' && *end != '>')); end++) {
		depth += *end == '<' || *end == '(' || *end == '[';
		depth -= depth && (*end == '>' || *end == ')' || *end == ']');
	}
	return end;
}

/* Returns a template's parameter as text; NULL: there is none. */
static const char *parameter(struct session *s, const char *name, unsigned number)
{
	const char *begin = strchr(name, '<'), *end;

	for (begin = begin ? begin + 1 : ""; number && *begin; number--) {
		begin = parameter_end(begin);
		begin += *begin == ',';
		begin += *begin == ' ';
	}
	end = parameter_end(begin);
	while (end > begin && end[-1] == ' ')
		end--;
	return end > begin ? arena_strndup(s->arena, begin, (size_t)(end - begin)) : NULL;
}

/* Returns the type of a template's first parameter; 0: it is not known. */
static uint32_t first_parameter(struct session *s, const struct btf *btf, uint32_t type)
{
	const char *tag = tag_of(btf, type, TAG_WHOLE), *name;

	if (tag && !strncmp(tag, TAG_FIRST, strlen(TAG_FIRST)))
		return (uint32_t)strtoul(tag + strlen(TAG_FIRST), NULL, 10);
	name = parameter(s, btf_name(btf, type), 0);
	return name ? btf_find_type((struct btf *)btf, name,
				    1u << BTF_KIND_INT | 1u << BTF_KIND_STRUCT |
					    1u << BTF_KIND_FLOAT | 1u << BTF_KIND_ENUM)
		    : 0;
}

uint32_t printer_value(struct session *s, const struct btf *btf, uint32_t type)
{
	static const char bytes[] = "__gnu_cxx::__aligned_";
	uint32_t id = btf_skip(btf, type);

	return strncmp(btf_name(btf, id), bytes, strlen(bytes)) ? type
								: first_parameter(s, btf, id);
}

static bool is_letter(const struct btf *btf, uint32_t type)
{
	uint64_t size = btf_size(btf, type);

	return btf_kind(btf, btf_skip(btf, type)) == BTF_KIND_INT && size && size <= 4 && size != 3;
}

static bool is_element(const struct btf *btf, const struct printer *p)
{
	return p->element && p->size && p->size <= UINT32_MAX &&
	       btf_kind(btf, btf_skip(btf, p->element)) != BTF_KIND_UNKN;
}

/* Finds the place of a text behind the numbers of its owners, which it is stored with. */
static void find_counted(const struct btf *btf, struct printer *ret)
{
	static const char *const names[] = { "value", "data" };

	for (size_t i = 0; !ret->more.offset && i < sizeof(names) / sizeof(names[0]); i++)
		printer_member(btf, ret->element, names[i], &ret->more);
}

/* Finds the element type of a pointer. Rust's lists only have a pointer to bytes. */
static bool find_element(struct session *s, const struct btf *btf, uint32_t type,
			 struct printer *ret)
{
	uint32_t pointer = btf_skip(btf, ret->data.type);
	bool is_rust =
		!strncmp(btf_name(btf, type), "alloc::vec::Vec<", 16) || ret->kind == PRINTER_RING;

	if (btf_kind(btf, pointer) != BTF_KIND_PTR || btf_pointer_size(btf) != 8)
		return false;
	ret->element = is_rust ? first_parameter(s, btf, type) : btf_type(btf, pointer)->type;
	ret->size = btf_size(btf, ret->element);
	switch (ret->kind) {
	case PRINTER_POINTER:
	case PRINTER_SHARED:
		return true;
	case PRINTER_BYTES:
	case PRINTER_ENDED:
		ret->size = 1;
		find_counted(btf, ret);
		return ret->more.offset <= UINT32_MAX;
	case PRINTER_LETTERS:
	case PRINTER_SHORT:
		return is_letter(btf, ret->element);
	case PRINTER_LIST:
	case PRINTER_SPAN:
		if (shape_is_char(btf, ret->element))
			ret->kind = PRINTER_LETTERS;
		return is_element(btf, ret);
	default:
		return is_element(btf, ret);
	}
}

/* A list's number of elements may be part of its type. */
static bool find_list(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret)
{
	const char *number = ret->row->count ? "" : parameter(s, btf_name(btf, type), 1);

	if (!number || strlen(number) > 10)
		return false;
	ret->number = (uint32_t)strtoul(number, NULL, 10);
	return find_element(s, btf, type, ret);
}

/* Finds the address of the next node in a node. */
static bool find_next(const struct btf *btf, uint32_t node, struct printer *ret)
{
	struct printer_place next;

	if (!printer_member(btf, node, "_M_next", &next) &&
	    !printer_member(btf, node, "__next_", &next))
		return false;
	ret->number = (uint32_t)next.offset;
	return next.offset <= UINT8_MAX;
}

/* Finds the node of a list, and the value in it. */
static bool find_node(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret)
{
	const char *more = ret->row->more, *end = strrchr(more, ' '), *mark = strchr(more, '$'),
		   *of = parameter(s, btf_name(btf, type), 0);
	uint32_t node;

	if (!of)
		return false;
	node = btf_find_type((struct btf *)btf,
			     arena_printf(s->arena, "%.*s%s%s%.*s", (int)(mark - more), more, of,
					  of[strlen(of) - 1] == '>' && mark[1] == '>' ? " " : "",
					  (int)(end - mark - 1), mark + 1),
			     1u << BTF_KIND_STRUCT);
	if (!node || !printer_member(btf, node, end + 1, &ret->more) ||
	    ret->more.offset > UINT32_MAX || !find_next(btf, node, ret))
		return false;
	ret->element = printer_value(s, btf, ret->more.type);
	ret->size = btf_size(btf, ret->element);
	return is_element(btf, ret);
}

/* Arrays of libc++'s deque have 4096 bytes, or 16 elements if that is more. */
static bool find_chunks(const struct btf *btf, struct printer *ret)
{
	uint32_t table = btf_skip(btf, ret->data.type), chunk;

	if (btf_kind(btf, table) != BTF_KIND_PTR)
		return false;
	chunk = btf_skip(btf, btf_type(btf, table)->type);
	if (btf_kind(btf, chunk) != BTF_KIND_PTR || btf_pointer_size(btf) != 8)
		return false;
	ret->element = btf_type(btf, chunk)->type;
	ret->size = btf_size(btf, ret->element);
	ret->number = ret->size && ret->size < 256 ? 4096 / (uint32_t)ret->size : 16;
	return is_element(btf, ret);
}

/* Finds the two places of a deque of libstdc++, of four pointers each. */
static bool find_deque(const struct btf *btf, struct printer *ret)
{
	static const char *const names[] = { "_M_cur", "_M_first", "_M_last", "_M_node" };
	struct printer_place place = { 0 };

	for (unsigned i = 0; i < 4; i++)
		if (!printer_member(btf, ret->data.type, names[3 - i], &place) ||
		    place.offset != (3 - i) * 8 ||
		    btf_kind(btf, btf_skip(btf, place.type)) != BTF_KIND_PTR)
			return false;
	if (ret->count.offset != ret->data.offset + 32)
		return false;
	ret->element = btf_type(btf, btf_skip(btf, place.type))->type;
	ret->size = btf_size(btf, ret->element);
	return is_element(btf, ret);
}

/* Finds the unit of a duration: std::ratio<1, 1000>. */
static bool find_unit(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret)
{
	static const struct {
		uint64_t up, down;
		const char *text;
	} units[] = { { 1, 1, "s" },	       { 1, 1000, "ms" }, { 1, 1000000, "us" },
		      { 1, 1000000000, "ns" }, { 60, 1, "min" },  { 3600, 1, "h" },
		      { 86400, 1, "d" } };
	const char *ratio = parameter(s, btf_name(btf, type), 1),
		   *first = ratio ? parameter(s, ratio, 0) : NULL,
		   *second = first ? parameter(s, ratio, 1) : NULL;
	uint64_t up, down;

	if (!second)
		return false;
	up = strtoull(first, NULL, 10);
	down = strtoull(second, NULL, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].up == up && units[i].down == down)
			ret->suffix = units[i].text;
	if (!ret->suffix && down == 1)
		ret->suffix = arena_printf(s->arena, "[%llu]s", (unsigned long long)up);
	else if (!ret->suffix)
		ret->suffix = arena_printf(s->arena, "[%llu/%llu]s", (unsigned long long)up,
					   (unsigned long long)down);
	return up && down;
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
	ret->is_moved = tag[strlen(tag) - 1] == '+';
	return ret->names > 0;
}

static bool is_sized(const struct btf *btf, const struct printer_place *place, uint64_t size)
{
	return is_number(btf, place->type) && btf_size(btf, place->type) == size;
}

static bool is_second(const char *more)
{
	return more && strchr(more, ' ');
}

/* Finds the members that the row names. */
static bool find_members(const struct btf *btf, uint32_t type, const struct printer_row *row,
			 struct printer *ret)
{
	bool counts = row->kind != PRINTER_COMPLEX && row->kind != PRINTER_DEQUE;
	uint64_t most = UINT32_MAX;

	if (row->kind == PRINTER_TUPLE)
		return true;
	if (row->data && !printer_member(btf, type, row->data, &ret->data))
		return false;
	if (row->count && !printer_member(btf, type, row->count, &ret->count))
		return false;
	if (row->count && counts && !is_number(btf, ret->count.type))
		return false;
	ret->has_more = row->more && row->kind != PRINTER_LINKED && row->kind != PRINTER_VARIANT &&
			row->kind != PRINTER_SHARED;
	if (ret->has_more &&
	    (!printer_member(btf, type, row->more, &ret->more) || !is_number(btf, ret->more.type)))
		return false;
	if (ret->has_more && is_second(row->more) &&
	    (!printer_member(btf, type, strchr(row->more, ' ') + 1, &ret->room) ||
	     !is_sized(btf, &ret->room, 8)))
		return false;
	return ret->data.offset <= most && ret->count.offset <= most && ret->more.offset <= most &&
	       ret->room.offset <= most;
}

/* Finds the number of owners, behind the pointer to it. */
static bool find_owners(struct session *s, const struct btf *btf, uint32_t type,
			struct printer *ret)
{
	uint32_t pointer = btf_skip(btf, ret->count.type);

	if (btf_kind(btf, pointer) == BTF_KIND_PTR)
		ret->has_more = printer_member(btf, btf_type(btf, pointer)->type, ret->row->more,
					       &ret->more) &&
				is_number(btf, ret->more.type) && ret->more.offset <= UINT32_MAX;
	return find_element(s, btf, type, ret);
}

static bool has_code(const struct btf *btf, uint32_t type)
{
	const char *tag = tag_of(btf, type, TAG_WHOLE);

	return tag && !strncmp(tag, TAG_CODE, strlen(TAG_CODE));
}

/* True: the type has the members that the row names, with the types that it gives. */
static bool fits(struct session *s, const struct btf *btf, uint32_t type,
		 const struct printer_row *row, struct printer *ret)
{
	*ret = (struct printer){ .kind = row->kind, .row = row };
	if (!find_members(btf, type, row, ret))
		return false;
	switch (row->kind) {
	case PRINTER_OPTIONAL:
	case PRINTER_INNER:
	case PRINTER_VARIANT:
	case PRINTER_TUPLE:
		return true;
	case PRINTER_SIZE:
		return !ret->has_more || is_sized(btf, &ret->more, 8);
	case PRINTER_BITS:
		return is_sized(btf, &ret->data, 8) && is_sized(btf, &ret->count, 8) &&
		       (!ret->has_more || (is_sized(btf, &ret->more, 4) &&
					   ret->more.offset == ret->count.offset + 8));
	case PRINTER_HEX:
		ret->size = btf_size(btf, ret->data.type);
		return ret->size && ret->size <= STP_SHAPE_HEX_MOST;
	case PRINTER_TIME:
		return find_unit(s, btf, type, ret);
	case PRINTER_SECONDS:
	case PRINTER_DATE:
		return is_sized(btf, &ret->data, 8) && is_sized(btf, &ret->count, 4) &&
		       ret->count.offset >= ret->data.offset;
	case PRINTER_GO_TIME:
		return is_sized(btf, &ret->data, 8) && is_sized(btf, &ret->count, 8) &&
		       ret->count.offset == ret->data.offset + 8;
	case PRINTER_COMPLEX:
		return find_complex(btf, ret);
	case PRINTER_DYNAMIC:
		return find_names(btf, type, ret);
	case PRINTER_CODE:
		return is_sized(btf, &ret->count, 8) && has_code(btf, type) &&
		       (!row->data || is_sized(btf, &ret->data, 8));
	case PRINTER_ARRAY:
		return find_array(btf, ret);
	case PRINTER_LINKED:
		return find_node(s, btf, type, ret);
	case PRINTER_DEQUE:
		return find_deque(btf, ret);
	case PRINTER_CHUNKS:
		return is_sized(btf, &ret->more, 8) && find_chunks(btf, ret);
	case PRINTER_RING:
		return is_sized(btf, &ret->more, 8) && find_element(s, btf, type, ret);
	case PRINTER_SHORT:
		return ret->count.offset == 8 && ret->data.offset == 16 &&
		       find_element(s, btf, type, ret);
	case PRINTER_SHARED:
		return find_owners(s, btf, type, ret);
	case PRINTER_LIST:
		return find_list(s, btf, type, ret);
	case PRINTER_LETTERS:
	case PRINTER_BYTES:
	case PRINTER_ENDED:
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

bool printer_find_text(struct session *s, const struct btf *btf, uint32_t type, struct printer *ret,
		       uint64_t *at)
{
	*at = 0;
	for (unsigned i = 0; i < BTF_MAX_DEPTH && printer_find(s, btf, type, ret); i++) {
		if (ret->kind <= PRINTER_ENDED)
			return true;
		if (ret->kind != PRINTER_INNER)
			return false;
		type = ret->data.type;
		*at += ret->data.offset;
	}
	return false;
}
