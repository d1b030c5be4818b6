/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * core/stat.c, core/hist.c, core/quantile.c: sums, the exact variance, buckets, pictures
 * and quantiles; parts added to by several threads while another reads.
 */
#include "script.h"

#include <pthread.h>

#define ALL (STP_KEEP_SUM | STP_KEEP_MIN | STP_KEEP_MAX | STP_KEEP_SQUARES)

static struct stp_stat *plain, *logarithmic, *linear;
static const struct stp_stat_desc desc_plain = { .name = "plain", .keeps = ALL };
static const struct stp_stat_desc desc_log = { .name = "log", .keeps = ALL, .hist = STP_HIST_LOG };
static const struct stp_stat_desc desc_linear = { .name = "linear",
						  .keeps = ALL,
						  .hist = STP_HIST_LINEAR,
						  .low = 0,
						  .high = 10240,
						  .width = 200 };
static struct stp_stat *fine;
static const struct stp_stat_desc desc_fine = { .name = "fine", .hist = STP_HIST_FINE };
static const struct stp_global globals[] = {
	{ .name = "plain", .type = STP_STATS, .place = &plain, .desc = &desc_plain },
	{ .name = "log", .type = STP_STATS, .place = &logarithmic, .desc = &desc_log },
	{ .name = "linear", .type = STP_STATS, .place = &linear, .desc = &desc_linear },
	{ .name = "fine", .type = STP_STATS, .place = &fine, .desc = &desc_fine },
};
static const struct stp_part *const parts[] = { &stp_stats_part };
const struct stp_script stp_script = {
	.name = "unit",
	.frame_bytes = 1024,
	.globals = globals,
	.nglobals = 4,
	.parts = parts,
	.nparts = 1,
	.limits = { .string = 4096,
		    .string_short = 511,
		    .action = 1000000,
		    .action_slow = 1000000,
		    .hist_width = 50,
		    .hist_elision = 2 },
};

static struct stp_ctx *c;

static int64_t get(struct stp_stat *st, enum stp_stat_op op)
{
	return stp_stat_op(c, stp_stat_read(c, st), op);
}

static void empty_aggregate(void)
{
	CHECK(!stp_stat_read(c, plain));
	CHECK_LONG(get(plain, STP_COUNT), 0);
	CHECK_LONG(get(plain, STP_SUM), 0);
	CHECK(!c->error);
	for (int op = STP_MIN; op <= STP_VARIANCE; op++) {
		get(plain, (enum stp_stat_op)op);
		CHECK_TEXT(c->error ? c->error : "", "empty aggregate");
		c->error = NULL;
	}
}

static void numbers(void)
{
	static const int64_t values[] = { 2, 4, 4, 4, 5, 5, 7, 9, -40 };

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		stp_stat_add(c, plain, values[i]);
	CHECK_LONG(get(plain, STP_COUNT), 9);
	CHECK_LONG(get(plain, STP_SUM), 0);
	CHECK_LONG(get(plain, STP_MIN), -40);
	CHECK_LONG(get(plain, STP_MAX), 9);
	CHECK_LONG(get(plain, STP_AVG), 0);
	CHECK_LONG(get(plain, STP_VARIANCE), 229); /* 1832 / 8 */
	stp_stat_clear(c, plain);
	CHECK_LONG(get(plain, STP_COUNT), 0);
	stp_stat_add(c, plain, 7);
	CHECK_LONG(get(plain, STP_COUNT), 1);
	CHECK_LONG(get(plain, STP_MIN), 7);
	CHECK_LONG(get(plain, STP_VARIANCE), 0);
	stp_stat_clear(c, plain);
}

/* Values near the ends of the type: their squares need 128 bits. */
static void large_numbers(void)
{
	for (int64_t i = 0; i < 4; i++)
		stp_stat_add(c, plain, 3000000000000000000 + i);
	for (int64_t i = 0; i < 4; i++)
		stp_stat_add(c, plain, -3000000000000000000 + i);
	CHECK_LONG(get(plain, STP_SUM), 12);
	CHECK_LONG(get(plain, STP_AVG), 1);
	stp_stat_clear(c, plain);
	for (int64_t i = 0; i < 100; i++)
		stp_stat_add(c, plain, 4000000000 + i);
	CHECK_LONG(get(plain, STP_VARIANCE), 841); /* 841.67 of 0…99 */
	stp_stat_clear(c, plain);
}

/* Numbers that no script asks for are not computed. */
static void kept_as_asked(void)
{
	static const struct stp_stat_shape least = { .keeps = STP_KEEP_MIN }, none = { .keeps = 0 };
	struct stp_stat_data d = { .count = 0 };

	stp_stat_data_add(&d, &least, 0, 7);
	stp_stat_data_add(&d, &least, 0, -3);
	CHECK_LONG(d.count, 2);
	CHECK_LONG(d.min, -3);
	stp_stat_data_add(&d, &none, 0, -9);
	CHECK_LONG(d.count, 3);
	CHECK_LONG(d.min, -3);
	CHECK(!d.max && !d.sum && !d.squares[0] && !d.squares[1]);
}

