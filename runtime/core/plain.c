/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arrays of numbers with one number as key, for example values that a script notes at an
 * entry for the return. They behave like all arrays of core/map.c, but everything that
 * could vary is known: the key is in a register, entries have one size, their value
 * follows the key. The common operations call no function, so that no register has to be
 * saved; the rare ones are left to map.c.
 */
#include "core/find.h"
#include "core/map.h"
#include "core/port.h"
#include "core/shards.h"
#include "core/state.h"

_Static_assert(sizeof(struct stp_map_entry) == 16, "a key and a value after it make 32");

static __always_inline int64_t *plain_value(struct stp_map_entry *e)
{
	return stp_map_long_at(e, sizeof(*e) + sizeof(int64_t));
}

/* ---- rare operations ---- */

static __attribute__((__noinline__, cold)) int64_t
plain_sum(struct stp_ctx *c, const struct stp_map *m, struct stp_map_entry *e)
{
	return *(int64_t *)stp_map_value(c, m, e);
}

static __attribute__((__noinline__, cold)) void plain_set_any(struct stp_ctx *c, struct stp_map *m,
							      int64_t key, int64_t v)
{
	stp_map_set_i(c, m, &(union stp_key){ .i = key }, v);
}

static __attribute__((__noinline__, cold)) int64_t *plain_ref_any(struct stp_ctx *c,
								  struct stp_map *m, int64_t key)
{
	return stp_map_ref_i(c, m, &(union stp_key){ .i = key });
}

static __attribute__((__noinline__, cold)) void plain_add_any(struct stp_ctx *c, struct stp_map *m,
							      int64_t key, int64_t v)
{
	stp_map_add_i(c, m, &(union stp_key){ .i = key }, v);
}

static __attribute__((__noinline__, cold)) void plain_delete_any(struct stp_ctx *c,
								 struct stp_map *m, int64_t key)
{
	stp_map_delete(c, m, &(union stp_key){ .i = key }, 0);
}

/* True: the value is in the entry and the array may be changed now. */
static __always_inline bool plain_is_free(const struct stp_map *m)
{
	return likely(!((uint32_t)READ_ONCE(m->iterating) | (PORT_PARTS ? m->nparts : 0)));
}

/* ---- look-up ---- */

static __always_inline bool plain_is_last(const struct stp_ctx *c, const struct stp_map *m,
					  int64_t key)
{
	return c->last.map == m && c->last.key == key && likely(c->last.serial == c->serial);
}

static __always_inline void plain_note(struct stp_ctx *c, const struct stp_map *m, int64_t key,
				       struct found f)
{
	c->last.key = key;
	c->last.entry = f.e;
	c->last.link = f.link;
	c->last.serial = c->serial;
	c->last.map = m;
}

int64_t stp_plain_get_i(struct stp_ctx *c, struct stp_map *m, int64_t key)
{
	struct found f;

	if (plain_is_last(c, m, key))
		return *plain_value(c->last.entry);
	f = map_seek_long(c, m, key);
	if (!f.e)
		return 0;
	if (unlikely(stp_map_has_parts(m)))
		return plain_sum(c, m, f.e);
	plain_note(c, m, key, f);
	return *plain_value(f.e);
}

bool stp_plain_in(struct stp_ctx *c, struct stp_map *m, int64_t key)
{
	struct found f;

	if (plain_is_last(c, m, key))
		return true;
	f = map_seek_long(c, m, key);
	if (f.e && likely(!stp_map_has_parts(m)))
		plain_note(c, m, key, f);
	return f.e;
}

/* ---- change ---- */

/*
 * True: there is room, the next bucket need not be split, and the end of the chain was
 * found.
 */
static __always_inline bool plain_has_room(const struct stp_ctx *c, const struct stp_map *m,
					   const struct stp_map_class *class)
{
	return likely(class->free && !m->is_shared && m->count < m->max && m->count < m->active &&
		      c->work >= 0);
}

/* Inserts an entry; entries deleted before are used first. */
static __always_inline STP_BPF_INLINE void plain_insert(struct stp_ctx *c, struct stp_map *m,
							struct stp_map_class *class, int64_t key,
							int64_t v, struct found f)
{
	uint32_t n = class->free, newest = m->newest;
	struct stp_map_entry *e = stp_map_entry_near(m, n);

	class->free = e->chain;
	e->hash = f.hash;
	e->chain = 0;
	*stp_map_long_at(e, sizeof(*e)) = key;
	*plain_value(e) = v;
	e->prev = newest;
	e->next = 0;
	*(newest ? &stp_map_entry_near(m, newest)->next : &m->oldest) = n;
	m->newest = n;
	c->last.map = NULL;
	smp_store_release(f.link, n);
	WRITE_ONCE(m->count, m->count + 1);
}

