/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "arch_ops.h"
#include "core/stat.h"
#include "core/state.h"

/*
 * Number of tries, enough to read between two changes of a CPU that only adds. If a part
 * stays in the middle of a change (its CPU stopped there), it is read as it is, and may
 * be wrong by one value.
 */
#define READ_TRIES 1000

/* ---- one set of numbers ---- */

/* By reference, because functions of BPF programs return at most 64 bits. */
static void stat_square(unsigned __int128 *ret, uint64_t v)
{
	uint64_t low = v, high = arch_multiply(&low, v);

	*ret = (unsigned __int128)high << 64 | low;
}

static __attribute__((__noinline__)) void stat_add_square(struct stp_stat_data *d, int64_t v)
{
	uint64_t magnitude = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	unsigned __int128 square;
	uint64_t low;

	stat_square(&square, magnitude);
	low = d->squares[0] + (uint64_t)square;
	WRITE_ONCE(d->squares[1],
		   d->squares[1] + (uint64_t)(square >> 64) + (low < (uint64_t)square));
	WRITE_ONCE(d->squares[0], low);
}

static STP_BPF_APART __attribute__((__noinline__)) void stat_add_extremes(struct stp_stat_data *d,
									  uint32_t keeps, int64_t v)
{
	if (keeps & STP_KEEP_SQUARES)
		stat_add_square(d, v);
	if ((keeps & STP_KEEP_MIN) && (!d->count || v < d->min))
		WRITE_ONCE(d->min, v);
	if ((keeps & STP_KEEP_MAX) && (!d->count || v > d->max))
		WRITE_ONCE(d->max, v);
}

/* WRITE_ONCE: other CPUs may read scalar aggregates at the same time. */
static __always_inline STP_BPF_INLINE void stat_data_add(struct stp_stat_data *d,
							 const struct stp_stat_shape *h,
							 uint32_t keeps, uint32_t buckets,
							 int64_t v)
{
	if (keeps & ~STP_KEEP_SUM)
		stat_add_extremes(d, keeps, v);
	if (keeps & STP_KEEP_SUM)
		WRITE_ONCE(d->sum, (int64_t)((uint64_t)d->sum + (uint64_t)v));
	WRITE_ONCE(d->count, d->count + 1);
	if (h->kind == STP_HIST_LOG) {
		int64_t *bucket = &d->hist[stp_hist_log_index(v)];

		WRITE_ONCE(*bucket, *bucket + 1);
	} else if (buckets) {
		stp_hist_add(d, h, buckets, v);
	}
}

void stp_stat_data_add(struct stp_stat_data *d, const struct stp_stat_shape *h, uint32_t buckets,
		       int64_t v)
{
	stat_data_add(d, h, h->keeps, buckets, v);
}

void stp_stat_data_merge(struct stp_stat_data *to, const struct stp_stat_data *from,
			 uint32_t buckets)
{
	uint64_t low = to->squares[0] + from->squares[0];

	if (!from->count)
		return;
	to->squares[1] += from->squares[1] + (low < from->squares[0]);
	to->squares[0] = low;
	if (!to->count || from->min < to->min)
		to->min = from->min;
	if (!to->count || from->max > to->max)
		to->max = from->max;
	to->sum = (int64_t)((uint64_t)to->sum + (uint64_t)from->sum);
	to->count += from->count;
	for (uint32_t i = 0; i < buckets; i++)
		to->hist[i] += from->hist[i];
}

/*
 * Divides *number by long division, with shifts by one: other shifts, and 128-bit
 * division, are library calls that the kernel and BPF lack.
 */
static void stat_divide(unsigned __int128 *number, uint64_t b, uint64_t *remainder)
{
	unsigned __int128 a = *number, quotient = 0, rest = 0;

	for (int bit = 127; bit >= 0; bit--) {
		rest = rest << 1 | (uint64_t)(a >> 127);
		a <<= 1;
		quotient <<= 1;
		if (rest >= b) {
			rest -= b;
			quotient |= 1;
		}
	}
	*remainder = (uint64_t)rest;
	*number = quotient;
}

