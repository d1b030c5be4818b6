/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * /etc/ld.so.cache, in the format that glibc has written since 2.2: a header, entries of
 * 24 bytes, and names by their offsets from the header.
 */
#include "program/ldcache.h"

#include <stdint.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "formats/file.h"
#include "lib/path.h"
#include "program/executable.h"

#define CACHE_MAGIC "glibc-ld.so.cache1.1"

struct cache_head {
	char magic[20];
	uint32_t nlibs, string_bytes, unused[5];
};

struct cache_entry {
	int32_t flags;
	uint32_t name, path; /* offsets */
	uint32_t os_version;
	uint64_t hwcap; /* 0: for every processor */
};

static const char *cache_text(const struct bytes *cache, uint32_t offset)
{
	return offset < cache->len && memchr(cache->data + offset, 0, cache->len - offset)
		       ? (const char *)cache->data + offset
		       : "";
}

const char *ldcache_find(struct session *s, const char *name, bool is_32)
{
	const struct arch_programs *arch = arch_of(s)->programs;
	const int32_t flags = is_32 ? arch->ldcache_flags_32 : arch->ldcache_flags;
	const struct cache_head *head;
	struct bytes cache;

	if (*executable_tree(s)) /* the target's tree has no cache */
		return path_search(s->arena, executable_tree(s), arch->library_dirs, name);
	if (file_map(s->arena, LDCACHE_FILE, &cache) || cache.len < sizeof(*head) ||
	    memcmp(cache.data, CACHE_MAGIC, sizeof(head->magic)))
		return NULL;
	head = (const struct cache_head *)cache.data;
	if (head->nlibs > (cache.len - sizeof(*head)) / sizeof(struct cache_entry))
		return NULL;
	for (uint32_t i = 0; i < head->nlibs; i++) {
		const struct cache_entry *e = (const struct cache_entry *)(head + 1) + i;

		if (e->flags == flags && !e->hwcap && !strcmp(cache_text(&cache, e->name), name))
			return cache_text(&cache, e->path);
	}
	return NULL;
}
