/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Histograms: the bucket of a value, and the drawing.
 *
 *   log      bucket 64 is 0; 65 is 1, 66 is 2…3, 67 is 4…7 and so on
 *            63 is -1, 62 is -2…-3 and so on down to 0
 *   linear   bucket 0 has the values below low, then width by width; the last has the
 *            values above: from low plus a whole number of widths, the first such number
 *            that is above high
 */
#include "core/stat.h"
#include "core/state.h"

#define HIST_WIDTH_MOST 200 /* -DHIST_WIDTH: emit/limits.def */
#define HIST_MARGIN	2   /* empty rows above the first and below the last row with a count */

/*
 * Units of work (api/ctx.h) of a drawing: a row, a column of its bar, measuring a label.
 */
#define ROW_WORK   1200
#define ROW_COLUMN 12
#define LABEL_WORK 200

uint32_t stp_hist_buckets(uint32_t kind, int64_t low, int64_t high, int64_t width)
{
	uint64_t n;

	if (kind == STP_HIST_LOG)
		return STP_HIST_MAX_BUCKETS;
	if (kind == STP_HIST_FINE)
		return STP_HIST_FINE_BUCKETS;
	if (kind != STP_HIST_LINEAR || width <= 0 || high < low)
		return 0;
	n = ((uint64_t)high - (uint64_t)low) / (uint64_t)width;
	return n + 3 > STP_HIST_MAX_BUCKETS || n + 3 < 3 ? 0 : (uint32_t)n + 3;
}

/* Returns the bucket of a value in a single histogram. */
static uint32_t hist_index(const struct stp_stat_shape *h, uint32_t buckets, int64_t v)
{
	uint64_t n;

	if (h->kind == STP_HIST_LOG)
		return stp_hist_log_index(v);
	if (h->kind == STP_HIST_FINE)
		return stp_hist_fine_index(v);
	if (v < h->low)
		return 0;
	n = ((uint64_t)v - (uint64_t)h->low) / (uint64_t)h->width;
	return n < buckets - 2 ? 1 + (uint32_t)n : buckets - 1;
}

uint32_t stp_hist_total(const struct stp_stat_shape *h)
{
	uint32_t n = 0;

	if (h->kind != STP_HIST_SEVERAL)
		return stp_hist_buckets(h->kind, h->low, h->high, h->width);
	for (const struct stp_stat_desc *one = h->several; one; one = one->several)
		n += stp_hist_buckets(one->hist, one->low, one->high, one->width);
	return n;
}

void stp_hist_add(struct stp_stat_data *d, const struct stp_stat_shape *h, uint32_t buckets,
		  int64_t v)
{
	int64_t *bucket;

	if (h->kind == STP_HIST_FINE) {
		bucket = &d->hist[stp_hist_fine_index(v)];
		WRITE_ONCE(*bucket, *bucket + 1);
		return;
	}
	if (h->kind != STP_HIST_SEVERAL) {
		bucket = &d->hist[hist_index(h, buckets, v)];
		WRITE_ONCE(*bucket, *bucket + 1);
		return;
	}
	for (const struct stp_stat_desc *one = h->several; one; one = one->several) {
		struct stp_stat_shape shape = {
			0, one->hist, one->low, one->high, one->width, NULL
		};

		buckets = stp_hist_buckets(one->hist, one->low, one->high, one->width);
		bucket = &d->hist[one->at + hist_index(&shape, buckets, v)];
		WRITE_ONCE(*bucket, *bucket + 1);
	}
}

/* ---- the drawing ---- */

struct picture {
	const int64_t *hist;
	const struct stp_stat_desc *desc;
	uint32_t buckets;
	int label_width, count_width;
	int64_t most;
	int64_t scale; /* counts per character of a bar */
	struct stp_ctx *c;
	void (*put)(void *ctx, const char *s, size_t len);
	void *ctx;
};

