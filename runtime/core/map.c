/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operations of scripts on elements of arrays. core/map.h describes the structures. */
#include "core/find.h"
#include "core/map.h"
#include "core/port.h"
#include "core/shards.h"
#include "core/state.h"

/*
 * Number of times that a processor checks whether another one has made its entry, before
 * it waits as for a lock.
 */
#define MAKING_TRIES 10000

/*
 * Units of work (api/ctx.h): examining an entry, with each of its keys, and the strings
 * before a key.
 */
#define STEP_WORK   28
#define STEP_LONG   12
#define STEP_STRING 24
#define STEP_SKIP   4
/*
 * Units of work (api/ctx.h): removing an entry; examining a part when parts are summed
 * up, in addition to its contents.
 */
#define REMOVAL_WORK 96
#define FOLD_PART    8
/*
 * Up to this many buckets per entry, emptying all buckets is less work than removing the
 * entries.
 */
#define CLEAR_BUCKETS 32

static uint64_t share_of(const struct stp_ctx *c, uint64_t work)
{
	return c->sleepable ? work / STP_SLEEPABLE_SHARE : work;
}

static uint32_t removal_work(const struct stp_ctx *c)
{
	return (uint32_t)share_of(c, REMOVAL_WORK);
}

struct stp_map *stp_map_create(const struct stp_map_desc *desc)
{
	struct stp_map *m = port_alloc(sizeof(*m));

	if (!m)
		return NULL;
	m->desc = desc;
	m->max = desc->max_entries ? desc->max_entries : stp_script.limits.map_entries;
	if (!m->max)
		m->max = UINT32_MAX;
	m->nparts = PORT_PARTS && desc->adds ? port_cpu_count() + 1 : 0;
	m->is_shared = desc->adds || desc->sets || desc->shards;
	m->shape = (struct stp_stat_shape){ desc->keeps, desc->hist,  desc->low,
					    desc->high,	 desc->width, desc->several };
	m->hist_buckets = stp_hist_total(&m->shape);
	if (stp_store_create(m))
		return m;
	stp_map_destroy(m);
	return NULL;
}

void stp_map_destroy(struct stp_map *m)
{
	if (!m)
		return;
	stp_store_destroy(m);
	port_free(m);
}

/* ---- keys ---- */

struct stp_str stp_map_key_string(const struct stp_map *m, const struct stp_map_entry *e,
				  unsigned i)
{
	struct stp_str s = packed_string((const char *)e + m->strings_at);

	for (unsigned before = m->key_at[i]; before; before--)
		s = packed_string(s.s + s.len);
	return s;
}

bool stp_map_matches(struct stp_ctx *c, const struct stp_map *m, struct stp_map_entry *e,
		     const union stp_key *k, uint32_t wild)
{
	return map_entry_matches(c, m, e, k, wild);
}

/* Returns the class from which an entry with these keys is taken. */
static __always_inline struct stp_map_class *map_class(struct stp_map *m, const union stp_key *k)
{
	uint32_t bytes = m->strings_at;

	if (m->fixed_class)
		return &m->classes[m->fixed_class];
	for (unsigned i = 0; i < m->nkeys; i++)
		if (m->string_keys >> i & 1)
			bytes += (uint32_t)sizeof(uint16_t) + key_length(k[i].s);
	return stp_store_class(m, (bytes + 7) & ~7u);
}

/* Returns the class to which the entry is returned. */
static __always_inline struct stp_map_class *map_class_of(struct stp_map *m,
							  const struct stp_map_entry *e)
{
	const char *p = (const char *)e + m->strings_at;

	if (m->fixed_class)
		return &m->classes[m->fixed_class];
	for (unsigned i = 0; i < m->nkeys; i++)
		if (m->string_keys >> i & 1)
			p += sizeof(uint16_t) + stp_load16(p);
	return stp_store_class(m, (uint32_t)(p - (const char *)e + 7) & ~7u);
}

static void map_store_keys(struct stp_map *m, struct stp_map_entry *e, const union stp_key *k)
{
	char *p = (char *)e + m->strings_at;

	if (m->keys == STP_MAP_LONG) {
		*stp_map_long_at(e, sizeof(*e)) = k[0].i;
		return;
	}
	for (unsigned i = 0; i < m->nkeys; i++) {
		uint16_t len;

		if (!(m->string_keys >> i & 1)) {
			*stp_map_long_at(e, m->key_at[i]) = k[i].i;
			continue;
		}
		len = (uint16_t)key_length(k[i].s);
		memcpy(p, &len, sizeof(len));
		memcpy(p + sizeof(len), k[i].s.s, len);
		p += sizeof(len) + len;
	}
}

