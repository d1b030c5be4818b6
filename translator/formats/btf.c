/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads, checks and indexes BTF. The table kinds[] describes the layout of each
 * kind.
 */
#include "formats/btf.h"

#include <string.h>

#include "lib/arena.h"
#include "lib/error.h"

/* Open-addressed hash of type ids by name. */
struct index {
	uint32_t *slots; /* 0: free */
	uint32_t mask;
};

struct btf {
	struct arena *arena;
	const char *file;
	struct btf *base;
	const uint8_t *types;
	uint32_t types_len;
	uint32_t types_at; /* offset of types in the data, for messages */
	const char *strings;
	uint32_t strings_len;
	uint32_t first_string; /* offset of strings[0] */
	uint32_t first, count;
	unsigned pointer_size;
	uint32_t *offsets; /* offset in types of type first + i */
	uint32_t *functions;
	size_t nfunctions;
	struct index function_index, type_index;
	uint32_t *pointers; /* id -> the pointer to it, for all ids below first + count */
	btf_definition_callback *find_definition;
	void *find_ctx;
};

enum { W0 = 1, W1 = 2, W2 = 4 };

/* Layout of the data after struct btf_type, in 32-bit words. */
static const struct kind {
	bool known;
	bool refers;   /* `type` is a type id, not a size */
	bool per_vlen; /* words repeat vlen times; otherwise they occur once */
	uint8_t words;
	uint8_t names, types; /* bit sets: words that are names, words that are types */
} kinds[] = {
	[BTF_KIND_INT] = { .known = true, .words = 1 },
	[BTF_KIND_PTR] = { .known = true, .refers = true },
	[BTF_KIND_ARRAY] = { .known = true, .words = 3, .types = W0 | W1 },
	[BTF_KIND_STRUCT] = { .known = true,
			      .per_vlen = true,
			      .words = 3,
			      .names = W0,
			      .types = W1 },
	[BTF_KIND_UNION] = { .known = true,
			     .per_vlen = true,
			     .words = 3,
			     .names = W0,
			     .types = W1 },
	[BTF_KIND_ENUM] = { .known = true, .per_vlen = true, .words = 2, .names = W0 },
	[BTF_KIND_FWD] = { .known = true },
	[BTF_KIND_TYPEDEF] = { .known = true, .refers = true },
	[BTF_KIND_VOLATILE] = { .known = true, .refers = true },
	[BTF_KIND_CONST] = { .known = true, .refers = true },
	[BTF_KIND_RESTRICT] = { .known = true, .refers = true },
	[BTF_KIND_FUNC] = { .known = true, .refers = true },
	[BTF_KIND_FUNC_PROTO] = { .known = true,
				  .refers = true,
				  .per_vlen = true,
				  .words = 2,
				  .names = W0,
				  .types = W1 },
	[BTF_KIND_VAR] = { .known = true, .refers = true, .words = 1 },
	[BTF_KIND_DATASEC] = { .known = true, .per_vlen = true, .words = 3, .types = W0 },
	[BTF_KIND_FLOAT] = { .known = true },
	[BTF_KIND_DECL_TAG] = { .known = true, .refers = true, .words = 1 },
	[BTF_KIND_TYPE_TAG] = { .known = true, .refers = true },
	[BTF_ID_ENUM64] = { .known = true, .per_vlen = true, .words = 3, .names = W0 },
};
#define NKINDS (sizeof(kinds) / sizeof(kinds[0]))

#define TYPE_KINDS                                                                                 \
	(1u << BTF_KIND_INT | 1u << BTF_KIND_STRUCT | 1u << BTF_KIND_UNION | 1u << BTF_KIND_ENUM | \
	 1u << BTF_KIND_FWD | 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_FLOAT |                      \
	 1u << BTF_ID_ENUM64 | 1u << BTF_KIND_VAR)

static struct error *malformed(const struct btf *b, uint64_t offset, const char *what)
{
	return error_create(b->arena, ERROR_ENVIRONMENT, "%s: malformed BTF at offset %#llx: %s",
			    b->file, (unsigned long long)offset, what);
}

static struct error *read_header(struct btf *b, const uint8_t *data, size_t len)
{
	struct btf_header h = { 0 };