/* The same in a shard that the hit holds. */
static __attribute__((__noinline__)) void plain_insert_own(struct stp_ctx *c, struct stp_map *m,
							   int64_t key, int64_t v, struct found f)
{
	struct stp_shard *s = stp_shards_of(m, f.hash);
	struct stp_map_entry *e;
	uint32_t n = s->free;

	if (unlikely(!n || c->work < 0)) {
		plain_set_any(c, m, key, v);
		return;
	}
	e = stp_map_entry(m, n);
	s->free = e->chain;
	e->hash = f.hash;
	e->chain = 0;
	*stp_map_long_at(e, sizeof(*e)) = key;
	*plain_value(e) = v;
	stp_shards_append(c, m, s, e, n);
	c->last.map = NULL;
	smp_store_release(f.link, n);
}

void stp_plain_set_i(struct stp_ctx *c, struct stp_map *m, int64_t key, int64_t v)
{
	struct stp_map_class *class = &m->classes[m->fixed_class];
	struct found f;

	if (!plain_is_free(m)) {
		plain_set_any(c, m, key, v);
		return;
	}
	f = map_seek_long(c, m, key);
	if (f.e) /* others may be setting it as well */
		WRITE_ONCE(*plain_value(f.e), v);
	else if (plain_has_room(c, m, class))
		plain_insert(c, m, class, key, v, f);
	else if (stp_map_has_shards(m))
		plain_insert_own(c, m, key, v, f);
	else
		plain_set_any(c, m, key, v);
}

int64_t *stp_plain_ref_i(struct stp_ctx *c, struct stp_map *m, int64_t key)
{
	struct stp_map_entry *e;

	if (!plain_is_free(m))
		return plain_ref_any(c, m, key);
	e = map_seek_long(c, m, key).e;
	return likely(e) ? plain_value(e) : plain_ref_any(c, m, key);
}

/* Also works if each context has its own value. */
void stp_plain_add_i(struct stp_ctx *c, struct stp_map *m, int64_t key, int64_t v)
{
	struct stp_map_entry *e = map_seek_long(c, m, key).e;
	uint64_t *value;

	if (unlikely(!e || READ_ONCE(m->iterating))) {
		plain_add_any(c, m, key, v);
		return;
	}
	value = stp_map_has_parts(m) ? stp_map_part(m, c->cpu, stp_map_slot(m, e))
				     : (uint64_t *)plain_value(e);
	*value += (uint64_t)v;
}

static __attribute__((__noinline__)) void plain_remove_own(struct stp_ctx *c, struct stp_map *m,
							   struct stp_map_entry *e, uint32_t *link)
{
	struct stp_shard *s = stp_shards_of(m, e->hash);
	uint32_t n;

	if (unlikely(!*stp_shards_stamp(m, e))) {
		m->desc->shards->remove(c, m, e, link);
		return;
	}
	stp_shards_unlink(m, s, e);
	c->last.map = NULL;
	n = *link;
	*link = e->chain;
	e->chain = s->free;
	s->free = n;
}

static __always_inline STP_BPF_INLINE void plain_remove(struct stp_ctx *c, struct stp_map *m,
							struct stp_map_entry *e, uint32_t *link)
{
	struct stp_map_class *class = &m->classes[m->fixed_class];
	uint32_t n = *link, next = e->next, prev = e->prev;

	if (unlikely(stp_map_has_shards(m))) {
		plain_remove_own(c, m, e, link);
		return;
	}
	*link = e->chain;
	c->last.map = NULL;
	*(prev ? &stp_map_entry_near(m, prev)->next : &m->oldest) = next;
	*(next ? &stp_map_entry_near(m, next)->prev : &m->newest) = prev;
	e->chain = class->free;
	class->free = n;
	WRITE_ONCE(m->count, m->count - 1);
}

void stp_plain_delete(struct stp_ctx *c, struct stp_map *m, int64_t key)
{
	struct found f;

	if (!plain_is_free(m)) {
		plain_delete_any(c, m, key);
		return;
	}
	if (plain_is_last(c, m, key))
		f = (struct found){ c->last.entry, c->last.link, 0 };
	else
		f = map_seek_long(c, m, key);
	if (f.e)
		plain_remove(c, m, f.e, f.link);
}