/*
 * ---- buckets: linear hashing, they are split one after the other as entries are made
 * ----
 */

void stp_map_split(struct stp_ctx *c, struct stp_map *m)
{
	uint32_t new = m->active, *link, *to, n, steps = 0;

	if (new > m->mask)
		smp_store_release(&m->mask, 2 * m->mask + 1);
	link = bucket_at(m, new & m->mask >> 1);
	to = bucket_at(m, new);
	for (n = *link; n; n = *link, steps++) {
		struct stp_map_entry *e = stp_map_entry(m, n);

		if ((e->hash & m->mask) != new) {
			link = &e->chain;
			continue;
		}
		WRITE_ONCE(*link, e->chain);
		WRITE_ONCE(e->chain, *to);
		smp_store_release(to, n);
	}
	smp_store_release(&m->active, new + 1);
	stp_charge_later(c, CHAIN_WORK * (uint64_t)steps);
}

static __always_inline bool map_wants_split(const struct stp_map *m)
{
	return m->count > m->active && m->active < smp_load_acquire(&m->buckets_ready);
}

/* ---- values ---- */

static void part_clear(const struct stp_map *m, void *value)
{
	uint64_t *word = value;

	for (uint32_t i = 0; i < m->slot_bytes / sizeof(*word); i++)
		word[i] = 0;
}

/*
 * Moves a part's value into the sum. False: the part was empty. A slot with a value has a
 * first word other than 0: the number, or a count.
 */
static bool part_move(const struct stp_map *m, void *sum, void *part)
{
	if (!*(uint64_t *)part)
		return false;
	if (m->desc->value_type == STP_STATS)
		stp_stat_data_merge(sum, part, m->hist_buckets);
	else
		*(int64_t *)sum = (int64_t)(*(uint64_t *)sum + *(uint64_t *)part);
	part_clear(m, part);
	return true;
}

/* Adds the parts up in the last one. */
static void *map_fold(struct stp_ctx *c, const struct stp_map *m, uint32_t slot)
{
	void *sum = stp_map_part(m, m->nparts - 1, slot);
	uint32_t moved = 0;

	for (uint32_t p = 0; p + 1 < m->nparts; p++)
		if (m->parts[p])
			moved += part_move(m, sum, stp_map_part(m, p, slot));
	stp_charge_later(c, FOLD_PART * (uint64_t)m->nparts + moved * (uint64_t)m->slot_bytes);
	return sum;
}

void *stp_map_value(struct stp_ctx *c, const struct stp_map *m, struct stp_map_entry *e)
{
	if (unlikely(stp_map_has_parts(m)))
		return map_fold(c, m, stp_map_slot(m, e));
	return (uint8_t *)e + m->value_at;
}

struct stp_str stp_map_value_string(const struct stp_map *m, struct stp_map_entry *e)
{
	const uint8_t *p = (const uint8_t *)e + m->value_at;

	return (struct stp_str){ (const char *)p + sizeof(uint32_t), *(const uint32_t *)p };
}

/* Returns the value that this context adds to. */
static __always_inline STP_BPF_INLINE void *
map_own_value(const struct stp_ctx *c, const struct stp_map *m, struct stp_map_entry *e)
{
	if (stp_map_has_parts(m))
		return stp_map_part(m, c->cpu, stp_map_slot(m, e));
	return (uint8_t *)e + m->value_at;
}

static void map_store_string(const struct stp_map *m, struct stp_map_entry *e, struct stp_str s)
{
	uint8_t *p = (uint8_t *)e + m->value_at;
	uint32_t len = key_length(s);

	*(uint32_t *)p = len;
	memmove(p + sizeof(uint32_t), s.s, len);
	p[sizeof(uint32_t) + len] = 0;
}

bool stp_map_spent(struct stp_ctx *c, const struct stp_map *m)
{
	if (c->more)
		return stp_spent(c);
	c->ending |= STP_ENDS_SPENT;
	stp_error(c,
		  "MAXACTION exceeded at array '%s', which has %u elements (-DMAXACTION=N allows "
		  "more than %lld)",
		  m->desc->name, m->count, (long long)stp_budget_actions(c));
	return false;
}

uint32_t stp_map_step_work(const struct stp_ctx *c, const struct stp_map *m)
{
	uint32_t work = STEP_WORK;

	for (unsigned i = 0; i < m->nkeys; i++)
		work += m->string_keys >> i & 1 ? STEP_STRING + STEP_SKIP * m->key_at[i]
						: STEP_LONG;
	return c->sleepable ? work / STP_SLEEPABLE_SHARE + 1 : work;
}