	if (len < BTF_HEADER_BYTES)
		return malformed(b, len, "shorter than its header");
	memcpy(&h, data, BTF_HEADER_BYTES);
	if (h.magic == (uint16_t)(BTF_MAGIC << 8 | BTF_MAGIC >> 8))
		return malformed(b, 0, "of a machine that is big endian");
	if (h.magic != BTF_MAGIC)
		return malformed(b, 0, "wrong magic number");
	if (h.version != BTF_VERSION)
		return malformed(b, 2, "unknown version");
	if (h.hdr_len < BTF_HEADER_BYTES || h.hdr_len > len)
		return malformed(b, 4, "header length out of range");

	uint64_t room = len - h.hdr_len;

	if ((uint64_t)h.type_off + h.type_len > room || h.type_off % 4 || h.hdr_len % 4)
		return malformed(b, 8, "type section out of range");
	if ((uint64_t)h.str_off + h.str_len > room)
		return malformed(b, 16, "string section out of range");
	b->types = data + h.hdr_len + h.type_off;
	b->types_len = h.type_len;
	b->types_at = h.hdr_len + h.type_off;
	b->strings = (const char *)data + h.hdr_len + h.str_off;
	b->strings_len = h.str_len;
	if (h.str_len ? b->strings[h.str_len - 1] != 0 : !b->base)
		return malformed(b, h.hdr_len + (uint64_t)h.str_off + h.str_len,
				 "string section does not end in NUL");
	if (!b->base && b->strings[0])
		return malformed(b, h.hdr_len + (uint64_t)h.str_off,
				 "string section does not begin with NUL, as in a module's "
				 "table, which is of use beside its kernel's only");
	return NULL;
}

static unsigned tail_words(const struct btf_type *t, const struct kind *k)
{
	return k->words * (k->per_vlen ? btf_vlen_of(t) : 1);
}

/* Records where each type starts; also counts functions. */
static struct error *find_types(struct btf *b)
{
	uint32_t capacity = b->types_len / 12 + 1, offset = 0;
	size_t nfunctions = 0;

	b->offsets = arena_array(b->arena, uint32_t, capacity);
	while (offset < b->types_len) {
		const struct btf_type *t = (const void *)(b->types + offset);

		if (b->types_len - offset < sizeof(*t))
			return malformed(b, b->types_at + offset, "type cut off");

		unsigned kind = btf_kind_of(t);

		if (kind >= NKINDS || !kinds[kind].known)
			return malformed(b, b->types_at + offset, "unknown kind of type");

		uint64_t size = sizeof(*t) + 4ull * tail_words(t, &kinds[kind]);

		if (size > b->types_len - offset)
			return malformed(b, b->types_at + offset, "type runs past the end");
		b->offsets[b->count++] = offset;
		nfunctions += kind == BTF_KIND_FUNC;
		offset += size;
	}
	b->functions = arena_array(b->arena, uint32_t, nfunctions + 1);
	return NULL;
}

static struct error *check_type(struct btf *b, uint32_t offset, uint32_t end, uint32_t strings_end)
{
	const struct btf_type *t = (const void *)(b->types + offset);
	const struct kind *k = &kinds[btf_kind_of(t)];
	const uint32_t *w = btf_tail(t);
	unsigned n = tail_words(t, k);

	if (t->name_off >= strings_end && t->name_off)
		return malformed(b, b->types_at + offset, "name out of range");
	if (k->refers && t->type >= end)
		return malformed(b, b->types_at + offset, "type id out of range");
	for (unsigned i = 0; i < n; i++) {
		unsigned bit = 1u << i % k->words;

		if ((k->names & bit) && w[i] >= strings_end && w[i])
			return malformed(b, b->types_at + offset, "member's name out of range");
		if ((k->types & bit) && w[i] >= end)
			return malformed(b, b->types_at + offset, "member's type id out of range");
	}
	return NULL;
}

/* Checks that all references are in range and that functions have prototypes. */
static struct error *check_types(struct btf *b)
{
	uint32_t end = b->first + b->count, strings_end = b->first_string + b->strings_len;