static void log_buckets(void)
{
	const struct stp_stat_shape h = { .kind = STP_HIST_LOG };

	CHECK_LONG(hist_index(&h, 128, 0), 64);
	CHECK_LONG(hist_index(&h, 128, 1), 65);
	CHECK_LONG(hist_index(&h, 128, 3), 66);
	CHECK_LONG(hist_index(&h, 128, 4), 67);
	CHECK_LONG(hist_index(&h, 128, INT64_MAX), 127);
	CHECK_LONG(hist_index(&h, 128, -1), 63);
	CHECK_LONG(hist_index(&h, 128, -2), 62);
	CHECK_LONG(hist_index(&h, 128, INT64_MIN), 0);
}

static void linear_buckets(void)
{
	const struct stp_stat_shape h = { ALL,	     STP_HIST_LINEAR, INT64_MIN,
					  INT64_MAX, INT64_MAX / 4,   NULL };
	uint32_t n = stp_hist_buckets(h.kind, h.low, h.high, h.width);

	CHECK_LONG(n, 11);
	for (int i = 0; i < 10000; i++)
		CHECK(hist_index(&h, n, (int64_t)unit_random()) < n);
	CHECK_LONG(stp_hist_buckets(STP_HIST_LINEAR, 0, 100, 10), 13);
	CHECK_LONG(stp_hist_buckets(STP_HIST_LINEAR, 0, 1000, 1), 0);
	CHECK_LONG(stp_hist_buckets(STP_HIST_LINEAR, 0, 100, 0), 0);
	CHECK_LONG(stp_hist_buckets(STP_HIST_LINEAR, 100, 0, 1), 0);
	CHECK_LONG(stp_hist_buckets(STP_HIST_LINEAR, INT64_MIN, INT64_MAX, 1), 0);
}

static const char *picture(struct stp_stat *st, const struct stp_stat_desc *desc)
{
	static char text[4096];

	stp_hist_sprint(c, stp_stat_read(c, st), desc, text);
	return text;
}

/* The shape of the language reference's own example. */
static void linear_picture(void)
{
	for (int i = 0; i < 1650; i++)
		stp_stat_add(c, linear, i % 200);
	for (int i = 0; i < 8; i++)
		stp_stat_add(c, linear, 200 + i);
	stp_stat_add(c, linear, 1400);
	CHECK_TEXT(picture(linear, &desc_linear),
		   "value |-------------------------------------------------- count\n"
		   "    0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@ 1650\n"
		   "  200 |                                                      8\n"
		   "  400 |                                                      0\n"
		   "  600 |                                                      0\n"
		   "      ~\n"
		   " 1000 |                                                      0\n"
		   " 1200 |                                                      0\n"
		   " 1400 |                                                      1\n"
		   " 1600 |                                                      0\n"
		   " 1800 |                                                      0\n\n");
	stp_stat_clear(c, linear);
	stp_stat_add(c, linear, -5);
	stp_stat_add(c, linear, 99999);
	CHECK(strstr(picture(linear, &desc_linear), "    <0 |") != NULL);
	CHECK(strstr(picture(linear, &desc_linear), ">10200 |") != NULL);
	CHECK_LONG(stp_hist_bucket(c, stp_stat_read(c, linear), &desc_linear, 0), 1);
	CHECK_LONG(stp_hist_bucket(c, stp_stat_read(c, linear), &desc_linear, 53), 1);
	CHECK(!c->error);
	stp_hist_bucket(c, stp_stat_read(c, linear), &desc_linear, 54);
	CHECK_TEXT(c->error, "histogram index out of range: 54 is not in 0...53");
	c->error = NULL;
}

static void log_picture(void)
{
	stp_stat_add(c, logarithmic, 5);
	stp_stat_add(c, logarithmic, 6);
	stp_stat_add(c, logarithmic, -1);
	CHECK_TEXT(picture(logarithmic, &desc_log),
		   "value |-------------------------------------------------- count\n"
		   "   -4 |                                                   0\n"
		   "   -2 |                                                   0\n"
		   "   -1 |@                                                  1\n"
		   "    0 |                                                   0\n"
		   "    1 |                                                   0\n"
		   "    2 |                                                   0\n"
		   "    4 |@@                                                 2\n"
		   "    8 |                                                   0\n"
		   "   16 |                                                   0\n\n");
	stp_stat_add(c, logarithmic, INT64_MIN);
	stp_stat_add(c, logarithmic, INT64_MAX);
	CHECK(strstr(picture(logarithmic, &desc_log), "-9223372036854775808 |") != NULL);
}

