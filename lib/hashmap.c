/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/hashmap.h"

#include <stdint.h>
#include <string.h>

#include "lib/arena.h"

/* FNV-1a: the keys are short, and nobody attacks the table. */
uint64_t hashmap_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

void hashmap_init(struct hashmap *m, struct arena *a)
{
	*m = (struct hashmap){ .arena = a };
}

struct hashmap *hashmap_made(struct hashmap **m, struct arena *a)
{
	if (!*m) {
		*m = arena_new(a, struct hashmap);
		hashmap_init(*m, a);
	}
	return *m;
}

/* Returns the slot of the key, or the free slot where it would be stored. */
static struct hashmap_slot *find_slot(const struct hashmap *m, const char *key)
{
	size_t i = hashmap_hash(key) & (m->capacity - 1);

	while (m->slots[i].key && strcmp(m->slots[i].key, key))
		i = (i + 1) & (m->capacity - 1);
	return &m->slots[i];
}

void *hashmap_get(const struct hashmap *m, const char *key)
{
	return m->capacity ? find_slot(m, key)->value : NULL;
}

static void grow(struct hashmap *m)
{
	struct hashmap bigger = { .arena = m->arena,
				  .capacity = m->capacity ? m->capacity * 2 : 16 };

	bigger.slots = arena_array(m->arena, struct hashmap_slot, bigger.capacity);
	for (size_t i = 0; i < m->capacity; i++)
		if (m->slots[i].key)
			*find_slot(&bigger, m->slots[i].key) = m->slots[i];
	bigger.count = m->count;
	*m = bigger;
}

void hashmap_put(struct hashmap *m, const char *key, void *value)
{
	struct hashmap_slot *slot;

	if (m->count * 3 >= m->capacity * 2)
		grow(m);
	slot = find_slot(m, key);
	if (!slot->key)
		m->count++;
	slot->key = key;
	slot->value = value;
}

struct hashmap_slot *hashmap_next(const struct hashmap *m, size_t *it)
{
	while (*it < m->capacity) {
		struct hashmap_slot *slot = &m->slots[(*it)++];

		if (slot->key)
			return slot;
	}
	return NULL;
}