/*
 * Makes the value of a new entry empty. In parts it has been empty since its deletion, or
 * from the start.
 */
static __always_inline void map_init_value(struct stp_map *m, struct stp_map_entry *e)
{
	if (stp_map_has_parts(m))
		return;
	if (m->desc->value_type == STP_STATS)
		memset((uint8_t *)e + m->value_at, 0, stp_stat_data_bytes(m->hist_buckets));
	else /* or a string's length, and its end */
		*stp_map_long_at(e, m->value_at) = 0;
}

static __always_inline void map_fill(struct stp_map *m, struct stp_map_entry *e,
				     const union stp_key *k)
{
	map_store_keys(m, e, k);
	map_init_value(m, e);
}

void stp_map_fill(struct stp_map *m, struct stp_map_entry *e, const union stp_key *k)
{
	map_fill(m, e, k);
}

/* ---- adding and removing entries ---- */

static void map_iterates(struct stp_ctx *c, const struct stp_map *m)
{
	stp_error(c, "array '%s' modified during foreach", m->desc->name);
}

static __always_inline bool map_may_change(struct stp_ctx *c, const struct stp_map *m)
{
	if (likely(!READ_ONCE(m->iterating)))
		return true;
	map_iterates(c, m);
	return false;
}

/* Removes the entry; `link` is the link that leads to it. */
static __attribute__((__noinline__)) void map_remove(struct stp_ctx *c, struct stp_map *m,
						     struct stp_map_entry *e, uint32_t *link)
{
	uint32_t n = *link;
	struct stp_map_class *class;

	if (stp_map_has_shards(m)) {
		m->desc->shards->remove(c, m, e, link);
		return;
	}
	*link = e->chain;
	map_forget(c);
	stp_map_unlink(m, e, &m->oldest, &m->newest);
	if (stp_map_has_parts(m))
		part_clear(m, map_fold(c, m, stp_map_slot(m, e)));
	class = map_class_of(m, e);
	e->chain = class->free;
	class->free = n;
	m->count--;
}

static __attribute__((__noinline__)) void map_remove_entry(struct stp_ctx *c, struct stp_map *m,
							   struct stp_map_entry *e)
{
	uint32_t *link = bucket_of(m, e->hash), steps = 0;

	for (; stp_map_entry(m, *link) != e; steps++)
		link = &stp_map_entry(m, *link)->chain;
	stp_charge_later(c, CHAIN_WORK * (uint64_t)steps);
	map_remove(c, m, e, link);
}

void stp_map_overflow(struct stp_ctx *c, const struct stp_map *m)
{
	if (m->max != UINT32_MAX)
		stp_error(c, "Array overflow, check size limit (%u)/MAXMAPENTRIES of array '%s'",
			  m->max, m->desc->name);
	else if (m->capped)
		stp_error(c,
			  "Array overflow, check MAXMAPMEMORY (%u MB): array '%s' has %u elements",
			  stp_script.limits.map_memory, m->desc->name, stp_shards_total(m));
	else
		stp_error(c,
			  "Array overflow, array '%s' is filled faster than it grows: declare its "
			  "size, more than %u",
			  m->desc->name, stp_shards_total(m));
}

/* Returns a free entry; 0: there is no room. */
static __always_inline uint32_t map_take(struct stp_ctx *c, struct stp_map *m,
					 const union stp_key *k)
{
	struct stp_map_class *class = map_class(m, k);
	uint32_t n = class->free;

	if (unlikely(!n))
		return stp_store_take_new(c, m, class);
	class->free = stp_map_entry(m, n)->chain;
	return n;
}

/*
 * Removes the oldest entry of a full array. This may also change the link to the new
 * entry's place.
 */
static __attribute__((__noinline__)) uint32_t *map_make_room(struct stp_ctx *c, struct stp_map *m,
							     const union stp_key *k)
{
	if (!m->desc->wrap)
		return NULL;
	map_remove_entry(c, m, stp_map_entry(m, m->oldest));
	return map_find(c, m, k).link;
}

/*
 * Adds an entry that was not found. The caller has exclusive use of the map, or
 * m->making.
 */
