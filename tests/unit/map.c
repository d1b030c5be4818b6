/* SPDX-License-Identifier: GPL-2.0-or-later */
/* core/map.c, core/iter.c: against a list that is searched from its start. */
#include "script.h"

static struct stp_map *pairs, *names, *ring, *sizes, *shared, *numbers;
static const struct stp_map_desc desc_pairs = {
	.name = "pairs",
	.nkeys = 2,
	.key_types = { STP_STRING, STP_LONG },
	.value_type = STP_LONG,
	.max_entries = 50,
	.sorts = 2,
};
static const struct stp_map_desc desc_names = {
	.name = "names",
	.nkeys = 1,
	.key_types = { STP_LONG },
	.value_type = STP_STRING,
};
static const struct stp_map_desc desc_ring = {
	.name = "ring",
	.nkeys = 1,
	.key_types = { STP_LONG },
	.value_type = STP_LONG,
	.max_entries = 3,
	.wrap = true,
};
static const struct stp_map_desc desc_numbers = {
	.name = "numbers",
	.nkeys = 1,
	.key_types = { STP_LONG },
	.value_type = STP_LONG,
	.max_entries = 3000,
};
static const struct stp_map_desc desc_sizes = {
	.name = "sizes",
	.nkeys = 1,
	.key_types = { STP_STRING },
	.value_type = STP_STATS,
	.keeps = STP_KEEP_SUM,
	.hist = STP_HIST_LOG,
};
static const struct stp_map_desc desc_shared = {
	.name = "shared",
	.nkeys = 1,
	.key_types = { STP_STRING },
	.value_type = STP_STATS,
	.adds = true,
	.max_entries = 100,
	.keeps = STP_KEEP_SUM,
	.hist = STP_HIST_LOG,
};
static const struct stp_global globals[] = {
	{ .name = "pairs", .is_array = true, .place = &pairs, .desc = &desc_pairs },
	{ .name = "names",
	  .type = STP_STRING,
	  .is_array = true,
	  .place = &names,
	  .desc = &desc_names },
	{ .name = "ring", .is_array = true, .place = &ring, .desc = &desc_ring },
	{ .name = "sizes",
	  .type = STP_STATS,
	  .is_array = true,
	  .place = &sizes,
	  .desc = &desc_sizes },
	{ .name = "shared",
	  .type = STP_STATS,
	  .is_array = true,
	  .place = &shared,
	  .desc = &desc_shared },
	{ .name = "numbers", .is_array = true, .place = &numbers, .desc = &desc_numbers },
};
static const struct stp_part *const parts[] = { &stp_arrays_part };
const struct stp_script stp_script = { UNIT_LIMITS, .globals = globals, .nglobals = 6,
				       .parts = parts, .nparts = 1 };

static struct stp_ctx *c;

static void key(union stp_key k[2], const char *s, int64_t i)
{
	k[0].s = unit_str(s);
	k[1].i = i;
}

/* ---- the model ---- */

struct model_entry {
	char s[8];
	int64_t i, value;
};
static struct model_entry model[50];
static unsigned model_count;

static int model_find(const char *s, int64_t i)
{
	for (unsigned n = 0; n < model_count; n++)
		if (!strcmp(model[n].s, s) && model[n].i == i)
			return (int)n;
	return -1;
}

static void model_delete(int n)
{
	memmove(&model[n], &model[n + 1], (model_count - (unsigned)n - 1) * sizeof(model[0]));
	model_count--;
}

static void step(void)
{
	char s[8];
	int64_t i = (int64_t)(unit_random() % 8), v = (int64_t)unit_random();
	union stp_key k[2];
	int n;

	sprintf(s, "k%d", (int)(unit_random() % 10));
	key(k, s, i);
	n = model_find(s, i);
	c->work = c->budget;
	CHECK(stp_map_in(c, pairs, k, 0) == (n >= 0));
	CHECK_LONG(stp_map_get_i(c, pairs, k), n >= 0 ? model[n].value : 0);
	if (v & 3) {
		stp_map_set_i(c, pairs, k, v);
		if (n < 0 && model_count == 50) {
			CHECK_TEXT(c->error, "Array overflow, check size limit (50)/MAXMAPENTRIES "
					     "of array 'pairs'");
			c->error = NULL;
			return;
		}
		if (n < 0) {
			n = (int)model_count++;
			strcpy(model[n].s, s);
			model[n].i = i;
		}
		model[n].value = v;
	} else {
		stp_map_delete(c, pairs, k, 0);
		if (n >= 0)
			model_delete(n);
	}
	CHECK(!c->error);
}

static void compare_order(void)
{
	static const struct stp_iter_how how = { .limit = -1, .wild = ~0u };
	struct stp_iter it;
	unsigned n = 0;
	char s[64];

	stp_iter_begin(c, &it, pairs, &how);
	for (; stp_iter_next(c, &it); n++) {
		CHECK(n < model_count);
		stp_iter_key_s(c, &it, 0, s);
		CHECK_TEXT(s, model[n].s);
		CHECK_LONG(stp_iter_key_i(&it, 1), model[n].i);
		CHECK_LONG(stp_iter_value_i(&it), model[n].value);
	}
	stp_iter_end(c, &it);
	CHECK_LONG(n, model_count);
}

