/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core/shards.c: many CPUs at once create, change, read and remove elements, each hit
 * under the lock of one element; a probe that walks the arrays excludes them all.
 */
#include "script.h"

#include <pthread.h>

#define CPUS 5
#define HITS 200000
#define KEYS 400
#define MANY 60000

static struct stp_map *sums, *pairs, *notes;
static const struct stp_map_desc desc_sums = { .name = "sums",
					       .nkeys = 1,
					       .key_types = { STP_LONG },
					       .shards = &stp_shards_calls,
					       .sorts = 1 };
static const struct stp_map_desc desc_pairs = { .name = "pairs",
						.nkeys = 2,
						.key_types = { STP_LONG, STP_LONG },
						.value_type = STP_STRING,
						.shards = &stp_shards_calls };
static const struct stp_map_desc desc_notes = {
	.name = "notes", .nkeys = 1, .key_types = { STP_LONG }, .shards = &stp_shards_calls
};
static const struct stp_global globals[] = {
	{ .name = "sums", .is_array = true, .place = &sums, .desc = &desc_sums },
	{ .name = "pairs", .is_array = true, .place = &pairs, .desc = &desc_pairs },
	{ .name = "notes", .is_array = true, .place = &notes, .desc = &desc_notes },
};

static struct stp_lock lock_sums = { .array = &sums }, lock_pairs = { .array = &pairs },
		       lock_notes = { .array = &notes };
static const struct stp_lock_use all[] = { { &lock_sums, STP_LOCK_ALL },
					   { &lock_pairs, STP_LOCK_ALL },
					   { &lock_notes, STP_LOCK_ALL } };
static _Thread_local uint64_t turn;
static int64_t wrong, walks;

static void expect(bool is_so)
{
	if (!is_so)
		__atomic_add_fetch(&wrong, 1, __ATOMIC_RELAXED);
}

/* Keys of all processors: none may get lost between a read and a write. */
static void sum(struct stp_ctx *c)
{
	int64_t k = (int64_t)(turn++ * 7919 % KEYS);
	struct stp_shard *held = stp_shards_take_i(c, &lock_sums, sums, k);

	if (held)
		stp_plain_set_i(c, sums, k, stp_plain_get_i(c, sums, k) + 1);
	stp_shards_release(held);
}

/* Two arrays by one key: notes has the number of pairs' string, as long as both exist. */
static void pair(struct stp_ctx *c)
{
	int64_t k = (int64_t)(turn++ * 104729 % KEYS);
	union stp_key keys[2] = { { .i = k }, { .i = k + 1 } };
	struct stp_shard *held = stp_shards_take(c, &lock_pairs, pairs, keys), *other = NULL;
	char text[64], *end;

	if (held)
		other = stp_shards_take_i(c, &lock_notes, notes, k);
	if (other && stp_map_in(c, pairs, keys, 0)) {
		struct stp_str s = stp_map_get_s(c, pairs, keys, c->frame_base);

		expect(strtoll(s.s, &end, 10) == stp_plain_get_i(c, notes, k));
		expect(stp_plain_in(c, notes, k));
		stp_map_delete(c, pairs, keys, 0);
		stp_plain_delete(c, notes, k);
	} else if (other) {
		expect(!stp_plain_in(c, notes, k));
		snprintf(text, sizeof(text), "%lld", (long long)turn);
		stp_map_set_s(c, pairs, keys, unit_str(text));
		stp_plain_set_i(c, notes, k, (int64_t)turn);
	}
	stp_shards_release(other);
	stp_shards_release(held);
}

static void walk(struct stp_ctx *c)
{
	static const struct stp_iter_how how = { .limit = -1, .wild = ~0u };
	int64_t n = 0, last = -1;
	struct stp_iter it;

	stp_iter_begin(c, &it, notes, &how);
	while (stp_iter_next(c, &it)) {
		int64_t k = stp_iter_key_i(&it, 0);
		union stp_key keys[2] = { { .i = k }, { .i = k + 1 } };

		expect(stp_map_in(c, pairs, keys, 0));
		n++;
	}
	stp_iter_end(c, &it);
	expect(n == notes->count);
	stp_iter_begin(c, &it, sums,
		       &(struct stp_iter_how){
			       .sort_column = 1, .direction = 1, .limit = -1, .wild = ~0u });
	for (n = 0; stp_iter_next(c, &it); n++) {
		expect(stp_iter_key_i(&it, 0) > last);
		last = stp_iter_key_i(&it, 0);
	}
	stp_iter_end(c, &it);
	expect(n == sums->count);
	walks++;
}

