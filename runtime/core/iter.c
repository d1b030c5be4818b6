/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach. Without a sort the loop follows the order list; with one it follows separate
 * links, and the order of insertion does not change.
 *
 * A loop makes no more passes than its limit and the rest of the hit's budget allow, so
 * no more entries than that are sorted.
 */
#include "core/shards.h"
#include "core/sort.h"

/* Claims a set of sort links that no other loop uses. */
static bool iter_claim_level(struct stp_map *m, unsigned *ret)
{
	for (unsigned i = 0; i < m->desc->sorts; i++) {
		if (!m->sorting[i]) {
			m->sorting[i] = true;
			*ret = i;
			return true;
		}
	}
	return false;
}

/*
 * Returns the largest number of passes that a loop can make. Each pass is at least one
 * statement, so the first entry missing from the list is the first whose pass could not
 * run.
 */
static uint32_t iter_most(const struct stp_ctx *c, const struct stp_iter *it)
{
	int64_t passes = (c->work + c->more) / STP_ACTION;

	return passes >= it->left ? it->left : passes < 0 ? 1 : (uint32_t)passes + 1;
}

void stp_iter_begin(struct stp_ctx *c, struct stp_iter *it, struct stp_map *m,
		    const struct stp_iter_how *how)
{
	*it = (struct stp_iter){ .how = how, .level = -1, .c = c };
	if (stp_failed(c) || !stp_shards_order(c, m))
		return;
	it->left = how->limit < 0 || how->limit > UINT32_MAX ? UINT32_MAX : (uint32_t)how->limit;
	if (how->sort_column) {
		unsigned level;

		if (!iter_claim_level(m, &level)) {
			stp_error(c, "more than %u sorted foreach loops over array '%s' at once",
				  m->desc->sorts, m->desc->name);
			return;
		}
		it->level = (int)level;
		it->next = stp_sort_map(c, m, how, level, iter_most(c, it));
	} else {
		it->next = m->oldest;
	}
	__atomic_add_fetch(&m->iterating, 1, __ATOMIC_ACQUIRE);
	it->map = m;
}

/* Moves to the next entry of the slice. */
static void iter_skip(struct stp_ctx *c, struct stp_iter *it)
{
	uint32_t each = stp_map_step_work(c, it->map);

	while (it->next && stp_map_walks(c, it->map, each) &&
	       !stp_iter_matches(c, it->map, it->how, it->next))
		it->next = stp_map_entry(it->map, it->next)->next;
}

bool stp_iter_next(struct stp_ctx *c, struct stp_iter *it)
{
	struct stp_map *m = it->map;

	if (!m || !it->left || stp_failed(c))
		return false;
	if (it->level < 0 && it->how->slice)
		iter_skip(c, it);
	if (!it->next || stp_failed(c))
		return false;
	it->left--;
	it->entry = it->next;
	it->next = it->level < 0 ? stp_map_entry(m, it->entry)->next
				 : *stp_map_link(m, it->entry, (unsigned)it->level);
	return true;
}

void stp_iter_end(struct stp_ctx *c, struct stp_iter *it)
{
	(void)c;
	if (!it->map)
		return;
	__atomic_sub_fetch(&it->map->iterating, 1, __ATOMIC_RELEASE);
	if (it->level >= 0)
		it->map->sorting[it->level] = false;
	it->map = NULL;
}

static struct stp_map_entry *iter_entry(const struct stp_iter *it)
{
	return stp_map_entry(it->map, it->entry);
}

int64_t stp_iter_key_i(const struct stp_iter *it, unsigned k)
{
	return *stp_map_long_at(iter_entry(it), it->map->key_at[k]);
}

struct stp_str stp_iter_key_s(struct stp_ctx *c, const struct stp_iter *it, unsigned k, char *dst)
{
	return stp_str_copy(c, dst, stp_map_key_string(it->map, iter_entry(it), k));
}

int64_t stp_iter_value_i(const struct stp_iter *it)
{
	return *(int64_t *)stp_map_value(it->c, it->map, iter_entry(it));
}

struct stp_str stp_iter_value_s(struct stp_ctx *c, const struct stp_iter *it, char *dst)
{
	return stp_str_copy(c, dst, stp_map_value_string(it->map, iter_entry(it)));
}