static void like_a_list(void)
{
	for (int i = 0; i < 30000; i++) {
		step();
		if (!(i % 100))
			compare_order();
	}
}

static void slices(void)
{
	union stp_key k[2];
	unsigned wanted = 0, got = 0;
	const struct stp_iter_how how = {
		.limit = -1, .wild = 2, .slice = k, .sort_column = 2, .direction = -1
	};
	struct stp_iter it;
	int64_t last = INT64_MAX;

	key(k, "k3", 0);
	for (unsigned n = 0; n < model_count; n++)
		wanted += !strcmp(model[n].s, "k3");
	stp_iter_begin(c, &it, pairs, &how);
	for (; stp_iter_next(c, &it); got++) {
		CHECK(stp_iter_key_i(&it, 1) < last);
		last = stp_iter_key_i(&it, 1);
	}
	stp_iter_end(c, &it);
	CHECK_LONG(got, wanted);
	CHECK(stp_map_in(c, pairs, k, 2) == (wanted > 0));
	stp_map_delete(c, pairs, k, 2);
	CHECK(!stp_map_in(c, pairs, k, 2));
	CHECK_LONG(pairs->count, model_count - wanted);
	CHECK(stp_map_in(c, pairs, k, 3));
	stp_map_clear(c, pairs);
	CHECK(!stp_map_in(c, pairs, k, 3));
}

static void sorted_and_nested(void)
{
	static const struct stp_iter_how up = {
		.sort_column = -1, .direction = 1, .limit = -1, .wild = ~0u
	};
	static const struct stp_iter_how down = {
		.sort_column = 2, .direction = -1, .limit = 3, .wild = ~0u
	};
	struct stp_iter a, b, third;
	union stp_key k[2];
	int64_t last = INT64_MIN;
	unsigned inner = 0;

	for (int i = 0; i < 40; i++) {
		key(k, "x", i);
		stp_map_set_i(c, pairs, k, (int64_t)(unit_random() % 20));
	}
	stp_iter_begin(c, &a, pairs, &up);
	while (stp_iter_next(c, &a)) {
		CHECK(stp_iter_value_i(&a) >= last);
		last = stp_iter_value_i(&a);
		stp_iter_begin(c, &b, pairs, &down);
		for (int64_t i = 39; stp_iter_next(c, &b); i--, inner++)
			CHECK_LONG(stp_iter_key_i(&b, 1), i);
		stp_iter_begin(c, &third, pairs, &up);
		CHECK(!c->error == !b.map);
		stp_iter_end(c, &third);
		c->error = NULL;
		stp_iter_end(c, &b);
	}
	key(k, "y", 1);
	stp_map_set_i(c, pairs, k, 1);
	CHECK_TEXT(c->error, "array 'pairs' modified during foreach");
	c->error = NULL;
	stp_iter_end(c, &a);
	CHECK_LONG(inner, 120);
	stp_map_set_i(c, pairs, k, 1);
	CHECK(!c->error);
	stp_map_clear(c, pairs);
}

static void strings_are_cut(void)
{
	char longer[200], dst[64];
	union stp_key k = { .i = 1 }, s;
	int64_t before = sizes->count;

	memset(longer, 'a', sizeof(longer) - 1);
	longer[199] = 0;
	stp_map_set_s(c, names, &k, unit_str(longer));
	CHECK_LONG(stp_map_get_s(c, names, &k, dst).len, 63);
	s.s = unit_str(longer);
	stp_map_stat_add(c, sizes, &s, 7);
	stp_map_stat_add(c, sizes, &s, 9);
	s.s.len = 63;
	CHECK_LONG(stp_stat_op(c, stp_map_stat_read(c, sizes, &s), STP_SUM), 16);
	CHECK_LONG(sizes->count, before + 1);
	k.i = 2;
	CHECK_LONG(stp_map_get_s(c, names, &k, dst).len, 0);
}

static void wrap_drops_the_oldest(void)
{
	for (int64_t i = 0; i < 10; i++)
		stp_map_set_i(c, ring, &(union stp_key){ .i = i }, i);
	CHECK(!c->error);
	for (int64_t i = 0; i < 10; i++)
		CHECK(stp_map_in(c, ring, &(union stp_key){ .i = i }, 0) == (i >= 7));
}

/*
 * stp_plain_… on numbers, against an array of values; a value of 0 is the same as
 * absence, except for `in`. Each of the two families may use the other's note of the last
 * element.
 */
#define KEYS 3000
static int64_t values[KEYS];
static bool there[KEYS];