/* Elements that come and go; those that stay grow the array. */
static void grow(struct stp_ctx *c)
{
	int64_t k = (int64_t)(turn++) * CPUS + c->cpu;
	struct stp_shard *held = stp_shards_take_i(c, &lock_notes, notes, k);

	if (held)
		stp_plain_set_i(c, notes, k, (int64_t)turn);
	if (held && k % 3 == 0)
		stp_plain_delete(c, notes, k);
	stp_shards_release(held);
}

#define PROBE(n, f) .pp = #f, .pn = #f, .handler = f, .family = UNIT_FAMILY, .index = n
static const struct stp_probe probes[] = {
	{ PROBE(0, sum) },
	{ PROBE(1, pair) },
	{ PROBE(2, walk), .locks = all, .nlocks = 3 },
	{ PROBE(3, grow) },
};
static const struct stp_part *const parts[] = { &stp_arrays_part };
const struct stp_script stp_script = {
	.probes = probes,
	.nprobes = 4,
	.globals = globals,
	.nglobals = 3,
	.parts = parts,
	.nparts = 1,
	UNIT_LIMITS_GROWING,
};

static struct stp_ctx *c;

static void *run(void *ctx)
{
	user_cpu = (unsigned)(uintptr_t)ctx;
	turn = user_cpu * 1000003;
	for (int i = 0; i < HITS; i++)
		CHECK(stp_hit(&probes[i & 1], NULL, NULL, NULL));
	return NULL;
}

static void *run_grow(void *ctx)
{
	user_cpu = (unsigned)(uintptr_t)ctx;
	for (turn = 0; turn < MANY;)
		CHECK(stp_hit(&probes[3], NULL, NULL, NULL));
	return NULL;
}

static void run_all(void *(*of)(void *), int walks_too)
{
	pthread_t threads[CPUS - 1];

	for (uintptr_t i = 0; i < CPUS - 1; i++)
		CHECK_LONG(pthread_create(&threads[i], NULL, of, (void *)i), 0);
	user_cpu = CPUS - 1;
	for (int i = 0; i < walks_too; i++)
		CHECK(stp_hit(&probes[2], NULL, NULL, NULL));
	for (int i = 0; i < CPUS - 1; i++)
		pthread_join(threads[i], NULL);
}

static void sums_are_exact(void)
{
	char error[256];
	int64_t total = 0;

	CHECK_LONG(stp_session_start(0, error, sizeof(error)), 0);
	run_all(run, 300);
	CHECK_LONG(wrong, 0);
	CHECK_LONG(walks, 300);
	for (int64_t k = 0; k < KEYS; k++)
		total += stp_plain_get_i(c, sums, k);
	CHECK_LONG(total, (CPUS - 1) * HITS / 2);
	for (uint32_t i = 0; i <= notes->shard_mask; i++)
		CHECK_LONG(notes->shards[i].state | sums->shards[i].state, 0);
}

static void arrays_grow(void)
{
	int64_t n = 0;
	uint32_t before;

	stp_map_clear(c, notes);
	CHECK_LONG(stp_shards_total(notes), 0);
	before = notes->active;
	run_all(run_grow, 0);
	for (int64_t k = 0; k < (int64_t)MANY * CPUS; k++) {
		bool wanted = k % 3 && k % CPUS != CPUS - 1;

		n += wanted;
		CHECK(stp_plain_in(c, notes, k) == wanted);
	}
	CHECK_LONG(stp_shards_total(notes), n);
	CHECK(notes->active > 2 * before); /* buckets were split */
	CHECK(notes->shards[0].count < 2 * n / (notes->shard_mask + 1));
}

/* The order of creation goes over all shards, and over several walks. */
static void order_is_kept(void)
{
	static const struct stp_iter_how how = { .limit = -1, .wild = ~0u };
	struct stp_iter it;
	int64_t want;

	stp_map_clear(c, sums);
	for (int turns = 0; turns < 3; turns++) {
		for (int64_t i = 0; i < 1000; i++)
			stp_plain_set_i(c, sums, (turns * 1000 + i) * 7919, turns * 1000 + i);
		for (int64_t i = 0; i < turns * 1000; i += 2) /* old elements */
			stp_plain_delete(c, sums, i * 7919);
		want = turns ? 1 : 0;
		stp_iter_begin(c, &it, sums, &how);
		while (stp_iter_next(c, &it)) {
			CHECK_LONG(stp_iter_value_i(&it), want);
			want += want < turns * 1000 - 1 ? 2 : 1;
		}
		stp_iter_end(c, &it);
		CHECK_LONG(want, (turns + 1) * 1000);
		CHECK_LONG(sums->count, 1000 + turns * 500);
	}
}

int main(void)
{
	user_cpu_count = CPUS;
	CHECK_LONG(stp_session_create(), 0);
	c = unit_context();
	c->work = INT64_MAX / 2;
	RUN(order_is_kept);
	RUN(sums_are_exact);
	RUN(arrays_grow);
	stp_session_destroy();
	return unit_end();
}
