/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core/store.c, and core/map.c and core/lock.c for arrays that many CPUs add to: arrays
 * without a size grow as they are filled, up to a limit; nothing that was added is lost.
 */
#include "script.h"

#include <pthread.h>

#define CPUS 4
#define HITS 50000
#define KEYS 3000

static struct stp_map *numbers, *names, *pairs, *counts, *sums;
static const struct stp_map_desc desc_numbers = { .name = "numbers",
						  .nkeys = 1,
						  .key_types = { STP_LONG } };
static const struct stp_map_desc desc_names = {
	.name = "names", .nkeys = 1, .key_types = { STP_STRING }, .sorts = 1
};
static const struct stp_map_desc desc_pairs = { .name = "pairs",
						.nkeys = 3,
						.key_types = { STP_STRING, STP_LONG, STP_STRING },
						.value_type = STP_STRING };
static const struct stp_map_desc desc_counts = {
	.name = "counts", .nkeys = 1, .key_types = { STP_LONG }, .adds = true, .sorts = 1
};
static const struct stp_map_desc desc_sums = {
	.name = "sums",
	.nkeys = 1,
	.key_types = { STP_STRING },
	.value_type = STP_STATS,
	.adds = true,
	.keeps = STP_KEEP_SUM | STP_KEEP_MAX,
	.hist = STP_HIST_LOG,
};
static const struct stp_global globals[] = {
	{ .name = "numbers", .is_array = true, .place = &numbers, .desc = &desc_numbers },
	{ .name = "names", .is_array = true, .place = &names, .desc = &desc_names },
	{ .name = "pairs",
	  .type = STP_STRING,
	  .is_array = true,
	  .place = &pairs,
	  .desc = &desc_pairs },
	{ .name = "counts", .is_array = true, .place = &counts, .desc = &desc_counts },
	{ .name = "sums", .type = STP_STATS, .is_array = true, .place = &sums, .desc = &desc_sums },
};

/* ---- probes ---- */

static struct stp_lock lock_counts = { .adders = 1 }, lock_sums = { .adders = 2 };
static const struct stp_lock_use adding[] = { { &lock_counts, STP_LOCK_ADD },
					      { &lock_sums, STP_LOCK_ADD } };
static const struct stp_lock_use reading[] = { { &lock_counts, STP_LOCK_ALONE },
					       { &lock_sums, STP_LOCK_ALONE } };
static _Thread_local uint64_t turn;
static int64_t seen, fell;

static void add_some(struct stp_ctx *c)
{
	int64_t k = (int64_t)(turn++ * 7919 % KEYS);
	char text[32];
	union stp_key number = { .i = k }, name;

	snprintf(text, sizeof(text), "key %d", (int)(k % 100));
	name.s = unit_str(text);
	stp_map_add_i(c, counts, &number, 1);
	stp_map_stat_add(c, sums, &name, k);
}

/* The sum is all that was ever added, or more than before: never less. */
static void read_all(struct stp_ctx *c)
{
	static const struct stp_iter_how how = {
		.sort_column = -1, .direction = -1, .limit = KEYS, .wild = ~0u
	};
	int64_t total = 0, last = INT64_MAX;
	struct stp_iter it;

	stp_iter_begin(c, &it, counts, &how);
	while (stp_iter_next(c, &it)) {
		CHECK(stp_iter_value_i(&it) <= last);
		last = stp_iter_value_i(&it);
		total += last;
	}
	stp_iter_end(c, &it);
	fell += total < seen;
	seen = total;
}

static const struct stp_probe probes[] = {
	{ .pp = "add",
	  .pn = "add",
	  .handler = add_some,
	  .family = UNIT_FAMILY,
	  .locks = adding,
	  .nlocks = 2,
	  .index = 0 },
	{ .pp = "read",
	  .pn = "read",
	  .handler = read_all,
	  .family = UNIT_FAMILY,
	  .locks = reading,
	  .nlocks = 2,
	  .index = 1 },
};
static const struct stp_part *const parts[] = { &stp_arrays_part };
const struct stp_script stp_script = {
	.probes = probes,
	.nprobes = 2,
	.globals = globals,
	.nglobals = 5,
	.parts = parts,
	.nparts = 1,
	UNIT_LIMITS_GROWING,
};

static struct stp_ctx *c;

static int64_t scatter(int64_t i)
{
	return (int64_t)((uint64_t)i * 0x9e3779b97f4a7c15u);
}

/* Key + value + 32, and the spare memory. */
static void grows_flat(void)
{
	for (int64_t i = 0; i < 200000; i++)
		stp_map_set_i(c, numbers, &(union stp_key){ .i = scatter(i) }, i);
	CHECK(!c->error);
	CHECK_LONG(numbers->count, 200000);
	for (int64_t i = 0; i < 200000; i++)
		CHECK_LONG(stp_map_get_i(c, numbers, &(union stp_key){ .i = scatter(i) }), i);
	CHECK(!stp_map_in(c, numbers, &(union stp_key){ .i = 5 }, 0));
	CHECK(numbers->active * 10ull > numbers->count * 9ull);
	CHECK((uint64_t)(numbers->segments_used << numbers->unit_bits) * 8 +
		      numbers->buckets_ready * 4ull <=
	      numbers->count * (8 + 8 + 32ull));
}

static void name_of(char dst[96], int64_t i, union stp_key *k)
{
	sprintf(dst, "%.*s%lld", (int)(i * 31 % 45),
		"/usr/share/a/long/path/that/has/many/parts/in", (long long)i);
	k->s = unit_str(dst);
}