static __attribute__((__noinline__)) struct stp_map_entry *
map_add(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t hash, uint32_t *link)
{
	struct stp_map_entry *e;
	uint32_t n;

	if (unlikely(m->count == m->max))
		link = map_make_room(c, m, k);
	if (stp_failed(c)) /* maybe before the end of the chain was found */
		return NULL;
	n = likely(link) ? map_take(c, m, k) : 0;
	if (unlikely(!n)) {
		stp_map_overflow(c, m);
		return NULL;
	}
	e = stp_map_entry(m, n);
	e->hash = hash;
	e->chain = 0;
	map_fill(m, e, k);
	stp_map_append(m, e, n, &m->oldest, &m->newest);
	map_forget(c);
	smp_store_release(link, n);
	WRITE_ONCE(m->count, m->count + 1);
	for (int i = 0; i < 2 && unlikely(map_wants_split(m)); i++)
		stp_map_split(c, m);
	return e;
}

bool stp_map_making_try(struct stp_map *m)
{
	int32_t no = 0;

	return !READ_ONCE(m->making) && try_cmpxchg32(&m->making, &no, 1);
}

void stp_map_making_end(struct stp_map *m)
{
	smp_store_release(&m->making, 0);
}

bool stp_map_making_begin(struct stp_ctx *c, struct stp_map *m)
{
	for (uint32_t tries = 0; tries <= MAKING_TRIES + stp_script.limits.trylock; tries++) {
		if (stp_map_making_try(m))
			return true;
		if (tries >= MAKING_TRIES)
			port_delay_us(stp_script.limits.trylock_delay);
	}
	if (!c->error)
		stp_raise(c, stp_given_up);
	return false;
}

/*
 * Adds a missing entry to a map that other processors may be adding to. If
 * another one has added it in the meantime, returns that entry.
 */
static struct stp_map_entry *map_make(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	struct found f;

	if (!stp_map_making_begin(c, m))
		return NULL;
	f = map_find(c, m, k);
	if (!f.e)
		f.e = map_add(c, m, k, f.hash, f.link);
	stp_map_making_end(m);
	return f.e;
}

static __always_inline struct stp_map_entry *map_new(struct stp_ctx *c, struct stp_map *m,
						     const union stp_key *k, struct found f)
{
	if (stp_map_has_shards(m))
		return m->desc->shards->add(c, m, k, f.hash, f.link);
	return m->is_shared ? map_make(c, m, k) : map_add(c, m, k, f.hash, f.link);
}

/*
 * Returns the entry, or the place where it would be added. An entry found in an array
 * with one number as key and one value is noted in c->last.
 */
static __always_inline struct found map_find_noted(struct stp_ctx *c, const struct stp_map *m,
						   const union stp_key *k)
{
	struct found f = map_find(c, m, k);

	if (f.e && m->keys == STP_MAP_LONG && !stp_map_has_parts(m)) {
		c->last.key = k[0].i;
		c->last.entry = f.e;
		c->last.link = f.link;
		c->last.serial = c->serial;
		c->last.map = m;
	}
	return f;
}

static __attribute__((__noinline__)) struct stp_map_entry *
map_search(struct stp_ctx *c, const struct stp_map *m, const union stp_key *k)
{
	return map_find_noted(c, m, k).e;
}

/*
 * Returns the entry with these keys, or NULL. The array is locked against changes by
 * others as long as the hit lasts, and `in`, the value and `delete` of one element often
 * follow each other: so the last look-up is remembered. The hit's own changes clear it:
 * map_forget().
 */
static __always_inline struct stp_map_entry *map_look(struct stp_ctx *c, const struct stp_map *m,
						      const union stp_key *k)
{
	return map_is_last(c, m, k) ? c->last.entry : map_search(c, m, k);
}

static __attribute__((__noinline__)) struct stp_map_entry *
map_search_or_make(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	struct found f;

	if (!map_may_change(c, m))
		return NULL;
	f = map_find_noted(c, m, k);
	return likely(f.e) ? f.e : map_new(c, m, k, f);
}

/* Returns the entry with these keys, made when it is absent. */
static __always_inline struct stp_map_entry *map_obtain(struct stp_ctx *c, struct stp_map *m,
							const union stp_key *k)
{
	if (map_is_last(c, m, k) && map_may_change(c, m))
		return c->last.entry;
	return map_search_or_make(c, m, k);
}

/* ---- functions for scripts ---- */

int64_t stp_map_get_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	struct stp_map_entry *e = map_look(c, m, k);

	return e ? *(int64_t *)stp_map_value(c, m, e) : 0;
}

struct stp_str stp_map_get_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k,
			     char *dst)
{
	struct stp_map_entry *e = map_look(c, m, k);

	return stp_str_copy(c, dst, e ? stp_map_value_string(m, e) : STP_STR(""));
}

int64_t *stp_map_ref_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	return e ? stp_map_value(c, m, e) : NULL;
}

void stp_map_set_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	if (e) /* others may be setting it as well */
		WRITE_ONCE(*(int64_t *)stp_map_value(c, m, e), v);
}