static int hist_label(const struct picture *p, uint32_t i, char *dst, size_t size)
{
	const struct stp_stat_desc *h = p->desc;
	int64_t low;

	if (h->hist == STP_HIST_LOG) {
		low = i == STP_HIST_LOG_ZERO ? 0
		      : i > STP_HIST_LOG_ZERO
			      ? (int64_t)(1ull << (i - STP_HIST_LOG_ZERO - 1))
			      : (int64_t)(0 - (1ull << (STP_HIST_LOG_ZERO - 1 - i)));
		return snprintf(dst, size, "%lld", (long long)low);
	}
	if (i == 0)
		return snprintf(dst, size, "<%lld", (long long)h->low);
	low = (int64_t)((uint64_t)h->low + (uint64_t)(i - 1) * (uint64_t)h->width);
	if (i == p->buckets - 1)
		return snprintf(dst, size, ">%lld", (long long)(low - h->width));
	return snprintf(dst, size, "%lld", (long long)low);
}

/* True: row i is for values out of range. */
static bool picture_row_outside(const struct picture *p, uint32_t i)
{
	return p->desc->hist == STP_HIST_LINEAR && (i == 0 || i == p->buckets - 1);
}

/*
 * An empty row is shown only near one with a count, and the rows for values out of range
 * are never shown empty.
 */
static bool picture_row_shown(const struct picture *p, uint32_t i)
{
	uint32_t near = stp_script.limits.hist_elision, from = i > near ? i - near : 0;

	if (picture_row_outside(p, i))
		return p->hist[i] != 0;
	for (uint32_t k = from; k <= i + near && k < p->buckets; k++)
		if (p->hist[k])
			return true;
	return false;
}

/*
 * Finds the first and the last row: a margin around the rows with a count, which does not
 * go below 0 if no value does.
 */
static bool picture_range(const struct picture *p, uint32_t *first, uint32_t *last)
{
	uint32_t begin = p->buckets, end = 0, least;

	for (uint32_t i = 0; i < p->buckets; i++) {
		if (!p->hist[i])
			continue;
		begin = i < begin ? i : begin;
		end = i;
	}
	if (begin == p->buckets)
		return false;
	least = p->desc->hist == STP_HIST_LOG && begin >= STP_HIST_LOG_ZERO ? STP_HIST_LOG_ZERO : 0;
	*first = begin > least + HIST_MARGIN ? begin - HIST_MARGIN : least;
	*last = end + HIST_MARGIN < p->buckets ? end + HIST_MARGIN : p->buckets - 1;
	return true;
}

static bool picture_measure(struct picture *p, uint32_t *first, uint32_t *last)
{
	uint32_t width = stp_script.limits.hist_width;
	char text[32];

	if (!picture_range(p, first, last))
		return false;
	p->label_width = 5; /* "value" */
	for (uint32_t i = *first; i <= *last; i++) {
		int n;

		if (picture_row_outside(p, i) && !p->hist[i])
			continue;
		n = hist_label(p, i, text, sizeof(text));
		if (n > p->label_width)
			p->label_width = n;
		if (p->hist[i] > p->most)
			p->most = p->hist[i];
	}
	p->scale = p->most > width ? (p->most - 1) / width + 1 : 1;
	p->count_width = snprintf(text, sizeof(text), "%lld", (long long)p->most);
	return true;
}

/* Makes the bar's column: `len` times the character, then spaces. */
static const char *picture_bar(char *dst, char with, uint32_t len)
{
	uint32_t width = stp_script.limits.hist_width;

	memset(dst, with, len);
	memset(dst + len, ' ', width - len);
	dst[width] = 0;
	return dst;
}

static void picture_row(const struct picture *p, uint32_t i)
{
	char text[32], bar[HIST_WIDTH_MOST + 1], line[HIST_WIDTH_MOST + 64];
	int64_t count = p->hist[i];
	int n;

	stp_charge(p->c, ROW_WORK + ROW_COLUMN * stp_script.limits.hist_width);

	hist_label(p, i, text, sizeof(text));
	n = snprintf(line, sizeof(line), "%*s |%s %*lld\n", p->label_width, text,
		     picture_bar(bar, '@', (uint32_t)(count / p->scale)), p->count_width,
		     (long long)count);
	p->put(p->ctx, line, (size_t)n);
}

