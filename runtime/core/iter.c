/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * foreach. Without a sort the loop follows the order list; with one it follows separate
 * links, and the order of insertion does not change.
 *
 * A loop makes no more passes than its limit and the rest of the hit's budget allow, so
 * no more entries than that are sorted. The best entries so far are kept in a sorted
 * list; an entry that is not better than the last of them is skipped. The others are
 * collected, sorted by merging from the bottom up, and merged in. There is no recursion,
 * and mostly one compare per entry. Values often grow or fall with the time of insertion:
 * so the newest entries are examined first, to find a limit for the others. All
 * of it is charged to the budget.
 */
#include "core/map.h"

#define SORT_BATCH 256 /* entries collected, at least */
#define SORT_SEEDS 256 /* the newest, in arrays of SORT_LARGE times as many as a loop can visit */
#define SORT_LARGE 16

/* Units of work (api/ctx.h): examining an entry; moving one after a comparison. */
#define SORT_LOOK 60
#define SORT_MOVE 42
/* Examining a number that is stored in the entry itself. */
#define SORT_LOOK_PLAIN 24
/* Additional work for each of them if values are not plain numbers. */
#define SORT_STATS 80

struct sort {
	const struct stp_map *m;
	const struct stp_iter_how *how;
	struct stp_ctx *c;
	unsigned level;
	bool by_value, is_number;
	bool is_plain; /* all entries have a number in the entry itself */
	uint32_t at;   /* place of the number to sort by */
	unsigned key;
	uint32_t look, move; /* work */
};

static uint32_t sort_share(const struct sort *s, uint32_t work)
{
	return s->c->sleepable ? work / STP_SLEEPABLE_SHARE + 1 : work;
}

static void sort_init(struct sort *s)
{
	const struct stp_map_desc *desc = s->m->desc;

	s->by_value = s->how->sort_column < 0;
	s->key = s->by_value ? 0 : (unsigned)s->how->sort_column - 1;
	s->is_number = (s->by_value ? desc->value_type : desc->key_types[s->key]) != STP_STRING;
	s->at = s->by_value ? s->m->value_at : s->m->key_at[s->key];
	s->is_plain = s->is_number && !s->how->slice &&
		      !(s->by_value && (s->m->nparts || desc->value_type != STP_LONG));
	s->look = s->is_plain ? SORT_LOOK_PLAIN : SORT_LOOK;
	s->move = SORT_MOVE;
	if (s->by_value && (s->m->nparts || desc->value_type == STP_STATS)) {
		s->look += SORT_STATS;
		s->move += SORT_STATS;
	}
	if (s->by_value && s->how->stat == STP_VARIANCE) {
		s->look += 2 * STP_STAT_VARIANCE_WORK; /* for both that are compared */
		s->move += 2 * STP_STAT_VARIANCE_WORK;
	}
	s->look = sort_share(s, s->look);
	s->move = sort_share(s, s->move);
	if (s->how->slice)
		s->look += stp_map_step_work(s->c, s->m);
}

static __always_inline uint32_t *sort_link(const struct sort *s, uint32_t n)
{
	return stp_map_link(s->m, n, s->level);
}

/*
 * Returns the value to sort by; the parts have been summed up. An empty aggregate sorts
 * like 0, because a sort cannot raise an error.
 */
static int64_t sort_value(const struct sort *s, struct stp_map_entry *e)
{
	const struct stp_stat_data *d;

	d = s->m->nparts ? stp_map_part(s->m, s->m->nparts - 1, stp_map_slot(s->m, e))
			 : (const void *)((uint8_t *)e + s->at);
	if (s->m->desc->value_type == STP_LONG)
		return *(const int64_t *)d;
	return d->count ? stp_stat_op(s->c, d, s->how->stat) : 0;
}

static __always_inline int64_t sort_number(const struct sort *s, uint32_t n)
{
	struct stp_map_entry *e = stp_map_entry(s->m, n);

	if (s->by_value && (s->m->nparts || s->m->desc->value_type != STP_LONG))
		return sort_value(s, e);
	return *stp_map_long_at(e, s->at);
}

static struct stp_str sort_string(const struct sort *s, uint32_t n)
{
	struct stp_map_entry *e = stp_map_entry(s->m, n);

	return s->by_value ? stp_map_value_string(s->m, e) : stp_map_key_string(s->m, e, s->key);
}

