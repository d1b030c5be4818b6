/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds an entry of an array by its keys, for map.c. Inline in every operation on
 * elements.
 */
#ifndef STP_FIND_H
#define STP_FIND_H

#include "core/key.h"
#include "core/map.h"
#include "core/port.h"
#include "core/state.h"

/* Returns the stored length of a key: keys are cut like all strings. */
static __always_inline uint32_t key_length(struct stp_str s)
{
	uint32_t most = stp_script.limits.string - 1;

	return likely(s.len <= most) ? s.len : most;
}

static __always_inline struct stp_str packed_string(const char *p)
{
	return (struct stp_str){ p + sizeof(uint16_t), stp_load16(p) };
}

static __always_inline bool same_string(struct stp_str stored, struct stp_str s)
{
	uint32_t len = key_length(s);

	return stored.len == len && stp_key_equal(stored.s, s.s, len);
}

/*
 * Long strings are hashed, compared and stored word by word; short ones are handled as
 * one number.
 */
static __always_inline uint64_t map_hash_string(struct stp_ctx *c, uint64_t h, const char *s,
						uint32_t len)
{
	if (len > 8)
		stp_charge_later(c, 2 * (uint64_t)len);
	return stp_key_hash_string(h, s, len);
}

static inline uint32_t map_hash_many(struct stp_ctx *c, const struct stp_map *m,
				     const union stp_key *k)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < m->nkeys; i++)
		h = m->string_keys >> i & 1 ? map_hash_string(c, h, k[i].s.s, key_length(k[i].s))
					    : stp_key_mix(h, (uint64_t)k[i].i);
	return (uint32_t)h;
}

/* Long strings may differ only near the end, so comparing them is charged. */
static __always_inline bool map_key_matches(struct stp_ctx *c, struct stp_str stored,
					    struct stp_str s)
{
	if (stored.len > 32 && stored.len == s.len)
		stp_charge_later(c, stored.len);
	return same_string(stored, s);
}

/* The same as stp_map_matches(). */
static __always_inline bool map_entry_matches(struct stp_ctx *c, const struct stp_map *m,
					      struct stp_map_entry *e, const union stp_key *k,
					      uint32_t wild)
{
	const int64_t *number = stp_map_long_at(e, sizeof(*e));
	struct stp_str s = { (const char *)e + m->strings_at, 0 };

	for (unsigned i = 0; i < m->nkeys; i++) {
		bool is_wild = wild >> i & 1;

		if (m->string_keys >> i & 1) {
			s = packed_string(s.s + s.len);
			if (!is_wild && !map_key_matches(c, s, k[i].s))
				return false;
		} else if (*number++ != k[i].i && !is_wild) {
			return false;
		}
	}
	return true;
}

static __always_inline uint32_t *bucket_at(const struct stp_map *m, uint32_t b)
{
	uint32_t top;

	if (likely(b < m->base))
		return &m->tables[0][b];
	top = 31 - (uint32_t)__builtin_clz(b);
	return &m->tables[top - m->base_shift + 1][b ^ 1u << top];
}

/*
 * In shared maps, another processor may split the bucket at the same time. Then an
 * entry may be missed, and map_make() looks again.
 */
static __always_inline uint32_t *bucket_of(const struct stp_map *m, uint32_t hash)
{
	uint32_t mask = smp_load_acquire(&m->mask), b = hash & mask;

	if (b >= smp_load_acquire(&m->active))
		b &= mask >> 1;
	return bucket_at(m, b);
}

/*
 * An entry and the link to it; or the end of the chain where it would be created, and its
 * hash.
 */
struct found {
	struct stp_map_entry *e;
	uint32_t *link;
	uint32_t hash;
};

/*
 * Keys may have been chosen to share one bucket. Each entry that does not match is
 * charged, and the search stops when the budget is used up: the handler has then failed.
 * The code here calls no function, because every look-up would have to save registers for
 * the call.
 */
#define CHAIN_WORK 16

