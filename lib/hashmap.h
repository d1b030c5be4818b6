/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash map from strings to pointers, in an arena. Keys are not copied. To make an empty
 * map, zero it and call hashmap_init().
 */
#ifndef LIB_HASHMAP_H
#define LIB_HASHMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

struct hashmap_slot {
	const char *key; /* NULL: free slot */
	void *value;
};

struct hashmap {
	struct arena *arena;
	struct hashmap_slot *slots;
	size_t count;
	size_t capacity; /* a power of two, or 0 */
};

void hashmap_init(struct hashmap *m, struct arena *a);
/* Returns *m, and creates the map at the first use. */
struct hashmap *hashmap_made(struct hashmap **m, struct arena *a);
/* Returns NULL if the key is absent. */
void *hashmap_get(const struct hashmap *m, const char *key);
/* Adds the key, or replaces its value. */
void hashmap_put(struct hashmap *m, const char *key, void *value);
/*
 * Returns the next used slot after *it (start with 0), or NULL. The order is unspecified.
 */
struct hashmap_slot *hashmap_next(const struct hashmap *m, size_t *it);
uint64_t hashmap_hash(const char *key);

#endif