	for (uint32_t i = 0; i < b->count; i++) {
		const struct btf_type *t = (const void *)(b->types + b->offsets[i]);
		struct error *err = check_type(b, b->offsets[i], end, strings_end);

		if (err)
			return err;
		if (btf_kind_of(t) != BTF_KIND_FUNC)
			continue;
		if (btf_kind(b, t->type) != BTF_KIND_FUNC_PROTO)
			return malformed(b, b->types_at + b->offsets[i],
					 "function without a prototype");
		b->functions[b->nfunctions++] = b->first + i;
	}
	return NULL;
}

struct error *btf_open(struct arena *a, const char *file, const void *data, size_t len,
		       struct btf *base, struct btf **ret)
{
	struct btf *b = arena_new(a, struct btf);
	struct error *err;

	b->arena = a;
	b->file = file;
	b->base = base;
	b->pointer_size = 8;
	b->first = base ? base->first + base->count : 1;
	b->first_string = base ? base->first_string + base->strings_len : 0;
	if ((uintptr_t)data % 4) {
		void *aligned = arena_alloc(a, len);

		memcpy(aligned, data, len);
		data = aligned;
	}
	err = read_header(b, data, len);
	if (!err)
		err = find_types(b);
	if (!err)
		err = check_types(b);
	if (err)
		return err;
	*ret = b;
	return NULL;
}

const char *btf_file(const struct btf *b)
{
	return b->file;
}

struct btf *btf_base(const struct btf *b)
{
	return b->base;
}

uint32_t btf_first(const struct btf *b)
{
	return b->first;
}

uint32_t btf_end(const struct btf *b)
{
	return b->first + b->count;
}

const struct btf_type *btf_type(const struct btf *b, uint32_t id)
{
	while (b && id < b->first)
		b = b->base;
	if (!b || id - b->first >= b->count)
		return NULL;
	return (const void *)(b->types + b->offsets[id - b->first]);
}

const char *btf_string(const struct btf *b, uint32_t offset)
{
	while (b && offset < b->first_string)
		b = b->base;
	if (!b || offset - b->first_string >= b->strings_len)
		return "";
	return b->strings + (offset - b->first_string);
}

const char *btf_name(const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, id);

	return t ? btf_string(b, t->name_off) : "";
}

unsigned btf_kind(const struct btf *b, uint32_t id)
{
	const struct btf_type *t = btf_type(b, id);

	return t ? btf_kind_of(t) : BTF_KIND_UNKN;
}

uint32_t btf_skip(const struct btf *b, uint32_t id)
{
	const uint32_t through = 1u << BTF_KIND_TYPEDEF | 1u << BTF_KIND_CONST |
				 1u << BTF_KIND_VOLATILE | 1u << BTF_KIND_RESTRICT |
				 1u << BTF_KIND_TYPE_TAG;

	for (unsigned i = 0; i < BTF_MAX_DEPTH; i++) {
		const struct btf_type *t = btf_type(b, id);

		if (!t || !(through >> btf_kind_of(t) & 1))
			return id;
		id = t->type;
	}
	return 0;
}

uint64_t btf_size(const struct btf *b, uint32_t id)
{
	uint64_t n = 1;

	for (unsigned i = 0; i < BTF_MAX_DEPTH; i++) {
		const struct btf_type *t = btf_type(b, btf_skip(b, id));

		if (!t)
			return 0;
		switch (btf_kind_of(t)) {
		case BTF_KIND_ARRAY: {
			const struct btf_array *array = btf_tail(t);

			n *= array->nelems;
			if (n > UINT32_MAX)
				return 0;
			id = array->type;
			continue;
		}
		case BTF_KIND_PTR:
			return n * b->pointer_size;
		case BTF_KIND_INT:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_ENUM:
		case BTF_ID_ENUM64:
		case BTF_KIND_FLOAT:
			return n * t->size;
		default:
			return 0;
		}
	}
	return 0;
}

unsigned btf_pointer_size(const struct btf *b)
{
	return b->pointer_size;
}

void btf_set_pointer_size(struct btf *b, unsigned size)
{
	b->pointer_size = size;
}

/* ---- by name ---- */

