/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Aggregates. A scalar aggregate has a part for each context, which only its CPU writes,
 * so adding takes no lock. Reading sums the parts. Clearing starts a new generation:
 * parts of an older generation count as empty, and their own CPU clears them when it
 * adds.
 */
#ifndef STP_STAT_H
#define STP_STAT_H

#include "api.h"

#define STP_HIST_MAX_BUCKETS 128

struct stp_stat_data {
	int64_t count, sum, min, max;
	/* 128-bit sum of the squared values, low half first, for the variance. */
	uint64_t squares[2];
	int64_t hist[]; /* the buckets of the histograms */
};

struct stp_stat_part {
	uint64_t generation;
	uint32_t sequence; /* odd while it is being written */
	struct stp_stat_data data;
};

/*
 * Units of work (api/ctx.h): for a variance, for reading a part, and for each of its
 * words.
 */
#define STP_STAT_VARIANCE_WORK 2400
#define STP_STAT_PART_WORK     24
#define STP_STAT_WORD_WORK     5

/* Contents of an aggregate, scalar or in an array. */
struct stp_stat_shape {
	uint32_t keeps; /* enum stp_keep */
	uint32_t kind;	/* of the histogram */
	int64_t low, high, width;
	const struct stp_stat_desc *several;
};

struct stp_stat {
	struct stp_stat_shape shape;
	uint64_t generation;
	uint32_t buckets, nparts;
	struct stp_stat_part *parts[]; /* NULL for a CPU that can never exist */
};

uint32_t stp_hist_buckets(uint32_t kind, int64_t low, int64_t high,
			  int64_t width); /* 0: the shape is impossible, or there is no histogram */
/* Returns the buckets of all histograms together. */
uint32_t stp_hist_total(const struct stp_stat_shape *h) __attribute__((cold));
/* Counts the value in each histogram, unless there is only a logarithmic one. */
void stp_hist_add(struct stp_stat_data *d, const struct stp_stat_shape *h, uint32_t buckets,
		  int64_t v);

/* Returns the number of the highest bit of a number that is not 0, from 1 on. */
static inline STP_BPF_INLINE uint32_t stp_bits_used(uint64_t v)
{
#ifdef __bpf__ /* has no instruction for it */
	uint32_t ret = 0;

/* One comparison a step: without barrier(), the compiler would make two of it. */
#define STEP(n)                                                                                    \
	if (v >> (n)) {                                                                            \
		v >>= (n);                                                                         \
		ret += (n);                                                                        \
		barrier();                                                                         \
	}
	STEP(32)
	STEP(16)
	STEP(8)
	STEP(4)
#undef STEP
	return ret + (0x4444444433332210u >> (4 * v) & 15);
#else
	return 64 - (uint32_t)__builtin_clzll(v);
#endif
}

/*
 * The buckets of a log histogram: STP_HIST_LOG_ZERO holds 0. Each bucket above it holds a
 * power of two, and those below it do the same for negative values.
 */
#define STP_HIST_LOG_ZERO 64
static inline STP_BPF_INLINE uint32_t stp_hist_log_index(int64_t v)
{
	if (likely(v > 0))
		return STP_HIST_LOG_ZERO + stp_bits_used((uint64_t)v);
	return v ? STP_HIST_LOG_ZERO - stp_bits_used(0 - (uint64_t)v) : STP_HIST_LOG_ZERO;
}

/*
 * The buckets of a fine histogram (core/quantile.c). STP_HIST_FINE_ZERO holds 0. Up to
 * STP_HIST_FINE_STEPS a bucket has one value. Each higher power of two is divided into
 * that many buckets. The buckets below zero mirror those above: -1 - v is as far below as
 * v is above.
 */
#define STP_HIST_FINE_BITS    6
#define STP_HIST_FINE_STEPS   (1u << STP_HIST_FINE_BITS)
#define STP_HIST_FINE_ZERO    (STP_HIST_FINE_STEPS * (64 - STP_HIST_FINE_BITS))
#define STP_HIST_FINE_BUCKETS (2 * STP_HIST_FINE_ZERO)

static inline uint32_t stp_hist_fine_index(int64_t v)
{
	uint64_t sign = (uint64_t)(v >> 63), m = (uint64_t)v ^ sign;
	uint32_t shift =
		63 - (uint32_t)__builtin_clzll(m | STP_HIST_FINE_STEPS) - STP_HIST_FINE_BITS;
	uint32_t i = (shift << STP_HIST_FINE_BITS) + (uint32_t)(m >> shift);

	return STP_HIST_FINE_ZERO + (i ^ (uint32_t)sign);
}

void stp_stat_data_add(struct stp_stat_data *d, const struct stp_stat_shape *h, uint32_t buckets,
		       int64_t v);
void stp_stat_data_merge(struct stp_stat_data *to, const struct stp_stat_data *from,
			 uint32_t buckets);
int64_t stp_stat_data_variance(const struct stp_stat_data *d);

size_t stp_stat_data_bytes(uint32_t buckets);
/*
 * Sums up the parts; `copy` has room for one of them. Returns the work that it took. For
 * any context.
 */
uint64_t stp_stat_sum(struct stp_stat *st, struct stp_stat_data *sum, struct stp_stat_data *copy);
size_t stp_stat_buffer_bytes(void) __attribute__((cold)); /* of stp_cpu.merged */

/* Returns NULL if there is no memory. */
struct stp_stat *stp_stat_create(const struct stp_stat_desc *desc) __attribute__((cold));
void stp_stat_destroy(struct stp_stat *st);

#endif
