/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core/map.c and core/lock.c for arrays of which probes only set an element: many CPUs at
 * once make elements and set them, and a probe that sorts the array excludes them all.
 */
#include "script.h"

#include <pthread.h>

#define CPUS 5
#define HITS 60000
#define KEYS 5000

static struct stp_map *numbers, *names, *few;
static const struct stp_map_desc desc_numbers = {
	.name = "numbers", .nkeys = 1, .key_types = { STP_LONG }, .sets = true, .sorts = 1
};
static const struct stp_map_desc desc_names = {
	.name = "names", .nkeys = 2, .key_types = { STP_STRING, STP_LONG }, .sets = true
};
static const struct stp_map_desc desc_few = {
	.name = "few", .nkeys = 1, .key_types = { STP_LONG }, .sets = true, .max_entries = 1100
};
static const struct stp_global globals[] = {
	{ .name = "numbers", .is_array = true, .place = &numbers, .desc = &desc_numbers },
	{ .name = "names", .is_array = true, .place = &names, .desc = &desc_names },
	{ .name = "few", .is_array = true, .place = &few, .desc = &desc_few },
};

static struct stp_lock lock_numbers = { .adders = 1 }, lock_names = { .adders = 2 };
static const struct stp_lock_use setting[] = { { &lock_numbers, STP_LOCK_ADD },
					       { &lock_names, STP_LOCK_ADD } };
static const struct stp_lock_use reading[] = { { &lock_numbers, STP_LOCK_ALONE },
					       { &lock_names, STP_LOCK_ALONE } };
static _Thread_local uint64_t turn;
static int64_t seen, fell, wrong;

static int64_t next_key(void)
{
	return (int64_t)(turn++ * 7919 % KEYS);
}

/* A value tells its key, and that it is whole. */
static int64_t value_of(const struct stp_ctx *c, int64_t k)
{
	return (k << 40) + (int64_t)(turn & 0xffffff) * CPUS + c->cpu;
}

static void set_number(struct stp_ctx *c)
{
	int64_t k = next_key();

	stp_plain_set_i(c, numbers, k, value_of(c, k));
}

static void set_name(struct stp_ctx *c)
{
	int64_t k = next_key();
	char text[64];
	union stp_key keys[2] = { { .i = 0 }, { .i = k } };

	snprintf(text, sizeof(text), "a name of some length %d", (int)(k % 100));
	keys[0].s = unit_str(text);
	stp_map_set_i(c, names, keys, value_of(c, k));
}

/* The array only grows, in an order that its values have, too. */
static void read_all(struct stp_ctx *c)
{
	static const struct stp_iter_how how = {
		.sort_column = -1, .direction = 1, .limit = -1, .wild = ~0u
	};
	int64_t n = 0, last = -1;
	struct stp_iter it;

	stp_iter_begin(c, &it, numbers, &how);
	while (stp_iter_next(c, &it)) {
		int64_t value = stp_iter_value_i(&it);

		wrong += value >> 40 != stp_iter_key_i(&it, 0) || value <= last;
		last = value;
		n++;
	}
	stp_iter_end(c, &it);
	wrong += n != numbers->count;
	fell += n < seen;
	seen = n;
}

static const struct stp_probe probes[] = {
	{ .pp = "number",
	  .pn = "number",
	  .handler = set_number,
	  .family = UNIT_FAMILY,
	  .locks = &setting[0],
	  .nlocks = 1,
	  .index = 0 },
	{ .pp = "name",
	  .pn = "name",
	  .handler = set_name,
	  .family = UNIT_FAMILY,
	  .locks = &setting[1],
	  .nlocks = 1,
	  .index = 1 },
	{ .pp = "read",
	  .pn = "read",
	  .handler = read_all,
	  .family = UNIT_FAMILY,
	  .locks = reading,
	  .nlocks = 2,
	  .index = 2 },
};
static const struct stp_part *const parts[] = { &stp_arrays_part };
const struct stp_script stp_script = {
	.probes = probes,
	.nprobes = 3,
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

static void values_are_whole(void)
{
	pthread_t threads[CPUS - 1];
	char error[256];

	CHECK_LONG(stp_session_start(0, error, sizeof(error)), 0);
	for (uintptr_t i = 0; i < CPUS - 1; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	user_cpu = CPUS - 1;
	for (int i = 0; i < 50; i++)
		CHECK(stp_hit(&probes[2], NULL, NULL, NULL));
	for (unsigned i = 0; i < CPUS - 1; i++)
		pthread_join(threads[i], NULL);
	CHECK(stp_hit(&probes[2], NULL, NULL, NULL));
	CHECK_LONG(wrong, 0);
	CHECK_LONG(fell, 0);
	CHECK_LONG(seen, KEYS);
	CHECK_LONG(names->count, KEYS);
}

/* Each element of names is found by its keys, and has a value of its own. */
static void names_are_found(void)
{
	for (int64_t k = 0; k < KEYS; k++) {
		char text[64];
		union stp_key keys[2] = { { .i = 0 }, { .i = k } };

		snprintf(text, sizeof(text), "a name of some length %d", (int)(k % 100));
		keys[0].s = unit_str(text);
		CHECK_LONG(stp_map_get_i(c, names, keys) >> 40, k);
		stp_map_delete(c, names, keys, 0);
	}
	CHECK_LONG(names->count, 0);
	stp_session_stop(true);
}

/*
 * The elements of the first processors lie in lines of the cache of their own; room for
 * as many as declared remains.
 */
static void first_ones_lie_apart(void)
{
	uintptr_t at[2];

	for (int64_t k = 0; k < 1100; k++)
		stp_plain_set_i(c, few, k, k);
	for (int64_t k = 0; k < 2; k++)
		at[k] = (uintptr_t)stp_plain_ref_i(c, few, k);
	CHECK(at[1] - at[0] >= 64);
	CHECK(!c->error);
	stp_plain_set_i(c, few, 1100, 1);
	CHECK(c->error && strstr(c->error, "Array overflow"));
	c->error = NULL;
	CHECK_LONG(few->count, 1100);
}

int main(void)
{
	user_cpu_count = CPUS;
	CHECK_LONG(stp_session_create(), 0);
	c = unit_context();
	RUN(values_are_whole);
	RUN(names_are_found);
	RUN(first_ones_lie_apart);
	stp_session_destroy();
	return unit_end();
}