/*
 * Returns the variance of a sample: (sum of squares - square of sum / n) / (n - 1), exact
 * except for the final rounding down.
 */
int64_t stp_stat_data_variance(const struct stp_stat_data *d)
{
	uint64_t n = (uint64_t)d->count, rest;
	uint64_t magnitude = d->sum < 0 ? 0 - (uint64_t)d->sum : (uint64_t)d->sum;
	unsigned __int128 squares = (unsigned __int128)d->squares[1] << 64 | d->squares[0];
	unsigned __int128 mean_part;

	if (n < 2)
		return 0;
	stat_square(&mean_part, magnitude);
	stat_divide(&mean_part, n, &rest);
	if (rest)
		mean_part++;
	if (mean_part > squares) /* the sum has wrapped */
		return 0;
	squares -= mean_part;
	stat_divide(&squares, n - 1, &rest);
	return (int64_t)squares;
}

static int64_t stat_variance(struct stp_ctx *c, const struct stp_stat_data *d)
{
	stp_charge(c, STP_STAT_VARIANCE_WORK);
	return stp_stat_data_variance(d);
}

int64_t stp_stat_op(struct stp_ctx *c, const struct stp_stat_data *d, enum stp_stat_op op)
{
	if (!d || !d->count) {
		if (op != STP_COUNT && op != STP_SUM)
			stp_error(c, "empty aggregate");
		return 0;
	}
	switch (op) {
	case STP_COUNT:
		return d->count;
	case STP_SUM:
		return d->sum;
	case STP_MIN:
		return d->min;
	case STP_MAX:
		return d->max;
	case STP_AVG:
		return d->sum / d->count; /* a count is never -1 */
	case STP_VARIANCE:
		return stat_variance(c, d);
	}
	return 0;
}

/* ---- scalar aggregates: a part for each context ---- */

size_t stp_stat_data_bytes(uint32_t buckets)
{
	return sizeof(struct stp_stat_data) + buckets * sizeof(int64_t);
}

struct stp_stat *stp_stat_create(const struct stp_stat_desc *desc)
{
	unsigned nparts = port_cpu_count() + 1;
	struct stp_stat *st = port_alloc(sizeof(*st) + nparts * sizeof(st->parts[0]));

	if (!st)
		return NULL;
	st->shape = (struct stp_stat_shape){ desc->keeps, desc->hist,  desc->low,
					     desc->high,  desc->width, desc->several };
	st->nparts = nparts;
	st->buckets = stp_hist_total(&st->shape);
	for (unsigned i = 0; i < nparts; i++) {
		if (i + 1 < nparts && !port_cpu_possible(i))
			continue;
		st->parts[i] = port_alloc(offsetof(struct stp_stat_part, data) +
					  stp_stat_data_bytes(st->buckets));
		if (!st->parts[i]) {
			stp_stat_destroy(st);
			return NULL;
		}
	}
	return st;
}

void stp_stat_destroy(struct stp_stat *st)
{
	if (!st)
		return;
	for (unsigned i = 0; i < st->nparts; i++)
		port_free(st->parts[i]);
	port_free(st);
}

static void stat_part_clear(struct stp_stat_part *p, uint32_t buckets)
{
	uint64_t *words = (uint64_t *)&p->data;

	for (size_t i = 0; i < stp_stat_data_bytes(buckets) / sizeof(uint64_t); i++)
		WRITE_ONCE(words[i], 0);
}

static STP_BPF_APART __attribute__((__noinline__)) void
stat_part_add(struct stp_stat *st, struct stp_stat_part *p, uint64_t generation, int64_t v)
{
	WRITE_ONCE(p->sequence, p->sequence + 1);
	smp_wmb();
	if (p->generation != generation) {
		stat_part_clear(p, st->buckets);
		WRITE_ONCE(p->generation, generation);
	}
	stat_data_add(&p->data, &st->shape, st->shape.keeps, st->buckets, v);
	smp_store_release(&p->sequence, p->sequence + 1);
}

