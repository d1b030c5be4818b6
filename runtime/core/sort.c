/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts the entries of an array, by their links of one level. Entries that are equal keep
 * their order. There is no recursion, and nothing is allocated.
 *
 * The best entries so far are kept in a sorted list; an entry that is not better than the
 * last of them is skipped. The others are collected, sorted, and merged in: there is
 * mostly one compare per entry. Values often grow or fall with the time of insertion: so
 * the newest entries are examined first, to find a limit for the others.
 *
 * Many numbers are sorted digit by digit, from the last one on: a pass deals the entries
 * out to 256 lists. Digits that are the same in all numbers are left out. Strings and few
 * numbers are merged: runs that are sorted already become longer ones.
 *
 * All of it is charged to the budget.
 */
#include "core/sort.h"

#define SORT_BATCH  256 /* entries collected, at least */
#define SORT_SEEDS  256 /* the newest, in arrays of SORT_LARGE times as many as a loop can visit */
#define SORT_LARGE  16
#define SORT_STRIDE 64 /* entries that are examined before they are charged */

/* Fewer numbers are merged. */
#define SORT_DEALT 64

/* Units of work (api/ctx.h): examining an entry; moving one after a comparison. */
#define SORT_LOOK 60
#define SORT_MOVE 42
/* Comparing a number with the first; dealing it out; the lists of a pass. */
#define SORT_DIFFER 16
#define SORT_DEAL   24
#define SORT_PASS   2048
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
	bool in_place; /* the number is in the entry itself */
	bool is_plain; /* the same, and there is no slice */
	uint32_t at;   /* place of the number to sort by */
	unsigned key;
	uint32_t look, move, deal, differ, pass; /* work */
};

static uint32_t sort_share(const struct sort *s, uint32_t work)
{
	return s->c->sleepable ? work / STP_SLEEPABLE_SHARE + 1 : work;
}

/* Returns the additional work of examining a value that is not a plain number. */
static uint32_t sort_stats_work(const struct sort *s)
{
	uint32_t work = 0;

	if (s->by_value && (stp_map_has_parts(s->m) || s->m->desc->value_type == STP_STATS))
		work = SORT_STATS;
	if (s->by_value && s->how->stat == STP_VARIANCE)
		work += 2 * STP_STAT_VARIANCE_WORK; /* for both that are compared */
	return work;
}

static void sort_init(struct sort *s)
{
	const struct stp_map_desc *desc = s->m->desc;
	uint32_t stats;

	s->by_value = s->how->sort_column < 0;
	s->key = s->by_value ? 0 : (unsigned)s->how->sort_column - 1;
	s->is_number = (s->by_value ? desc->value_type : desc->key_types[s->key]) != STP_STRING;
	s->at = s->by_value ? s->m->value_at : s->m->key_at[s->key];
	s->in_place = s->is_number &&
		      !(s->by_value && (stp_map_has_parts(s->m) || desc->value_type != STP_LONG));
	s->is_plain = s->in_place && !s->how->slice;
	stats = sort_stats_work(s);
	s->look = sort_share(s, (s->is_plain ? SORT_LOOK_PLAIN : SORT_LOOK) + stats);
	s->move = sort_share(s, SORT_MOVE + stats);
	s->differ = sort_share(s, SORT_DIFFER + stats);
	s->deal = sort_share(s, SORT_DEAL + stats);
	s->pass = sort_share(s, SORT_PASS);
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

	d = stp_map_has_parts(s->m) ? stp_map_part(s->m, s->m->nparts - 1, stp_map_slot(s->m, e))
				    : (const void *)((uint8_t *)e + s->at);
	if (s->m->desc->value_type == STP_LONG)
		return *(const int64_t *)d;
	return d->count ? stp_stat_op(s->c, d, s->how->stat) : 0;
}

