/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/map.h"
#include "core/port.h"

/* ---- layout ---- */

static uint32_t map_stored_bytes(uint32_t type, uint32_t buckets)
{
	switch (type) {
	case STP_STRING:
		return (uint32_t)(sizeof(uint32_t) + stp_script.limits.string + 7) & ~7u;
	case STP_STATS:
		return (uint32_t)stp_stat_data_bytes(buckets);
	default:
		return sizeof(int64_t);
	}
}

static void map_layout(struct stp_map *m, const struct stp_map_desc *desc)
{
	uint32_t at = sizeof(struct stp_map_entry);

	m->desc = desc;
	m->max = desc->max_entries ? desc->max_entries : stp_script.limits.map_entries;
	m->shape = (struct stp_stat_shape){ desc->keeps, desc->hist, desc->low, desc->high, desc->width };
	m->hist_buckets = stp_hist_buckets(desc->hist, desc->low, desc->high, desc->width);
	for (unsigned k = 0; k < desc->nkeys; k++) {
		m->key_at[k] = at;
		at += map_stored_bytes(desc->key_types[k], 0);
	}
	m->value_at = at;
	m->entry_bytes = at + map_stored_bytes(desc->value_type, m->hist_buckets);
}

static void map_empty(struct stp_map *m)
{
	memset(m->buckets, 0, ((size_t)m->mask + 1) * sizeof(m->buckets[0]));
	m->count = m->oldest = m->newest = 0;
	m->free = m->max ? 1 : 0;
	for (uint32_t n = 1; n <= m->max; n++)
		stp_map_entry(m, n)->chain = n < m->max ? n + 1 : 0;
}

struct stp_map *stp_map_create(const struct stp_map_desc *desc)
{
	struct stp_map *m = port_alloc(sizeof(*m));
	uint32_t nbuckets = 8;

	if (!m)
		return NULL;
	map_layout(m, desc);
	while (nbuckets < m->max && nbuckets < 1u << 30)
		nbuckets *= 2;
	m->mask = nbuckets - 1;
	m->buckets = port_alloc(nbuckets * sizeof(m->buckets[0]));
	m->entries = port_alloc(m->max * m->entry_bytes);
	if (!m->buckets || !m->entries) {
		stp_map_destroy(m);
		return NULL;
	}
	map_empty(m);
	return m;
}

void stp_map_destroy(struct stp_map *m)
{
	if (!m)
		return;
	port_free(m->buckets);
	port_free(m->entries);
	port_free(m);
}

/* ---- finding ---- */

static uint64_t map_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ (h >> 29);
}

/* A key string as it is stored: cut like every string. */
static struct stp_str map_key_cut(struct stp_str s)
{
	if (s.len > stp_script.limits.string - 1)
		s.len = stp_script.limits.string - 1;
	return s;
}

static uint64_t map_hash_string(uint64_t h, struct stp_str s)
{
	uint64_t word;
	uint32_t i = 0;

	for (; i + sizeof(word) <= s.len; i += sizeof(word)) {
		memcpy(&word, s.s + i, sizeof(word));
		h = map_mix(h, word);
	}
	word = 0;
	memcpy(&word, s.s + i, s.len - i);
	return map_mix(map_mix(h, word), s.len);
}

static uint32_t map_hash_keys(const struct stp_map *m, const union stp_key *k)
{
	uint64_t h = 0;

	for (unsigned i = 0; i < m->desc->nkeys; i++)
		h = m->desc->key_types[i] == STP_STRING ? map_hash_string(h, map_key_cut(k[i].s))
							: map_mix(h, (uint64_t)k[i].i);
	return (uint32_t)(h >> 32);
}

bool stp_map_matches(const struct stp_map *m, struct stp_map_entry *e, const union stp_key *k, uint32_t wild)
{
	for (unsigned i = 0; i < m->desc->nkeys; i++) {
		if (wild >> i & 1)
			continue;
		if (m->desc->key_types[i] == STP_STRING) {
			if (!stp_str_equal(stp_map_string_at(e, m->key_at[i]), map_key_cut(k[i].s)))
				return false;
		} else if (*stp_map_long_at(e, m->key_at[i]) != k[i].i) {
			return false;
		}
	}
	return true;
}

static uint32_t map_find(const struct stp_map *m, const union stp_key *k, uint32_t hash)
{
	uint32_t n = m->buckets[hash & m->mask];

	while (n) {
		struct stp_map_entry *e = stp_map_entry(m, n);

		if (e->hash == hash && stp_map_matches(m, e, k, 0))
			break;
		n = e->chain;
	}
	return n;
}

/* ---- changing ---- */

static bool map_may_change(struct stp_ctx *c, const struct stp_map *m)
{
	if (likely(!READ_ONCE(m->iterating)))
		return true;
	stp_error(c, "array '%s' modified during foreach", m->desc->name);
	return false;
}

static void map_store_string(struct stp_map_entry *e, uint32_t offset, struct stp_str s)
{
	uint8_t *p = (uint8_t *)e + offset;

	s = map_key_cut(s);
	*(uint32_t *)p = s.len;
	memmove(p + sizeof(uint32_t), s.s, s.len);
	p[sizeof(uint32_t) + s.len] = 0;
}

static void map_order_remove(struct stp_map *m, struct stp_map_entry *e)
{
	if (e->prev)
		stp_map_entry(m, e->prev)->next = e->next;
	else
		m->oldest = e->next;
	if (e->next)
		stp_map_entry(m, e->next)->prev = e->prev;
	else
		m->newest = e->prev;
}

