/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "user/kerneltypes.h"

#define DIRECTORY "/sys/kernel/btf"
#define MOST_DEEP 32

#define KIND(k) (1u << BTF_KIND_##k)

struct kerneltypes {
	char *name; /* of the module; "vmlinux" */
	char *bytes;
	const char *types, *strings;
	uint32_t *at;		       /* places of the types, from `first` on */
	uint32_t first, end;	       /* ids */
	uint32_t first_string, string; /* offsets: their beginning, their bytes */
	struct kerneltypes *base, *next;
};

static struct kerneltypes *opened;

/* ---- tables ---- */

static unsigned kind_of(const struct btf_type *t)
{
	return t->info >> 24 & 0x7f;
}

/* Bytes after the head of a type. */
static size_t bytes_after(const struct btf_type *t)
{
	static const uint8_t fixed[128] = {
		[BTF_KIND_INT] = 4,
		[BTF_KIND_ARRAY] = 12,
		[BTF_KIND_VAR] = 4,
		[BTF_KIND_DECL_TAG] = 4,
	};
	static const uint8_t each[128] = {
		[BTF_KIND_STRUCT] = 12,	   [BTF_KIND_UNION] = 12,   [BTF_KIND_ENUM] = 8,
		[KERNELTYPES_ENUM64] = 12, [BTF_KIND_DATASEC] = 12, [BTF_KIND_FUNC_PROTO] = 8,
	};

	return fixed[kind_of(t)] + (size_t)each[kind_of(t)] * kerneltypes_count(t);
}