static __always_inline bool map_chain_goes_on(struct stp_ctx *c)
{
	stp_charge_later(c, CHAIN_WORK);
	if (likely(c->work >= 0 || c->more))
		return true;
	if (!c->error) {
		stp_raise(c, stp_chain_spent);
		c->where = NULL;
		c->ncallers = 0;
	}
	return false;
}

static __always_inline bool map_longs_match(const struct stp_map_entry *e, const union stp_key *k,
					    unsigned nkeys)
{
	const int64_t *stored = (const int64_t *)(e + 1);

	for (unsigned i = 0; i < nkeys; i++)
		if (stored[i] != k[i].i)
			return false;
	return true;
}

/* Returns the hash of a key of numbers. */
static __always_inline STP_BPF_INLINE uint32_t map_hash_longs(const struct stp_map *m,
							      const union stp_key *k)
{
	uint64_t hash = 0;

	for (unsigned i = 0; i < m->nkeys; i++)
		hash = stp_key_mix(hash, (uint64_t)k[i].i);
	return (uint32_t)hash;
}

static __attribute__((__noinline__, __unused__)) struct found
map_find_longs(struct stp_ctx *c, const struct stp_map *m, const union stp_key *k)
{
	struct found f = { .hash = map_hash_longs(m, k) };
	uint32_t n;

	f.link = bucket_of(m, f.hash);
	for (; (n = smp_load_acquire(f.link)); f.link = &f.e->chain) {
		f.e = stp_map_entry(m, n);
		if (likely(map_longs_match(f.e, k, m->nkeys)))
			return f;
		if (!map_chain_goes_on(c))
			break;
	}
	f.e = NULL;
	return f;
}

static inline struct found map_find_many(struct stp_ctx *c, const struct stp_map *m,
					 const union stp_key *k)
{
	uint32_t hash = map_hash_many(c, m, k), n;
	struct found f = { NULL, bucket_of(m, hash), hash };

	for (; (n = smp_load_acquire(f.link)); f.link = &f.e->chain) {
		f.e = stp_map_entry(m, n);
		if (f.e->hash == hash && map_entry_matches(c, m, f.e, k, 0))
			return f;
		if (!map_chain_goes_on(c))
			break;
	}
	f.e = NULL;
	return f;
}

static __always_inline struct found map_find_several(struct stp_ctx *c, const struct stp_map *m,
						     const union stp_key *k)
{
	return m->keys == STP_MAP_LONGS ? map_find_longs(c, m, k) : map_find_many(c, m, k);
}

static __always_inline STP_BPF_APART struct found
map_find_string(struct stp_ctx *c, const struct stp_map *m, const char *s, uint32_t len)
{
	uint32_t hash = (uint32_t)map_hash_string(c, 0, s, len), n;
	struct found f = { NULL, bucket_of(m, hash), hash };

	for (; (n = smp_load_acquire(f.link)); f.link = &f.e->chain) {
		const char *stored;

		f.e = stp_map_entry(m, n);
		stored = (const char *)f.e + m->strings_at;
		if (likely(f.e->hash == hash && stp_load16(stored) == len &&
			   stp_key_equal(stored + sizeof(uint16_t), s, len)))
			return f;
		if (!map_chain_goes_on(c))
			break;
	}
	f.e = NULL;
	return f;
}

static __always_inline STP_BPF_APART struct found
map_find_long(struct stp_ctx *c, const struct stp_map *m, int64_t key)
{
	uint32_t hash = (uint32_t)stp_key_mix(0, (uint64_t)key), n;
	struct found f = { NULL, bucket_of(m, hash), hash };

	for (; (n = smp_load_acquire(f.link)); f.link = &f.e->chain) {
		f.e = stp_map_entry(m, n);
		if (likely(*stp_map_long_at(f.e, sizeof(*f.e)) == key))
			return f;
		if (!map_chain_goes_on(c))
			break;
	}
	f.e = NULL;
	return f;
}

/*
 * ---- the first entry of a chain, with which most searches end ----
 *
 * A BPF program has to call the functions above, which saves registers, and the kernel
 * counts the rounds of a loop. So these look at the first entry themselves.
 */

