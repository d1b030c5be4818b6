/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The index of the library: which file declares which function, global and alias. It is
 * one flat piece of memory, the same whether it was just made or comes from the cache:
 *
 *   index_head | key: every file's path, size and time of change | entries, sorted by
 *   kind, name and file | names
 *
 * An index is valid as long as its key: when a file is added, removed or changed, the key
 * differs, and the index is made again.
 */
#ifndef STAP_SEM_LIBINDEX_H
#define STAP_SEM_LIBINDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/strbuf.h"
#include "lib/vec.h"

struct bytes;
struct source;

enum index_kind { INDEX_FUNCTION, INDEX_GLOBAL, INDEX_ALIAS, INDEX_KINDS };

struct index_entry {
	uint32_t kind;
	uint32_t name; /* offset among the names */
	uint32_t file; /* the file's number in the library */
};

/* An opened index, which points into the flat piece. */
struct index {
	const struct index_entry *entries;
	size_t count;
	const char *names;
};

/* A range of entries: begin … end - 1. */
struct index_range {
	size_t begin, end;
};

static inline const char *index_name(const struct index *x, size_t i)
{
	return x->names + x->entries[i].name;
}

/*
 * Return the entries of a kind: all; those of one name; those whose names begin with the
 * first `len` bytes of a text.
 */
struct index_range libindex_all(const struct index *x, enum index_kind kind);
struct index_range libindex_find(const struct index *x, enum index_kind kind, const char *name);
struct index_range libindex_prefix(const struct index *x, enum index_kind kind, const char *text,
				   size_t len);

/*
 * Opens an index and checks every number in it. False: damaged, or made for another key.
 */
bool libindex_open(struct index *x, const struct bytes *flat, const struct strbuf *key,
		   uint32_t files);

/* State while an index is made: each file is scanned, then the index is written. */
struct index_maker {
	struct arena *arena;
	VEC(struct index_entry) entries;
	struct strbuf names;
};

void scan_init(struct index_maker *m, struct arena *a);
/*
 * Scans a file for `function NAME`, `probe NAME =` and `global NAME` outside braces. The
 * scan knows comments, strings and embedded C, but not conditionals: it may find a
 * declaration that the parser then leaves out. Private names are left out.
 */
void scan_file(struct index_maker *m, const struct source *src, uint32_t file);
void libindex_write(struct index_maker *m, const struct strbuf *key, struct bytes *ret);

#endif