static void plain_step(int64_t key, int64_t v)
{
	union stp_key k = { .i = key };

	c->work = c->budget;
	switch (unit_random() % 8) {
	case 0 ... 2:
		stp_plain_set_i(c, numbers, key, v);
		values[key] = v;
		there[key] = true;
		break;
	case 3:
		stp_plain_add_i(c, numbers, key, v);
		*stp_plain_ref_i(c, numbers, key) += v;
		values[key] += 2 * v;
		there[key] = true;
		break;
	case 4:
		stp_map_set_i(c, numbers, &k, v);
		values[key] = v;
		there[key] = true;
		break;
	case 5:
		stp_map_delete(c, numbers, &k, 0);
		values[key] = there[key] = false;
		break;
	default:
		CHECK(stp_plain_in(c, numbers, key) == there[key]);
		stp_plain_delete(c, numbers, key);
		values[key] = there[key] = false;
	}
	CHECK_LONG(stp_plain_get_i(c, numbers, key), values[key]);
	CHECK(stp_plain_in(c, numbers, key) == there[key] &&
	      stp_map_in(c, numbers, &k, 0) == there[key]);
}

static void plain_like_an_array(void)
{
	static const struct stp_iter_how oldest_first = { .wild = 1, .limit = -1 };
	struct stp_iter it;
	unsigned n = 0, all = 0;

	for (int i = 0; i < 100000 && !unit_failures; i++)
		plain_step((int64_t)(unit_random() % (i < 50000 ? 50 : KEYS)),
			   (int64_t)(unit_random() % 1000));
	for (int64_t key = 0; key < KEYS; key++)
		all += there[key];
	for (stp_iter_begin(c, &it, numbers, &oldest_first); stp_iter_next(c, &it); n++)
		CHECK_LONG(stp_iter_value_i(&it), values[stp_iter_key_i(&it, 0)]);
	CHECK_LONG(n, all);
	CHECK(!c->error);
	stp_plain_set_i(c, numbers, 1, 1);
	CHECK(c->error != NULL);
	c->error = NULL;
	stp_plain_delete(c, numbers, 1);
	CHECK(c->error != NULL);
	c->error = NULL;
	stp_iter_end(c, &it);
}

static void plain_wraps_too(void)
{
	for (int64_t i = 0; i < 10; i++)
		stp_plain_set_i(c, ring, i, i);
	CHECK(!c->error);
	for (int64_t i = 0; i < 10; i++)
		CHECK(stp_plain_in(c, ring, i) == (i >= 7));
}

/*
 * An array of long strings, and of parts, that is emptied at once and filled again:
 * entries that come back are new.
 */
static void emptied_and_filled(struct stp_map *m, int64_t round)
{
	char s[64];

	stp_map_clear(c, m);
	for (int i = 0; i < 100; i++) {
		union stp_key k;

		c->work = c->budget;
		k.s = (struct stp_str){ s, (uint32_t)sprintf(
						   s, "%d %.*s", i, i % 40,
						   "0123456789012345678901234567890123456789") };
		CHECK(!stp_map_in(c, m, &k, 0));
		stp_map_stat_add(c, m, &k, round);
		stp_map_stat_add(c, m, &k, i);
		CHECK_LONG(stp_stat_op(c, stp_map_stat_read(c, m, &k), STP_COUNT), 2);
		CHECK_LONG(stp_stat_op(c, stp_map_stat_read(c, m, &k), STP_SUM), round + i);
	}
	CHECK_LONG(m->count, 100);
	stp_map_clear(c, m);
	CHECK_LONG(m->count, 0);
	CHECK(!m->oldest && !m->newest);
	CHECK(!c->error);
}

static void emptied_at_once(void)
{
	for (int64_t round = 0; round < 3; round++) {
		emptied_and_filled(sizes, round);
		emptied_and_filled(shared, round);
	}
}

/* Walks are charged for, and the error names the array. */
static void walks_are_charged(void)
{
	union stp_key k[2];
	int walks = 0;

	model_count = 0;
	stp_map_clear(c, pairs);
	for (int i = 0; i < 50; i++) {
		key(k, "k", i);
		stp_map_set_i(c, pairs, k, i);
	}
	key(k, "l", 0);
	c->work = 100 * STP_ACTION / STP_SLEEPABLE_SHARE;
	while (walks < 100000 && !stp_map_in(c, pairs, k, 2) && !c->error)
		walks++;
	CHECK(walks > 20 && walks < 80); /* 50 entries are 2 or 3 statements */
	CHECK(c->error &&
	      strstr(c->error, "MAXACTION exceeded at array 'pairs', which has 50 elements"));
	c->error = NULL;
	c->work = c->budget;
}

int main(void)
{
	CHECK_LONG(stp_session_create(), 0);
	c = unit_context();
	RUN(like_a_list);
	RUN(slices);
	RUN(sorted_and_nested);
	RUN(strings_are_cut);
	RUN(wrap_drops_the_oldest);
	RUN(plain_like_an_array);
	RUN(plain_wraps_too);
	RUN(emptied_at_once);
	RUN(walks_are_charged);
	stp_session_destroy();
	return unit_end();
}
