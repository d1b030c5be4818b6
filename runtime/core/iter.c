/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach. Without a sort the loop follows the order list; with one it follows links of its own, made by a
 * merge sort from the bottom up: no recursion, n log n compares, and the order of insertion stays what it
 * was.
 */
#include "core/map.h"

struct sort {
	const struct stp_map *m;
	const struct stp_iter_how *how;
	struct stp_ctx *c;
	unsigned level;
};

static uint32_t *sort_link(const struct sort *s, uint32_t n)
{
	return &stp_map_entry(s->m, n)->sorted[s->level];
}

/* An empty aggregate sorts like 0: a sort has no place to fail. */
static int64_t sort_stat_value(const struct sort *s, struct stp_map_entry *e)
{
	const struct stp_stat_data *d = stp_map_stat_at(e, s->m->value_at);

	return d->count ? stp_stat_op(s->c, d, s->how->stat) : 0;
}

static int sort_compare_longs(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int sort_compare(const struct sort *s, uint32_t a, uint32_t b)
{
	struct stp_map_entry *x = stp_map_entry(s->m, a), *y = stp_map_entry(s->m, b);
	bool by_value = s->how->sort_column < 0;
	unsigned key = by_value ? 0 : (unsigned)s->how->sort_column - 1;
	uint32_t at = by_value ? s->m->value_at : s->m->key_at[key];
	int order;

	switch (by_value ? s->m->desc->value_type : s->m->desc->key_types[key]) {
	case STP_STRING:
		order = stp_str_compare(stp_map_string_at(x, at), stp_map_string_at(y, at));
		break;
	case STP_STATS:
		order = sort_compare_longs(sort_stat_value(s, x), sort_stat_value(s, y));
		break;
	default:
		order = sort_compare_longs(*stp_map_long_at(x, at), *stp_map_long_at(y, at));
	}
	return s->how->direction < 0 ? -order : order;
}

/* Cuts the first `length` entries off a list; returns the rest. */
static uint32_t sort_cut(const struct sort *s, uint32_t list, uint32_t length)
{
	uint32_t rest;

	while (list && --length)
		list = *sort_link(s, list);
	if (!list)
		return 0;
	rest = *sort_link(s, list);
	*sort_link(s, list) = 0;
	return rest;
}

/* Merges two sorted lists behind *tail; returns the new tail. Equal ones keep their order. */
static uint32_t *sort_merge(const struct sort *s, uint32_t a, uint32_t b, uint32_t *tail)
{
	while (a || b) {
		uint32_t *from = !b || (a && sort_compare(s, a, b) <= 0) ? &a : &b;

		*tail = *from;
		tail = sort_link(s, *from);
		*from = *tail;
	}
	*tail = 0;
	return tail;
}

static uint32_t sort_list(const struct sort *s, uint32_t list, uint32_t count)
{
	for (uint32_t run = 1; run < count; run *= 2) {
		uint32_t rest = list, *tail = &list;

		while (rest) {
			uint32_t a = rest, b = sort_cut(s, a, run);

			rest = sort_cut(s, b, run);
			tail = sort_merge(s, a, b, tail);
		}
	}
	return list;
}

static bool iter_matches(const struct stp_map *m, const struct stp_iter_how *how, uint32_t n)
{
	return !how->slice || stp_map_matches(m, stp_map_entry(m, n), how->slice, how->wild);
}

/* The entries of the slice as a sorted list. */
static uint32_t iter_sorted_list(const struct sort *s)
{
	uint32_t list = 0, *tail = &list, count = 0;

	for (uint32_t n = s->m->oldest; n; n = stp_map_entry(s->m, n)->next) {
		if (!iter_matches(s->m, s->how, n))
			continue;
		*tail = n;
		tail = sort_link(s, n);
		count++;
	}
	*tail = 0;
	return sort_list(s, list, count);
}

/* A set of sort links that no other loop uses. */
static bool iter_claim_level(struct stp_map *m, unsigned *ret)
{
	for (unsigned i = 0; i < STP_MAP_SORTS; i++) {
		int32_t none = 0;

		if (try_cmpxchg32(&m->sorting[i], &none, 1)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

void stp_iter_begin(struct stp_ctx *c, struct stp_iter *it, struct stp_map *m, const struct stp_iter_how *how)
{
	*it = (struct stp_iter){ .how = how, .level = -1 };
	if (stp_failed(c))
		return;
	it->left = how->limit < 0 || how->limit > (int64_t)m->max ? m->max : (uint32_t)how->limit;
	if (how->sort_column) {
		struct sort s = { .m = m, .how = how, .c = c };

		if (!iter_claim_level(m, &s.level)) {
			stp_error(c, "more than %d sorted foreach loops over array '%s' at once",
				  STP_MAP_SORTS, m->desc->name);
			return;
		}
		it->level = (int)s.level;
		it->next = iter_sorted_list(&s);
	} else {
		it->next = m->oldest;
	}
	__atomic_add_fetch(&m->iterating, 1, __ATOMIC_ACQUIRE);
	it->map = m;
}

bool stp_iter_next(struct stp_ctx *c, struct stp_iter *it)
{
	struct stp_map *m = it->map;

	if (!m || !it->left || stp_failed(c))
		return false;
	if (it->level < 0)
		while (it->next && !iter_matches(m, it->how, it->next))
			it->next = stp_map_entry(m, it->next)->next;
	if (!it->next)
		return false;
	it->left--;
	it->entry = it->next;
	it->next = it->level < 0 ? stp_map_entry(m, it->entry)->next
				 : stp_map_entry(m, it->entry)->sorted[it->level];
	return true;
}

void stp_iter_end(struct stp_ctx *c, struct stp_iter *it)
{
	(void)c;
	if (!it->map)
		return;
	__atomic_sub_fetch(&it->map->iterating, 1, __ATOMIC_RELEASE);
	if (it->level >= 0)
		smp_store_release(&it->map->sorting[it->level], 0);
	it->map = NULL;
}

int64_t stp_iter_key_i(const struct stp_iter *it, unsigned k)
{
	return *stp_map_long_at(stp_map_entry(it->map, it->entry), it->map->key_at[k]);
}

struct stp_str stp_iter_key_s(struct stp_ctx *c, const struct stp_iter *it, unsigned k, char *dst)
{
	return stp_str_copy(c, dst, stp_map_string_at(stp_map_entry(it->map, it->entry), it->map->key_at[k]));
}

int64_t stp_iter_value_i(const struct stp_iter *it)
{
	return *stp_map_long_at(stp_map_entry(it->map, it->entry), it->map->value_at);
}

struct stp_str stp_iter_value_s(struct stp_ctx *c, const struct stp_iter *it, char *dst)
{
	return stp_str_copy(c, dst, stp_map_string_at(stp_map_entry(it->map, it->entry), it->map->value_at));
}

const struct stp_stat_data *stp_iter_value_stat(const struct stp_iter *it)
{
	return stp_map_stat_at(stp_map_entry(it->map, it->entry), it->map->value_at);
}