/*
 * Keys take room for their length, not for the longest possible; deleted entries are used
 * again.
 */
static void strings_take_their_length(void)
{
	uint64_t length = 0, bytes, before;
	union stp_key k;
	char text[96];

	for (int64_t i = 0; i < 50000; i++) {
		name_of(text, i, &k);
		length += k.s.len;
		stp_map_set_i(c, names, &k, i);
	}
	CHECK(!c->error);
	bytes = (uint64_t)(names->segments_used << names->unit_bits) * 8 +
		names->buckets_ready * 4ull;
	/* Rare sizes have a segment each. */
	CHECK(bytes <= length + names->count * (8 + 32ull) + (1 << 20));
	before = names->bytes;
	for (int round = 0; round < 4; round++) {
		for (int64_t i = round % 2; i < 50000; i += 2) {
			name_of(text, i, &k);
			stp_map_delete(c, names, &k, 0);
			CHECK(!stp_map_in(c, names, &k, 0));
		}
		for (int64_t i = round % 2; i < 50000; i += 2) {
			name_of(text, i, &k);
			stp_map_set_i(c, names, &k, -i);
		}
	}
	CHECK_LONG(names->count, 50000);
	CHECK_LONG((long long)names->bytes, (long long)before);
	for (int64_t i = 0; i < 50000; i++) {
		name_of(text, i, &k);
		CHECK_LONG(stp_map_get_i(c, names, &k), -i);
	}
	stp_map_clear(c, names);
	CHECK_LONG(names->count, 0);
}

static void many_keys(void)
{
	char a[96], b[96], dst[512];
	union stp_key k[3];

	for (int64_t i = 0; i < 3000; i++) {
		name_of(a, i, &k[0]);
		name_of(b, i / 3, &k[2]);
		k[1].i = i;
		stp_map_set_s(c, pairs, k, k[2].s);
	}
	CHECK(!c->error);
	for (int64_t i = 0; i < 3000; i++) {
		name_of(a, i, &k[0]);
		name_of(b, i / 3, &k[2]);
		k[1].i = i;
		CHECK_TEXT(stp_map_get_s(c, pairs, k, dst).s, b);
		k[1].i++;
		CHECK(!stp_map_in(c, pairs, k, 0));
	}
	name_of(b, 7, &k[2]);
	stp_map_delete(c, pairs, k, 3);
	CHECK_LONG(pairs->count, 2997);
	stp_map_clear(c, pairs);
}

static void stops_at_the_limit(void)
{
	int64_t i = 200000;

	while (!c->error && i < 10000000)
		stp_map_set_i(c, numbers, &(union stp_key){ .i = scatter(i++) }, i);
	CHECK(c->error &&
	      strstr(c->error, "Array overflow, check MAXMAPMEMORY (48 MB): array 'numbers' has "));
	CHECK(numbers->said_full);
	CHECK(stp_runtime.map_bytes <= 48ull << 20);
	c->error = NULL;
	stp_map_clear(c, numbers);
	stp_map_set_i(c, numbers, &(union stp_key){ .i = 1 }, 1);
	CHECK(!c->error);
}

/* ---- threads ---- */

static void *run(void *ctx)
{
	user_cpu = (unsigned)(uintptr_t)ctx;
	turn = user_cpu * 1000003;
	for (int i = 0; i < HITS; i++)
		CHECK(stp_hit(&probes[0], NULL, NULL, NULL));
	return NULL;
}

static void nothing_is_lost(void)
{
	pthread_t threads[CPUS - 1];
	const struct stp_stat_data *d;
	int64_t count = 0, sum = 0;
	char text[32], error[256];

	CHECK_LONG(stp_session_start(0, error, sizeof(error)), 0);
	for (uintptr_t i = 0; i < CPUS - 1; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	user_cpu = CPUS - 1;
	for (int i = 0; i < 50; i++)
		CHECK(stp_hit(&probes[1], NULL, NULL, NULL));
	for (unsigned i = 0; i < CPUS - 1; i++)
		pthread_join(threads[i], NULL);
	CHECK(stp_hit(&probes[1], NULL, NULL, NULL));
	CHECK_LONG(seen, (CPUS - 1) * HITS);
	CHECK_LONG(fell, 0);
	CHECK_LONG(counts->count, KEYS);
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "key %d", i);
		d = stp_map_stat_read(c, sums, &(union stp_key){ .s = unit_str(text) });
		CHECK(d && d->max % 100 == i && d->max < KEYS);
		count += stp_stat_op(c, d, STP_COUNT);
		sum += stp_stat_op(c, d, STP_SUM);
	}
	CHECK_LONG(count, (CPUS - 1) * HITS);
	CHECK(sum > 0);
	stp_map_delete(c, counts, &(union stp_key){ .i = 7 }, 0);
	stp_map_add_i(c, counts, &(union stp_key){ .i = 7 }, -3);
	CHECK_LONG(stp_map_get_i(c, counts, &(union stp_key){ .i = 7 }), -3);
	stp_session_stop(true);
}

int main(void)
{
	user_cpu_count = CPUS;
	CHECK_LONG(stp_session_create(), 0);
	c = unit_context();
	RUN(grows_flat);
	RUN(strings_take_their_length);
	RUN(many_keys);
	RUN(stops_at_the_limit);
	RUN(nothing_is_lost);
	stp_session_destroy();
	return unit_end();
}