void stp_stat_add(struct stp_ctx *c, struct stp_stat *st, int64_t v)
{
	struct stp_stat_part *p = st->parts[PORT_PARTS ? c->cpu : 0];
	uint64_t generation = READ_ONCE(st->generation);

	if (unlikely(p->generation != generation) || (st->shape.keeps & ~STP_KEEP_SUM)) {
		stat_part_add(st, p, generation, v);
		return;
	}
	/*
	 * Adds to the most common kind of aggregate: without a call, and without saving a
	 * register.
	 */
	WRITE_ONCE(p->sequence, p->sequence + 1);
	smp_wmb();
	stat_data_add(&p->data, &st->shape, st->shape.keeps & STP_KEEP_SUM, st->buckets, v);
	smp_store_release(&p->sequence, p->sequence + 1);
}

void stp_stat_clear(struct stp_ctx *c, struct stp_stat *st)
{
	(void)c;
	__atomic_add_fetch(&st->generation, 1, __ATOMIC_SEQ_CST);
}

static void stat_part_copy(const struct stp_stat_part *p, uint64_t generation, uint32_t words,
			   uint64_t *to)
{
	const uint64_t *from = (const uint64_t *)&p->data;
	bool valid = READ_ONCE(p->generation) == generation;

	for (uint32_t w = 0; w < words; w++)
		to[w] = valid ? READ_ONCE(from[w]) : 0;
}

/* Copies a consistent state of a part into `copy`. Returns the units of work. */
static uint64_t stat_part_read(const struct stp_stat_part *p, uint64_t generation, uint32_t buckets,
			       struct stp_stat_data *copy)
{
	uint32_t words = (uint32_t)(stp_stat_data_bytes(buckets) / sizeof(uint64_t)), before,
		 tries = 0;
	uint64_t work = STP_STAT_PART_WORK;

	do {
		before = smp_load_acquire(&p->sequence);
		work += STP_STAT_PART_WORK;
		if ((before & 1) && tries < READ_TRIES)
			continue;
		stat_part_copy(p, generation, words, (uint64_t *)copy);
		work += words * STP_STAT_WORD_WORK;
		smp_rmb();
		if (!(before & 1) && READ_ONCE(p->sequence) == before)
			break;
	} while (tries++ < READ_TRIES);
	return work;
}

uint64_t stp_stat_sum(struct stp_stat *st, struct stp_stat_data *sum, struct stp_stat_data *copy)
{
	uint64_t generation = READ_ONCE(st->generation), work = 0;

	memset(sum, 0, stp_stat_data_bytes(st->buckets));
	for (unsigned i = 0; i < st->nparts; i++) {
		if (!st->parts[i])
			continue;
		work += stat_part_read(st->parts[i], generation, st->buckets, copy);
		stp_stat_data_merge(sum, copy, st->buckets);
	}
	return work;
}

/*
 * The context's buffer has two sets of numbers: the sum, followed by the copy of one
 * part.
 */
const struct stp_stat_data *stp_stat_read(struct stp_ctx *c, struct stp_stat *st)
{
	struct stp_stat_data *sum = stp_cpu_of(c)->merged;
	struct stp_stat_data *copy =
		(struct stp_stat_data *)((uint8_t *)sum + stp_stat_data_bytes(st->buckets));

	stp_charge(c, stp_stat_sum(st, sum, copy));
	return sum->count ? sum : NULL;
}

size_t stp_stat_buffer_bytes(void)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];
		struct stp_stat *st =
			!g->is_array && g->type == STP_STATS ? *(struct stp_stat **)g->place : NULL;

		if (st && st->buckets > most)
			most = st->buckets;
	}
	return 2 * stp_stat_data_bytes(most);
}