void stp_map_set_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, struct stp_str v)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	if (e)
		map_store_string(m, e, v);
}

/*
 * An element that is added to nearly always exists: creating one must not cost this path
 * anything.
 */

static __attribute__((__noinline__)) void map_add_first(struct stp_ctx *c, struct stp_map *m,
							const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	if (e)
		*(uint64_t *)map_own_value(c, m, e) += (uint64_t)v;
}

static __attribute__((__noinline__)) void map_add_many(struct stp_ctx *c, struct stp_map *m,
						       const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e = map_find_several(c, m, k).e;

	if (likely(e && !READ_ONCE(m->iterating)))
		*(uint64_t *)map_own_value(c, m, e) += (uint64_t)v;
	else
		map_add_first(c, m, k, v);
}

/*
 * Most arrays have one string as key: it is looked up without a call. core/plain.c has
 * arrays with one number as key.
 */
void stp_map_add_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e;

	if (unlikely(m->keys != STP_MAP_STRING)) {
		map_add_many(c, m, k, v);
		return;
	}
	e = map_seek_string(c, m, k[0].s.s, key_length(k[0].s));
	if (likely(e && !READ_ONCE(m->iterating)))
		*(uint64_t *)map_own_value(c, m, e) += (uint64_t)v;
	else
		map_add_first(c, m, k, v);
}

static __attribute__((__noinline__)) void map_stat_add_first(struct stp_ctx *c, struct stp_map *m,
							     const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	if (e)
		stp_stat_data_add(map_own_value(c, m, e), &m->shape, m->hist_buckets, v);
}

void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e;

	if (likely(m->keys == STP_MAP_STRING))
		e = map_seek_string(c, m, k[0].s.s, key_length(k[0].s));
	else
		e = map_find(c, m, k).e;
	if (likely(e && !READ_ONCE(m->iterating)))
		stp_stat_data_add(map_own_value(c, m, e), &m->shape, m->hist_buckets, v);
	else
		map_stat_add_first(c, m, k, v);
}

const struct stp_stat_data *stp_map_stat_read(struct stp_ctx *c, struct stp_map *m,
					      const union stp_key *k)
{
	struct stp_map_entry *e = map_look(c, m, k);

	return e ? stp_map_value(c, m, e) : NULL;
}

bool stp_map_in(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild)
{
	uint32_t each;

	if (likely(!wild))
		return map_look(c, m, k) != NULL;
	if (!stp_shards_order(c, m))
		return false;
	each = stp_map_step_work(c, m);
	for (uint32_t n = m->oldest; n && stp_map_walks(c, m, each); n = stp_map_entry(m, n)->next)
		if (stp_map_matches(c, m, stp_map_entry(m, n), k, wild))
			return true;
	return false;
}

static void map_delete_matching(struct stp_ctx *c, struct stp_map *m, const union stp_key *k,
				uint32_t wild)
{
	uint32_t next, each = stp_map_step_work(c, m);

	if (!stp_shards_order(c, m))
		return;
	for (uint32_t n = m->oldest; n && stp_map_walks(c, m, each); n = next) {
		struct stp_map_entry *e = stp_map_entry(m, n);

		next = e->next;
		if (!stp_map_matches(c, m, e, k, wild))
			continue;
		stp_charge_later(c, removal_work(c));
		map_remove_entry(c, m, e);
	}
}

void stp_map_delete(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild)
{
	struct found f;

	if (!map_may_change(c, m))
		return;
	if (unlikely(wild)) {
		map_delete_matching(c, m, k, wild);
		return;
	}
	if (map_is_last(c, m, k)) {
		map_remove(c, m, c->last.entry, c->last.link);
		return;
	}
	f = map_find(c, m, k);
	if (likely(f.e))
		map_remove(c, m, f.e, f.link);
}

/* Removes entries one by one, for few entries in many buckets. */
static void map_clear_few(struct stp_ctx *c, struct stp_map *m)
{
	if (!stp_shards_order(c, m))
		return;
	while (m->oldest && stp_map_walks(c, m, removal_work(c)))
		map_remove_entry(c, m, stp_map_entry(m, m->oldest));
}

/* The cost depends on the contents of the array, not on its capacity. */
void stp_map_clear(struct stp_ctx *c, struct stp_map *m)
{
	if (!map_may_change(c, m))
		return;
	map_forget(c);
	if (stp_shards_total(m) < m->active / CLEAR_BUCKETS)
		map_clear_few(c, m);
	else if (stp_map_walks(c, m, share_of(c, stp_store_clear_work(m))))
		stp_store_clear(m);
}