/* Reads a file below /sys, whose size is right. */
static char *read_whole(const char *name, size_t *bytes)
{
	char path[512], *ret = NULL;
	struct stat st;
	ssize_t n = 0;
	int fd;

	snprintf(path, sizeof(path), DIRECTORY "/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st))
		ret = malloc((size_t)st.st_size + 1);
	*bytes = ret ? (size_t)st.st_size : 0;
	for (size_t done = 0; ret && done < *bytes; done += (size_t)n) {
		n = read(fd, ret + done, *bytes - done);
		if (n <= 0) {
			free(ret);
			ret = NULL;
		}
	}
	close(fd);
	return ret;
}

/* Notes the places of all types; their number is not known before. */
static bool note_places(struct kerneltypes *t, uint32_t bytes)
{
	uint32_t n = 0, most = bytes / sizeof(struct btf_type) + 1;

	t->at = malloc(most * sizeof(*t->at));
	if (!t->at)
		return false;
	for (size_t at = 0; at < bytes && n < most; n++) {
		t->at[n] = (uint32_t)at;
		at += sizeof(struct btf_type) +
		      bytes_after((const struct btf_type *)(const void *)(t->types + at));
	}
	t->end = t->first + n;
	return true;
}

static bool read_table(struct kerneltypes *t)
{
	size_t bytes = 0;
	const struct btf_header *head;

	t->bytes = read_whole(t->name, &bytes);
	head = (const void *)t->bytes;
	if (bytes < sizeof(*head) || head->magic != BTF_MAGIC ||
	    (uint64_t)head->hdr_len + head->type_off + head->type_len > bytes ||
	    (uint64_t)head->hdr_len + head->str_off + head->str_len > bytes)
		return false;
	t->types = t->bytes + head->hdr_len + head->type_off;
	t->strings = t->bytes + head->hdr_len + head->str_off;
	t->string = head->str_len;
	t->first = t->base ? t->base->end : 1;
	t->first_string = t->base ? t->base->string : 0;
	return note_places(t, head->type_len);
}

static void release_table(struct kerneltypes *t)
{
	free(t->name);
	free(t->bytes);
	free(t->at);
	free(t);
}

struct kerneltypes *kerneltypes_open(const char *module)
{
	const char *name = module ? module : "vmlinux";
	struct kerneltypes *base = module ? kerneltypes_open(NULL) : NULL, *t;

	for (t = opened; t; t = t->next)
		if (!strcmp(t->name, name))
			return t;
	t = !module || base ? calloc(1, sizeof(*t)) : NULL;
	if (!t)
		return NULL;
	t->base = base;
	t->name = strdup(name);
	if (!t->name || !read_table(t)) {
		release_table(t);
		return NULL;
	}
	t->next = opened;
	opened = t;
	return t;
}

void kerneltypes_close(void)
{
	while (opened) {
		struct kerneltypes *t = opened;

		opened = t->next;
		release_table(t);
	}
}

/* ---- types ---- */

const struct btf_type *kerneltypes_type(const struct kerneltypes *t, uint32_t id)
{
	while (t->base && id < t->first)
		t = t->base;
	return id >= t->first && id < t->end ? (const void *)(t->types + t->at[id - t->first])
					     : NULL;
}

const char *kerneltypes_string(const struct kerneltypes *t, uint32_t offset)
{
	while (t->base && offset < t->first_string)
		t = t->base;
	return offset - t->first_string < t->string ? t->strings + offset - t->first_string : "";
}

uint32_t kerneltypes_next(const struct kerneltypes *t, uint32_t id, const char *name,
			  uint32_t kinds)
{
	for (id++; id < t->end; id++) {
		const struct btf_type *type = kerneltypes_type(t, id);

		if (kinds >> kind_of(type) & 1 &&
		    !strcmp(kerneltypes_string(t, type->name_off), name))
			return id;
	}
	return 0;
}

unsigned kerneltypes_kind(const struct kerneltypes *t, uint32_t id)
{
	const struct btf_type *type = kerneltypes_type(t, id);

	return type ? kind_of(type) : BTF_KIND_UNKN;
}

uint32_t kerneltypes_skip(const struct kerneltypes *t, uint32_t id)
{
	const uint32_t through =
		KIND(TYPEDEF) | KIND(CONST) | KIND(VOLATILE) | KIND(RESTRICT) | KIND(TYPE_TAG);

	for (unsigned i = 0; i < MOST_DEEP && through >> kerneltypes_kind(t, id) & 1; i++)
		id = kerneltypes_type(t, id)->type;
	return id;
}

uint64_t kerneltypes_size(const struct kerneltypes *t, uint32_t id)
{
	uint64_t n = 1;

	for (unsigned i = 0; i < MOST_DEEP; i++) {
		const struct btf_type *type = kerneltypes_type(t, kerneltypes_skip(t, id));
		const struct btf_array *array = (const void *)(type + 1);

		switch (type ? kind_of(type) : BTF_KIND_UNKN) {
		case BTF_KIND_ARRAY:
			n *= array->nelems;
			id = array->type;
			continue;
		case BTF_KIND_PTR:
			return n * sizeof(void *);
		case BTF_KIND_INT:
		case BTF_KIND_ENUM:
		case KERNELTYPES_ENUM64:
		case BTF_KIND_STRUCT:
		case BTF_KIND_UNION:
		case BTF_KIND_FLOAT:
			return n * type->size;
		default:
			return 0;
		}
	}
	return 0;
}

bool kerneltypes_is_signed(const struct kerneltypes *t, uint32_t id)
{
	const struct btf_type *type = kerneltypes_type(t, kerneltypes_skip(t, id));
	const struct btf_enum *e = (const void *)(type + 1);
	bool ret = type && BTF_INFO_KFLAG(type->info);

	switch (type ? kind_of(type) : BTF_KIND_UNKN) {
	case BTF_KIND_INT:
		return BTF_INT_ENCODING(*(const uint32_t *)(type + 1)) & BTF_INT_SIGNED;
	case BTF_KIND_ENUM:
		for (unsigned i = 0; i < kerneltypes_count(type); i++)
			ret |= e[i].val < 0;
		return ret;
	case KERNELTYPES_ENUM64:
		return ret;
	default:
		return false;
	}
}

/* ---- members ---- */

static bool has_members(const struct kerneltypes *t, uint32_t id)
{
	return (KIND(STRUCT) | KIND(UNION)) >> kerneltypes_kind(t, id) & 1;
}

static bool find_inside(const struct kerneltypes *t, uint32_t id, const char *name, size_t name_len,
			unsigned depth, struct kerneltypes_member *ret)
{
	const struct btf_type *type;
	const struct btf_member *m;
	bool has_bits;

	id = kerneltypes_skip(t, id);
	if (!has_members(t, id) || depth > MOST_DEEP)
		return false;
	type = kerneltypes_type(t, id);
	m = (const void *)(type + 1);
	has_bits = BTF_INFO_KFLAG(type->info);
	for (unsigned pass = 0; pass < 2; pass++)
		for (unsigned i = 0; i < kerneltypes_count(type); i++) {
			const char *own = kerneltypes_string(t, m[i].name_off);

			if (pass ? *own || !find_inside(t, m[i].type, name, name_len, depth + 1,
							ret)
				 : strncmp(own, name, name_len) || own[name_len])
				continue;
			if (!pass)
				*ret = (struct kerneltypes_member){
					m[i].type, 0,
					has_bits ? BTF_MEMBER_BITFIELD_SIZE(m[i].offset) : 0
				};
			ret->bit_offset +=
				has_bits ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
			return true;
		}
	return false;
}

bool kerneltypes_member(const struct kerneltypes *t, uint32_t id, const char *name, size_t name_len,
			struct kerneltypes_member *ret)
{
	return name_len && find_inside(t, id, name, name_len, 0, ret);
}

static bool enumerator_of(const struct kerneltypes *t, const struct btf_type *type,
			  const char *name, int64_t *ret)
{
	const uint32_t *row = (const void *)(type + 1);
	bool is_long = kind_of(type) == KERNELTYPES_ENUM64;

	for (unsigned i = 0; i < kerneltypes_count(type); i++, row += is_long ? 3 : 2) {
		if (strcmp(kerneltypes_string(t, row[0]), name))
			continue;
		if (is_long)
			*ret = (int64_t)((uint64_t)row[2] << 32 | row[1]);
		else
			*ret = BTF_INFO_KFLAG(type->info) || (int32_t)row[1] < 0 ? (int32_t)row[1]
										 : (int64_t)row[1];
		return true;
	}
	return false;
}

unsigned kerneltypes_enumerator(const struct kerneltypes *t, const char *name, int64_t *ret)
{
	const uint32_t kinds = KIND(ENUM) | 1u << KERNELTYPES_ENUM64;
	unsigned found = 0;
	int64_t value;

	for (uint32_t id = 1; id < t->end; id++) {
		const struct btf_type *type = kerneltypes_type(t, id);

		if (!(kinds >> kind_of(type) & 1) || !enumerator_of(t, type, name, &value))
			continue;
		found += !found || value != *ret;
		*ret = value;
	}
	return found;
}
