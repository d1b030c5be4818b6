/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sem/libindex.h"

#include <stdlib.h>
#include <string.h>

#include "formats/file.h"
#include "lib/arena.h"

/* Must change with the layout, and with the results of scan_file(). */
static const char magic[8] = "stapix1";

struct index_head {
	char magic[8];
	uint64_t sum; /* checksum of all bytes that follow */
	uint32_t key_len, entries, names_len, pad;
};

static uint32_t align(size_t len)
{
	return (uint32_t)(len + 7) & ~7u;
}

/* FNV-1a, eight bytes at a time: against damage, not against malice. */
static uint64_t sum_of(const uint8_t *data, size_t len)
{
	uint64_t h = 0xcbf29ce484222325u, word;

	for (; len >= sizeof(word); data += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, data, sizeof(word));
		h = (h ^ word) * 0x100000001b3u;
		h ^= h >> 32;
	}
	for (; len; len--)
		h = (h ^ *data++) * 0x100000001b3u;
	return h;
}

/* ---- finding ---- */

static int compare(const struct index *x, size_t i, enum index_kind kind, const char *text,
		   size_t len)
{
	const struct index_entry *e = &x->entries[i];

	if (e->kind != kind)
		return e->kind < kind ? -1 : 1;
	return strncmp(x->names + e->name, text, len);
}

/*
 * Returns the first entry that is not less, or with `after` the first one that is
 * greater.
 */
static size_t bound(const struct index *x, enum index_kind kind, const char *text, size_t len,
		    bool after)
{
	size_t low = 0, high = x->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare(x, mid, kind, text, len) < after)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

struct index_range libindex_prefix(const struct index *x, enum index_kind kind, const char *text,
				   size_t len)
{
	return (struct index_range){ bound(x, kind, text, len, false),
				     bound(x, kind, text, len, true) };
}

struct index_range libindex_find(const struct index *x, enum index_kind kind, const char *name)
{
	return libindex_prefix(x, kind, name, strlen(name) + 1);
}

struct index_range libindex_all(const struct index *x, enum index_kind kind)
{
	return libindex_prefix(x, kind, "", 0);
}

/* ---- flat ---- */

static bool is_whole(const struct index *x, const struct index_head *head, uint32_t files)
{
	if (!head->names_len || x->names[head->names_len - 1])
		return false;
	for (size_t i = 0; i < x->count; i++)
		if (x->entries[i].kind >= INDEX_KINDS || x->entries[i].name >= head->names_len ||
		    x->entries[i].file >= files)
			return false;
	return true;
}

bool libindex_open(struct index *x, const struct bytes *flat, const struct strbuf *key,
		   uint32_t files)
{
	const struct index_head *head = (const void *)flat->data;
	const uint8_t *p = flat->data + sizeof(*head);
	size_t want = sizeof(*head);

	if (flat->len < sizeof(*head) || memcmp(head->magic, magic, sizeof(magic)) ||
	    head->key_len != key->len)
		return false;
	want += align(key->len) + head->entries * sizeof(struct index_entry) + head->names_len;
	if (flat->len != want || memcmp(p, key->s, key->len) ||
	    head->sum != sum_of(p, want - sizeof(*head)))
		return false;
	x->entries = (const void *)(p + align(key->len));
	x->count = head->entries;
	x->names = (const char *)(x->entries + x->count);
	return is_whole(x, head, files);
}

static int by_kind_name_file(const void *a, const void *b, void *names)
{
	const struct index_entry *x = a, *y = b;
	int order;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	order = strcmp((const char *)names + x->name, (const char *)names + y->name);
	return order ? order : (x->file > y->file) - (x->file < y->file);
}

void libindex_write(struct index_maker *m, const struct strbuf *key, struct bytes *ret)
{
	struct index_head head = { .key_len = (uint32_t)key->len,
				   .names_len = (uint32_t)m->names.len + 1 };
	size_t entries_len, key_len = align(key->len);
	uint8_t *flat;

	if (m->entries.count)
		qsort_r(m->entries.data, m->entries.count, sizeof(*m->entries.data),
			by_kind_name_file, m->names.s);
	head.entries = (uint32_t)m->entries.count;
	entries_len = m->entries.count * sizeof(*m->entries.data);
	ret->len = sizeof(head) + key_len + entries_len + head.names_len;
	ret->data = flat = arena_alloc(m->arena, ret->len);
	memcpy(flat + sizeof(head), key->s, key->len);
	if (m->entries.count)
		memcpy(flat + sizeof(head) + key_len, m->entries.data, entries_len);
	memcpy(flat + sizeof(head) + key_len + entries_len, m->names.s, head.names_len);
	memcpy(head.magic, magic, sizeof(magic));
	head.sum = sum_of(flat + sizeof(head), ret->len - sizeof(head));
	memcpy(flat, &head, sizeof(head));
}