static __always_inline int sort_compare(const struct sort *s, uint32_t a, uint32_t b)
{
	int order;

	if (s->is_number) {
		int64_t x = sort_number(s, a), y = sort_number(s, b);

		order = (x > y) - (x < y);
	} else {
		struct stp_str x = sort_string(s, a), y = sort_string(s, b);

		stp_charge_later(s->c, sort_share(s, (x.len < y.len ? x.len : y.len) * 5 / 8));
		order = stp_str_compare(x, y);
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

/*
 * Merges two sorted lists after *tail; returns the new tail. Equal entries keep their
 * order.
 */
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

/* Cuts a list after its first `most` entries; returns the last of them. */
static uint32_t sort_shorten(const struct sort *s, uint32_t list, uint32_t most)
{
	uint32_t last = list;

	while (*sort_link(s, last) && --most)
		last = *sort_link(s, last);
	*sort_link(s, last) = 0;
	return last;
}

static bool iter_matches(struct stp_ctx *c, const struct stp_map *m, const struct stp_iter_how *how,
			 uint32_t n)
{
	return !how->slice || stp_map_matches(c, m, stp_map_entry(m, n), how->slice, how->wild);
}

/* The best `most` entries of the slice, sorted. */
struct best {
	uint32_t list, count, last, most;
	uint32_t seed; /* an entry that at least `most` others are not worse than; 0: not known */
	uint32_t batch, *tail, collected;
};

static void best_collect(const struct sort *s, struct best *b, uint32_t n)
{
	*b->tail = n;
	b->tail = sort_link(s, n);
	b->collected++;
}

/*
 * Charges for a merge: each entry is moved once for each doubling of the sorted runs, and
 * once when it is merged with the others. False: that exceeds the budget.
 */
static bool best_may_merge(const struct sort *s, const struct best *b)
{
	uint32_t doublings = b->collected > 1 ? 32 - (uint32_t)__builtin_clz(b->collected - 1) : 0;

	return stp_map_walks(s->c, s->m,
			     s->move * ((uint64_t)b->collected * (doublings + 1) + b->count));
}

static void best_merge(const struct sort *s, struct best *b)
{
	*b->tail = 0;
	if (!best_may_merge(s, b)) {
		b->list = 0;
		return;
	}
	b->batch = sort_list(s, b->batch, b->collected);
	sort_merge(s, b->list, b->batch, &b->list);
	b->count += b->collected;
	if (b->count > b->most)
		b->count = b->most;
	if (b->list)
		b->last = sort_shorten(s, b->list, b->most);
	b->batch = b->collected = 0;
	b->tail = &b->batch;
}

/*
 * True: the entry is in the slice. Then its parts are summed up if they will be compared.
 */
static bool sort_wants(const struct sort *s, uint32_t n)
{
	if (!iter_matches(s->c, s->m, s->how, n))
		return false;
	if (s->m->nparts && s->by_value)
		stp_map_value(s->c, s->m, stp_map_entry(s->m, n));
	return true;
}

/*
 * Returns the last of the best `most` among the newest entries: worse ones need not be
 * examined. 0: there are too few entries.
 */
static uint32_t sort_seed(const struct sort *s, uint32_t most)
{
	struct best b = { .most = most };
	uint32_t n = s->m->newest;

	if (most > SORT_SEEDS / 2 || s->m->count < SORT_LARGE * SORT_SEEDS)
		return 0;
	b.tail = &b.batch;
	for (uint32_t i = 0; i < SORT_SEEDS && stp_map_walks(s->c, s->m, s->look);
	     i++, n = stp_map_entry(s->m, n)->prev)
		if (sort_wants(s, n))
			best_collect(s, &b, n);
	best_merge(s, &b);
	return b.count == most ? b.last : 0;
}

/* True: enough others are at least as good, so the entry will not be among the best. */
static bool best_is_beyond(const struct sort *s, const struct best *b, uint32_t n)
{
	return b->count == b->most ? sort_compare(s, n, b->last) >= 0
				   : b->seed && sort_compare(s, n, b->seed) > 0;
}

/* Returns the first entry from n on that may be among the best; 0: there is none. */
static uint32_t sort_next(const struct sort *s, const struct best *b, uint32_t n)
{
	for (; n && stp_map_walks(s->c, s->m, s->look); n = stp_map_entry(s->m, n)->next)
		if (sort_wants(s, n) && !best_is_beyond(s, b, n))
			return n;
	return 0;
}

/*
 * The same for plain numbers, if there is one to compare with, without a call for each.
 * If the greatest are wanted, all bits are inverted, which reverses the order.
 */
static uint32_t sort_next_plain(const struct sort *s, const struct best *b, uint32_t n)
{
	int64_t flip = s->how->direction < 0 ? -1 : 0, last;

	last = sort_number(s, b->count == b->most ? b->last : b->seed) ^ flip;
	if (b->count == b->most) { /* better than that, not as good */
		if (last == INT64_MIN)
			return 0;
		last--;
	}
	while (n && stp_map_walks(s->c, s->m, s->look)) {
		struct stp_map_entry *e = stp_map_entry(s->m, n);

		if ((*stp_map_long_at(e, s->at) ^ flip) <= last)
			return n;
		n = e->next;
	}
	return 0;
}

static uint32_t iter_sorted_list(const struct sort *s, uint32_t most)
{
	struct best b = { .most = most };
	uint32_t batch = most > SORT_BATCH ? most : SORT_BATCH, n = s->m->oldest;

	if (!most)
		return 0;
	b.seed = sort_seed(s, most);
	b.tail = &b.batch;
	while (n) {
		n = s->is_plain && (b.seed || b.count == most) ? sort_next_plain(s, &b, n)
							       : sort_next(s, &b, n);
		if (!n)
			break;
		best_collect(s, &b, n);
		n = stp_map_entry(s->m, n)->next;
		if (b.collected == batch)
			best_merge(s, &b);
	}
	best_merge(s, &b);
	return b.list;
}

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
	if (stp_failed(c))
		return;
	it->left = how->limit < 0 || how->limit > UINT32_MAX ? UINT32_MAX : (uint32_t)how->limit;
	if (how->sort_column) {
		struct sort s = { .m = m, .how = how, .c = c };

		if (!iter_claim_level(m, &s.level)) {
			stp_error(c, "more than %u sorted foreach loops over array '%s' at once",
				  m->desc->sorts, m->desc->name);
			return;
		}
		it->level = (int)s.level;
		sort_init(&s);
		it->next = iter_sorted_list(&s, iter_most(c, it));
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
	       !iter_matches(c, it->map, it->how, it->next))
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