static __always_inline int64_t sort_number(const struct sort *s, uint32_t n)
{
	struct stp_map_entry *e = stp_map_entry(s->m, n);

	return s->in_place ? *stp_map_long_at(e, s->at) : sort_value(s, e);
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

/* ---- merging ---- */

/* Merges two sorted lists. Equal entries keep their order, those of a first. */
static uint32_t sort_merge(const struct sort *s, uint32_t a, uint32_t b)
{
	uint32_t first = 0, *tail = &first;

	while (a && b) {
		uint32_t *from = sort_compare(s, a, b) <= 0 ? &a : &b;

		*tail = *from;
		tail = sort_link(s, *from);
		*from = *tail;
	}
	*tail = a | b; /* one of them has ended */
	return first;
}

/* Cuts the entries off a list that are in order already; returns the rest. */
static uint32_t sort_cut_run(const struct sort *s, uint32_t list)
{
	uint32_t *link = sort_link(s, list), rest;

	while (*link && sort_compare(s, list, *link) <= 0) {
		list = *link;
		link = sort_link(s, list);
	}
	rest = *link;
	*link = 0;
	return rest;
}

/* Sorts by a stack of runs: runs[i] was made of 2^i runs of the list, or is empty. */
static uint32_t sort_runs(const struct sort *s, uint32_t list)
{
	uint32_t *runs = s->m->piles->runs, sorted = 0, run, i;

	for (i = 0; i < STP_MAP_RUNS; i++)
		runs[i] = 0;
	for (run = list; run; run = list) {
		list = sort_cut_run(s, run);
		for (i = 0; runs[i]; i++) {
			run = sort_merge(s, runs[i], run);
			runs[i] = 0;
		}
		runs[i] = run;
	}
	for (i = 0; i < STP_MAP_RUNS; i++)
		if (runs[i])
			sorted = sort_merge(s, runs[i], sorted);
	return sorted;
}

/* ---- dealing out by digits ---- */

/* Returns the number, changed so that as unsigned ones the best is the least. */
static uint64_t sort_digits(const struct sort *s, uint32_t n)
{
	return (uint64_t)sort_number(s, n) ^ (s->how->direction < 0 ? INT64_MAX : INT64_MIN);
}

/* Returns the bits that are not the same in all numbers. */
static uint64_t sort_differences(const struct sort *s, uint32_t list)
{
	uint64_t first = sort_digits(s, list), ret = 0;

	for (uint32_t n = list; n; n = *sort_link(s, n))
		ret |= sort_digits(s, n) ^ first;
	return ret;
}

static void sort_deal_out(const struct sort *s, uint32_t list, unsigned shift)
{
	uint32_t **ends = s->m->piles->ends;

	for (uint32_t n = list; n; n = list) {
		uint32_t *link = sort_link(s, n);
		uint8_t digit = (uint8_t)(sort_digits(s, n) >> shift);

		list = *link;
		*ends[digit] = n;
		ends[digit] = link;
	}
}

/*
 * The same for numbers that are in the entry: their digits are its bytes. Everything that
 * does not change is in a variable, because the compiler cannot know this.
 */
static void sort_deal_out_bytes(const struct sort *s, uint32_t list, unsigned shift)
{
	uint8_t *const *segments = s->m->segments;
	const uint32_t bits = s->m->unit_bits, mask = s->m->unit_mask, at = s->at + shift / 8;
	const uint32_t link_at = s->m->links_at + s->level * (uint32_t)sizeof(uint32_t);
	uint32_t **ends = s->m->piles->ends;
	uint8_t flip = s->how->direction < 0 ? 0xff : 0;

	_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the last digit comes first");
	flip ^= shift == 56 ? 0x80 : 0; /* the sign */
	for (uint32_t n = list; n; n = list) {
		uint8_t *e = segments[n >> bits] + (size_t)(n & mask) * 8;
		uint32_t *link = (uint32_t *)(e + link_at), **end = &ends[e[at] ^ flip];

		list = *link;
		**end = n;
		*end = link;
	}
}

/* Sorts by one digit. */
static uint32_t sort_pass(const struct sort *s, uint32_t list, unsigned shift)
{
	struct stp_map_piles *p = s->m->piles;
	uint32_t first = 0, *end = &first;

	for (unsigned i = 0; i < STP_MAP_PILES; i++) {
		p->first[i] = 0;
		p->ends[i] = &p->first[i];
	}
	if (s->in_place)
		sort_deal_out_bytes(s, list, shift);
	else
		sort_deal_out(s, list, shift);
	for (unsigned i = 0; i < STP_MAP_PILES; i++) {
		if (!p->first[i])
			continue;
		*end = p->first[i];
		end = p->ends[i];
	}
	*end = 0;
	return first;
}

/* Sorts by the digits that have these bits. 0: that exceeds the budget. */
static uint32_t sort_passes(const struct sort *s, uint32_t list, uint32_t count,
			    uint64_t differences)
{
	for (unsigned shift = 0; shift < 64; shift += 8) {
		if (!(uint8_t)(differences >> shift))
			continue;
		if (!stp_map_walks(s->c, s->m, s->deal * (uint64_t)count + s->pass))
			return 0;
		list = sort_pass(s, list, shift);
	}
	return list;
}

static uint32_t sort_numbers(const struct sort *s, uint32_t list, uint32_t count)
{
	if (!stp_map_walks(s->c, s->m, s->differ * (uint64_t)count))
		return 0;
	return sort_passes(s, list, count, sort_differences(s, list));
}

/*
 * The same for any list. Merging moves each entry once for each doubling of the sorted
 * runs.
 */
static uint32_t sort_list(const struct sort *s, uint32_t list, uint32_t count)
{
	uint32_t doublings = count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0;

	if (s->is_number && count >= SORT_DEALT)
		return sort_numbers(s, list, count);
	if (!stp_map_walks(s->c, s->m, s->move * ((uint64_t)count * (doublings + 1))))
		return 0;
	return sort_runs(s, list);
}

/* ---- the best ---- */

/* Cuts a list after its first `most` entries; returns the last of them. */
static uint32_t sort_shorten(const struct sort *s, uint32_t list, uint32_t most)
{
	uint32_t last = list;

	while (*sort_link(s, last) && --most)
		last = *sort_link(s, last);
	*sort_link(s, last) = 0;
	return last;
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
 * Merges the collected entries with the others. When that exceeds the budget, there are
 * none.
 */
static void best_merge(const struct sort *s, struct best *b)
{
	uint64_t all = (uint64_t)b->count + b->collected;

	*b->tail = 0;
	if (b->collected)
		b->batch = sort_list(s, b->batch, b->collected);
	if (b->list && !stp_map_walks(s->c, s->m, s->move * all))
		b->batch = 0;
	b->list = stp_failed(s->c) ? 0 : b->list ? sort_merge(s, b->list, b->batch) : b->batch;
	b->count = all < b->most ? (uint32_t)all : b->most;
	if (b->list && b->count == b->most)
		b->last = sort_shorten(s, b->list, b->most);
	b->batch = b->collected = 0;
	b->tail = &b->batch;
}

/*
 * True: the entry is in the slice. Then its parts are summed up if they will be compared.
 */
static bool sort_wants(const struct sort *s, uint32_t n)
{
	if (!stp_iter_matches(s->c, s->m, s->how, n))
		return false;
	if (stp_map_has_parts(s->m) && s->by_value)
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
	while (n) {
		uint32_t left = SORT_STRIDE;
		bool found = false;

		do {
			struct stp_map_entry *e = stp_map_entry(s->m, n);

			found = (*stp_map_long_at(e, s->at) ^ flip) <= last;
			if (found)
				break;
			n = e->next;
		} while (n && --left);
		if (!stp_map_walks(s->c, s->m, s->look * (uint64_t)(SORT_STRIDE + 1 - left)))
			return 0;
		if (found)
			break;
	}
	return n;
}

/* Sorts all entries, by plain numbers. 0: that exceeds the budget. */
static uint32_t sort_all_plain(const struct sort *s)
{
	const uint32_t link_at = s->m->links_at + s->level * (uint32_t)sizeof(uint32_t);
	uint64_t first = (uint64_t)sort_number(s, s->m->oldest), differences = 0;

	if (!stp_map_walks(s->c, s->m, (s->look + s->differ) * (uint64_t)s->m->count))
		return 0;
	for (uint32_t n = s->m->oldest; n;) {
		struct stp_map_entry *e = stp_map_entry(s->m, n);

		differences |= (uint64_t)*stp_map_long_at(e, s->at) ^ first;
		n = e->next;
		*(uint32_t *)((uint8_t *)e + link_at) = n;
	}
	return sort_passes(s, s->m->oldest, s->m->count, differences);
}

static uint32_t sort_best(const struct sort *s, uint32_t most)
{
	struct best b = { .most = most };
	uint32_t batch = most > SORT_BATCH ? most : SORT_BATCH, n = s->m->oldest;

	if (!most)
		return 0;
	if (s->is_plain && most >= s->m->count && s->m->count >= SORT_DEALT)
		return sort_all_plain(s);
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

uint32_t stp_sort_map(struct stp_ctx *c, const struct stp_map *m, const struct stp_iter_how *how,
		      unsigned level, uint32_t most)
{
	struct sort s = { .m = m, .how = how, .c = c, .level = level };

	sort_init(&s);
	return sort_best(&s, most);
}