static void map_order_append(struct stp_map *m, uint32_t n)
{
	struct stp_map_entry *e = stp_map_entry(m, n);

	e->prev = m->newest;
	e->next = 0;
	if (m->newest)
		stp_map_entry(m, m->newest)->next = n;
	else
		m->oldest = n;
	m->newest = n;
}

static void map_remove_entry(struct stp_map *m, uint32_t n)
{
	struct stp_map_entry *e = stp_map_entry(m, n);
	uint32_t *link = &m->buckets[e->hash & m->mask];

	while (*link != n)
		link = &stp_map_entry(m, *link)->chain;
	*link = e->chain;
	map_order_remove(m, e);
	e->chain = m->free;
	m->free = n;
	m->count--;
}

static void map_init_entry(struct stp_map *m, struct stp_map_entry *e, const union stp_key *k)
{
	for (unsigned i = 0; i < m->desc->nkeys; i++) {
		if (m->desc->key_types[i] == STP_STRING)
			map_store_string(e, m->key_at[i], k[i].s);
		else
			*stp_map_long_at(e, m->key_at[i]) = k[i].i;
	}
	if (m->desc->value_type == STP_STRING)
		map_store_string(e, m->value_at, STP_STR(""));
	else
		memset((uint8_t *)e + m->value_at, 0, m->entry_bytes - m->value_at);
}

static struct stp_map_entry *map_add(struct stp_ctx *c, struct stp_map *m, const union stp_key *k,
				     uint32_t hash)
{
	struct stp_map_entry *e;
	uint32_t n;

	if (!m->free && m->desc->wrap && m->oldest)
		map_remove_entry(m, m->oldest);
	n = m->free;
	if (!n) {
		stp_error(c, "Array overflow, check size limit (%u)/MAXMAPENTRIES of array '%s'", m->max,
			  m->desc->name);
		return NULL;
	}
	e = stp_map_entry(m, n);
	m->free = e->chain;
	e->hash = hash;
	e->chain = m->buckets[hash & m->mask];
	m->buckets[hash & m->mask] = n;
	map_order_append(m, n);
	m->count++;
	map_init_entry(m, e, k);
	return e;
}

/* The entry with these keys, made when there is none. */
static struct stp_map_entry *map_obtain(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	uint32_t hash = map_hash_keys(m, k), n;

	if (!map_may_change(c, m))
		return NULL;
	n = map_find(m, k, hash);
	return n ? stp_map_entry(m, n) : map_add(c, m, k, hash);
}

/* ---- what scripts call ---- */

int64_t stp_map_get_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	uint32_t n = map_find(m, k, map_hash_keys(m, k));

	(void)c;
	return n ? *stp_map_long_at(stp_map_entry(m, n), m->value_at) : 0;
}

struct stp_str stp_map_get_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, char *dst)
{
	uint32_t n = map_find(m, k, map_hash_keys(m, k));

	return stp_str_copy(c, dst, n ? stp_map_string_at(stp_map_entry(m, n), m->value_at) : STP_STR(""));
}

int64_t *stp_map_ref_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	return e ? stp_map_long_at(e, m->value_at) : NULL;
}

void stp_map_set_i(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v)
{
	int64_t *place = stp_map_ref_i(c, m, k);

	if (place)
		*place = v;
}

void stp_map_set_s(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, struct stp_str v)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	if (e)
		map_store_string(e, m->value_at, v);
}

void stp_map_stat_add(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, int64_t v)
{
	struct stp_map_entry *e = map_obtain(c, m, k);

	if (e)
		stp_stat_data_add(stp_map_stat_at(e, m->value_at), &m->shape, m->hist_buckets, v);
}

const struct stp_stat_data *stp_map_stat_read(struct stp_ctx *c, struct stp_map *m, const union stp_key *k)
{
	uint32_t n = map_find(m, k, map_hash_keys(m, k));

	(void)c;
	return n ? stp_map_stat_at(stp_map_entry(m, n), m->value_at) : NULL;
}

static uint32_t map_all_keys(const struct stp_map *m)
{
	return (1u << m->desc->nkeys) - 1;
}

bool stp_map_in(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild)
{
	(void)c;
	wild &= map_all_keys(m);
	if (!wild)
		return map_find(m, k, map_hash_keys(m, k)) != 0;
	for (uint32_t n = m->oldest; n; n = stp_map_entry(m, n)->next)
		if (stp_map_matches(m, stp_map_entry(m, n), k, wild))
			return true;
	return false;
}

void stp_map_delete(struct stp_ctx *c, struct stp_map *m, const union stp_key *k, uint32_t wild)
{
	uint32_t n, next;

	wild &= map_all_keys(m);
	if (!map_may_change(c, m))
		return;
	if (!wild) {
		n = map_find(m, k, map_hash_keys(m, k));
		if (n)
			map_remove_entry(m, n);
		return;
	}
	for (n = m->oldest; n; n = next) {
		next = stp_map_entry(m, n)->next;
		if (stp_map_matches(m, stp_map_entry(m, n), k, wild))
			map_remove_entry(m, n);
	}
}

/* Costs what is in the array, not what could be. */
void stp_map_clear(struct stp_ctx *c, struct stp_map *m)
{
	if (!map_may_change(c, m))
		return;
	while (m->oldest)
		map_remove_entry(m, m->oldest);
}