static uint32_t hash_name(const char *s)
{
	uint32_t h = 2166136261u;

	for (; *s; s++)
		h = (h ^ (uint8_t)*s) * 16777619u;
	return h ^ h >> 15;
}

static void index_build(struct btf *b, struct index *x, uint32_t kind_set)
{
	uint32_t capacity = 16;

	while (capacity < b->count * 2)
		capacity *= 2;
	x->slots = arena_array(b->arena, uint32_t, capacity);
	x->mask = capacity - 1;
	for (uint32_t i = 0; i < b->count; i++) {
		const struct btf_type *t = (const void *)(b->types + b->offsets[i]);

		if (!(kind_set >> btf_kind_of(t) & 1) || !t->name_off)
			continue;

		uint32_t h = hash_name(btf_string(b, t->name_off));

		while (x->slots[h & x->mask])
			h++;
		x->slots[h & x->mask] = b->first + i;
	}
}

static uint32_t libindex_find(const struct btf *b, const struct index *x, const char *name,
			      uint32_t kind_set)
{
	for (uint32_t h = hash_name(name); x->slots[h & x->mask]; h++) {
		uint32_t id = x->slots[h & x->mask];
		const struct btf_type *t = btf_type(b, id);

		if ((kind_set >> btf_kind_of(t) & 1) && !strcmp(btf_string(b, t->name_off), name))
			return id;
	}
	return 0;
}

uint32_t btf_find_function(struct btf *b, const char *name)
{
	if (!b->function_index.slots)
		index_build(b, &b->function_index, 1u << BTF_KIND_FUNC);
	return libindex_find(b, &b->function_index, name, 1u << BTF_KIND_FUNC);
}

const uint32_t *btf_functions(const struct btf *b, size_t *count)
{
	*count = b->nfunctions;
	return b->functions;
}

uint32_t btf_find_type(struct btf *b, const char *name, uint32_t kind_set)
{
	for (struct btf *t = b; t; t = t->base) {
		if (!t->type_index.slots)
			index_build(t, &t->type_index, TYPE_KINDS);

		uint32_t id =
			libindex_find(t, &t->type_index, name, kind_set & ~(1u << BTF_KIND_FWD));

		if (id)
			return id;
	}
	return 0;
}

void btf_set_definitions(struct btf *b, btf_definition_callback *find, void *ctx)
{
	b->find_definition = find;
	b->find_ctx = ctx;
}

bool btf_has_siblings(const struct btf *b)
{
	return b->find_definition != NULL;
}

uint32_t btf_find_definition(struct btf **b, uint32_t id)
{
	const uint32_t aggregates = 1u << BTF_KIND_STRUCT | 1u << BTF_KIND_UNION;
	const struct btf_type *t = btf_type(*b, id);
	const char *name = btf_name(*b, id);
	uint32_t found;

	if (!t || btf_kind_of(t) != BTF_KIND_FWD || !*name)
		return 0;
	found = btf_find_type(*b, name, aggregates);
	if (!found && (*b)->find_definition)
		found = (*b)->find_definition((*b)->find_ctx, name, BTF_INFO_KFLAG(t->info), b);
	return found;
}

uint32_t btf_find_pointer(struct btf *b, uint32_t id)
{
	for (; b; b = b->base) {
		uint32_t end = b->first + b->count;

		if (id >= end)
			continue;
		if (!b->pointers) {
			b->pointers = arena_array(b->arena, uint32_t, end);
			for (uint32_t i = b->count; i-- > 0;) {
				const struct btf_type *t = (const void *)(b->types + b->offsets[i]);

				if (btf_kind_of(t) == BTF_KIND_PTR)
					b->pointers[t->type] = b->first + i;
			}
		}
		if (b->pointers[id])
			return b->pointers[id];
	}
	return 0;
}

bool btf_bit_unit(uint64_t bit_offset, unsigned bit_size, struct bit_unit *ret)
{
	for (unsigned size = 1; size <= 8; size *= 2) {
		uint64_t unit = bit_offset / (size * 8) * (size * 8);

		*ret = (struct bit_unit){ unit / 8, size, bit_offset - unit };
		if (bit_offset + bit_size <= unit + size * 8)
			return true;
	}
	return false;
}