/* Returns the bucket's link; NULL: it is not in the first table. */
static __always_inline STP_BPF_INLINE uint32_t *bucket_near(const struct stp_map *m, uint32_t hash)
{
	uint32_t mask = READ_ONCE(m->mask), b = hash & mask;

	if (unlikely(b >= READ_ONCE(m->active))) {
		b &= mask >> 1;
		barrier(); /* a branch, not a mask for all */
	}
	return likely(b < m->base) ? &m->tables[0][b] : NULL;
}

/* The same as map_find_long(). */
static __always_inline STP_BPF_INLINE struct found
map_seek_long(struct stp_ctx *c, const struct stp_map *m, int64_t key)
{
#ifdef __bpf__
	uint32_t hash = (uint32_t)stp_key_mix(0, (uint64_t)key);
	struct found f = { NULL, bucket_near(m, hash), hash };

	if (likely(f.link)) {
		if (!*f.link)
			return f;
		f.e = stp_map_entry_near(m, *f.link);
		if (likely(*stp_map_long_at(f.e, sizeof(*f.e)) == key))
			return f;
	}
#endif
	return map_find_long(c, m, key);
}

/*
 * Returns the first entry of the chain if it has this key, of 4 to 16 bytes. The hash and
 * the comparison are those of key.h, written out: as functions that both could call, they
 * took 5 to 7 instructions more.
 */
static __always_inline STP_BPF_INLINE struct stp_map_entry *
map_first_string(struct stp_ctx *c, const struct stp_map *m, const char *s, uint32_t len)
{
	struct stp_map_entry *e;
	const char *stored;
	uint32_t *link;
	uint64_t h = len;

	if (len - 4 > 16 - 4)
		return NULL;
	h = len <= 8 ? stp_key_mix(h, stp_load_short(s, len))
		     : stp_key_mix(stp_key_mix(h, stp_load64(s)), stp_load64(s + len - 8));
	link = bucket_near(m, (uint32_t)h);
	barrier(); /* to load the key again takes less than to keep it */
	if (!link || !*link)
		return NULL;
	e = stp_map_entry_near(m, *link);
	stored = (const char *)e + m->strings_at;
	if (e->hash != (uint32_t)h || stp_load16(stored) != len)
		return NULL;
	stored += sizeof(uint16_t);
	if (len <= 8)
		return stp_load32(stored) == stp_load32(s) &&
				       stp_load32(stored + len - 4) == stp_load32(s + len - 4)
			       ? e
			       : NULL;
	if (stp_load64(stored) != stp_load64(s) ||
	    stp_load64(stored + len - 8) != stp_load64(s + len - 8))
		return NULL;
	stp_charge_later(c, 2 * (uint64_t)len);
	return e;
}

/* Returns the entry that map_find_string() finds, or NULL. */
static __always_inline STP_BPF_INLINE struct stp_map_entry *
map_seek_string(struct stp_ctx *c, const struct stp_map *m, const char *s, uint32_t len)
{
#ifdef __bpf__
	struct stp_map_entry *e = map_first_string(c, m, s, len);

	if (likely(e))
		return e;
#endif
	return map_find_string(c, m, s, len).e;
}

static __always_inline struct found map_find(struct stp_ctx *c, const struct stp_map *m,
					     const union stp_key *k)
{
	if (m->keys == STP_MAP_STRING)
		return map_find_string(c, m, k[0].s.s, key_length(k[0].s));
	if (likely(m->keys == STP_MAP_LONG))
		return map_find_long(c, m, k[0].i);
	return map_find_several(c, m, k);
}

/* True: c->last describes this element. */
static __always_inline bool map_is_last(const struct stp_ctx *c, const struct stp_map *m,
					const union stp_key *k)
{
	return c->last.map == m && c->last.key == k[0].i && likely(c->last.serial == c->serial);
}

/*
 * Invalidates c->last after a change of chains: entries were added, deleted or moved to
 * other buckets.
 */
static __always_inline void map_forget(struct stp_ctx *c)
{
	c->last.map = NULL;
}

#endif