static __attribute__((cold)) void picture_put(struct picture *p)
{
	char bar[HIST_WIDTH_MOST + 1], line[HIST_WIDTH_MOST + 64];
	uint32_t first, last;
	bool elided = false;
	int n;

	if (!picture_measure(p, &first, &last))
		return;
	stp_charge(p->c, (last - first + 1) * LABEL_WORK);
	n = snprintf(line, sizeof(line), "%*s |%s count\n", p->label_width, "value",
		     picture_bar(bar, '-', stp_script.limits.hist_width));
	p->put(p->ctx, line, (size_t)n);
	for (uint32_t i = first; i <= last; i++) {
		if (!picture_row_shown(p, i)) {
			elided |= !picture_row_outside(p, i);
			continue;
		}
		if (elided) {
			n = snprintf(line, sizeof(line), "%*s ~\n", p->label_width, "");
			p->put(p->ctx, line, (size_t)n);
		}
		elided = false;
		picture_row(p, i);
	}
	p->put(p->ctx, "\n", 1);
}

/* Prepares the drawing; raises an error if there is no value, or no histogram. */
static __attribute__((cold)) bool picture_init(struct stp_ctx *c, struct picture *p,
					       const struct stp_stat_data *d,
					       const struct stp_stat_desc *desc)
{
	*p = (struct picture){ .hist = d ? d->hist + desc->at : NULL, .desc = desc, .c = c };
	p->buckets = stp_hist_buckets(desc->hist, desc->low, desc->high, desc->width);
	if (!d || !d->count)
		stp_error(c, "empty aggregate");
	else if (!p->buckets)
		stp_error(c, "histogram of '%s' needs 3 to %d buckets", desc->name,
			  STP_HIST_MAX_BUCKETS);
	return d && d->count && p->buckets;
}

static void hist_put_output(void *ctx, const char *s, size_t len)
{
	stp_print_text(ctx, s, len);
}

/* Puts the numbers before the drawing, for readers of data. */
static __attribute__((cold)) void hist_put_numbers(const struct picture *p,
						   const struct stp_stat_data *d)
{
	struct stp_hist_item h = {
		.count = d->count,
		.sum = d->sum,
		.min = d->min,
		.max = d->max,
		.low = p->desc->low,
		.width = p->desc->width,
		.is_linear = p->desc->hist == STP_HIST_LINEAR,
		.keeps = p->desc->keeps,
		.buckets = p->buckets,
	};
	size_t name = strlen(p->desc->name), counts;
	uint32_t last = p->buckets;
	uint8_t *to;

	while (last && !p->hist[last - 1])
		last--;
	while (h.first < last && !p->hist[h.first])
		h.first++;
	h.shown = last - h.first;
	counts = h.shown * sizeof(int64_t);
	to = stp_item(p->c, 2 * sizeof(uint16_t) + sizeof(h) + counts + name);
	if (!to)
		return;
	to = stp_item_format(to, STP_FORMAT_HIST);
	to = stp_item_u16(to, (unsigned)(sizeof(h) + counts + name));
	memcpy(to, &h, sizeof(h));
	memcpy(to + sizeof(h), p->hist + h.first, counts);
	memcpy(to + sizeof(h) + counts, p->desc->name, name);
}

void stp_hist_print(struct stp_ctx *c, const struct stp_stat_data *d,
		    const struct stp_stat_desc *desc)
{
	struct picture p;

	if (!picture_init(c, &p, d, desc))
		return;
	p.put = hist_put_output;
	p.ctx = c;
	if (stp_runtime.as_data)
		hist_put_numbers(&p, d);
	picture_put(&p);
}

struct stp_str stp_hist_sprint(struct stp_ctx *c, const struct stp_stat_data *d,
			       const struct stp_stat_desc *desc, char *dst)
{
	struct stp_text r = { { dst, 0 }, false };
	struct picture p;

	if (picture_init(c, &p, d, desc)) {
		p.put = stp_text_put;
		p.ctx = &r;
		picture_put(&p);
	}
	return stp_text_end(c, &r);
}

int64_t stp_hist_bucket(struct stp_ctx *c, const struct stp_stat_data *d,
			const struct stp_stat_desc *desc, int64_t i)
{
	struct picture p;

	if (!picture_init(c, &p, d, desc))
		return 0;
	if (i < 0 || i >= p.buckets) {
		stp_error(c, "histogram index out of range: %lld is not in 0...%u", (long long)i,
			  p.buckets - 1);
		return 0;
	}
	return p.hist[i];
}