static int64_t quantile(int64_t share)
{
	return stp_hist_quantile(c, stp_stat_read(c, fine), &desc_fine, share);
}

/* Buckets follow each other, and the extremes are the first and the last one. */
static void fine_buckets(void)
{
	CHECK_LONG(stp_hist_fine_index(INT64_MIN), 0);
	CHECK_LONG(stp_hist_fine_index(-1), STP_HIST_FINE_ZERO - 1);
	CHECK_LONG(stp_hist_fine_index(0), STP_HIST_FINE_ZERO);
	CHECK_LONG(stp_hist_fine_index(127), STP_HIST_FINE_ZERO + 127);
	CHECK_LONG(stp_hist_fine_index(128), stp_hist_fine_index(129));
	CHECK_LONG(stp_hist_fine_index(INT64_MAX), STP_HIST_FINE_BUCKETS - 1);
	for (int64_t v = -1000000; v < 1000000; v++)
		CHECK(stp_hist_fine_index(v + 1) - stp_hist_fine_index(v) <= 1);
	for (int bit = 0; bit < 62; bit++)
		CHECK_LONG(stp_hist_fine_index((1ll << bit) - 1) + 1,
			   stp_hist_fine_index(1ll << bit));
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* The distance in hundredths of a percent, rounded up. */
static long off(int64_t is, int64_t exact)
{
	__int128 distance = (__int128)is - exact, size = exact;

	distance = distance < 0 ? -distance : distance;
	size = size < 0 ? -size : size ? size : 1;
	return (long)((distance * 10000 + size - 1) / size);
}

/* Compares with what sorting says, for small, large and negative numbers. */
static void quantiles(void)
{
	static const int64_t shares[] = { 0,	    1000000,  25000000, 50000000,
					  95000000, 99900000, 99999900, 100000000 };
	static int64_t values[5000];
	const int n = sizeof(values) / sizeof(values[0]);

	quantile(50000000);
	CHECK_TEXT(c->error, "empty aggregate");
	c->error = NULL;
	for (int shift = 0; shift < 64; shift += 7) {
		stp_stat_clear(c, fine);
		for (int i = 0; i < n; i++) {
			values[i] = (int64_t)unit_random() >> shift;
			stp_stat_add(unit_cpu_context(i % 2), fine, values[i]);
		}
		qsort(values, (size_t)n, sizeof(values[0]), compare);
		for (size_t s = 0; s < sizeof(shares) / sizeof(shares[0]); s++) {
			int64_t rank = (shares[s] * n + 99999999) / 100000000;

			CHECK(off(quantile(shares[s]), values[rank ? rank - 1 : 0]) < 100);
		}
	}
	stp_stat_clear(c, fine);
	stp_stat_add(c, fine, INT64_MIN);
	stp_stat_add(c, fine, INT64_MAX);
	CHECK(off(quantile(0), INT64_MIN) < 100);
	CHECK(off(quantile(100000000), INT64_MAX) < 100);
}

#define ADDS 100000
static int writers_done;

static void *add_many(void *arg)
{
	struct stp_ctx *mine = unit_cpu_context((unsigned)(uintptr_t)arg);

	for (int64_t i = 0; i < ADDS; i++)
		stp_stat_add(mine, plain, 3);
	__atomic_add_fetch(&writers_done, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

/*
 * A reader whose tries are used up takes what it finds: a writer that the machine has put
 * aside in the middle of an addition may be seen so, which counts once however long it is
 * away.
 */
static void threads(void)
{
	long reads = 0, torn = 0;
	int64_t apart = 0;
	pthread_t t[2];

	stp_stat_clear(c, plain);
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, add_many, (void *)i);
	while (__atomic_load_n(&writers_done, __ATOMIC_SEQ_CST) < 2) {
		const struct stp_stat_data *d = stp_stat_read(c, plain);

		reads++;
		torn += d && d->sum - 3 * d->count != apart && d->sum != 3 * d->count;
		torn += d && (d->min != 3 || d->max != 3);
		apart = d ? d->sum - 3 * d->count : 0;
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	CHECK(torn <= 10 + reads / 10);
	CHECK_LONG(get(plain, STP_COUNT), 2 * ADDS);
	CHECK_LONG(get(plain, STP_SUM), 2 * ADDS * 3);
}

int main(void)
{
	user_cpu_count = 2;
	if (stp_session_create())
		return 1;
	c = unit_context();
	RUN(empty_aggregate);
	RUN(numbers);
	RUN(large_numbers);
	RUN(kept_as_asked);
	RUN(log_buckets);
	RUN(linear_buckets);
	RUN(linear_picture);
	RUN(log_picture);
	RUN(fine_buckets);
	RUN(quantiles);
	RUN(threads);
	stp_session_destroy();
	return unit_end();
}
