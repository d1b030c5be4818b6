/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of globals as text, for programs that read them while the script runs:
 * uapi/globals.h has the lines. Values are copied under the global's lock, with
 * interrupts off, in one go and within bounds; hits that need the lock meanwhile wait for
 * it as usual. The text is made from the copy afterwards.
 */
#include "core/snapshot.h"

#include "core/shards.h"
#include "core/state.h"

#define COPY_BYTES (1u << 20)
#define COPY_LOOKS 65536u
#define LOCK_TURNS 100 /* attempts, a millisecond apart */
#define LOCK_TRIES 10  /* tries in each, with interrupts off */

struct copy {
	uint8_t *mem, *at;   /* COPY_BYTES, and the end of the used part */
	uint32_t count, all; /* number of copied elements, and of all elements */
	/* The current aggregate, and room to copy one part of it. */
	struct stp_stat_data *stat, *part;
	struct stp_ctx ctx; /* its budget is not checked */
};

struct telling {
	void (*put)(void *ctx, const char *text);
	void *ctx;
	uint32_t len;
	char text[256];
};

/* ---- text ---- */

static void tell_flush(struct telling *t)
{
	t->text[t->len] = 0;
	if (t->len)
		t->put(t->ctx, t->text);
	t->len = 0;
}

static void tell_char(struct telling *t, char c)
{
	if (t->len == sizeof(t->text) - 1)
		tell_flush(t);
	t->text[t->len++] = c;
}

static void tell_text(struct telling *t, const char *text)
{
	while (*text)
		tell_char(t, *text++);
}

static void tell_long(struct telling *t, int64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)v);
	tell_text(t, text);
}

static void tell_escaped(struct telling *t, const uint8_t *s, uint32_t len)
{
	static const char digits[] = "0123456789abcdef";

	for (uint32_t i = 0; i < len; i++) {
		if (s[i] >= ' ' && s[i] < 0x7f && s[i] != '\\') {
			tell_char(t, (char)s[i]);
			continue;
		}
		tell_text(t, "\\x");
		tell_char(t, digits[s[i] >> 4]);
		tell_char(t, digits[s[i] & 15]);
	}
}

/* ---- histograms ---- */

struct bounds {
	int64_t from, to;
	bool is_least, is_most; /* no bound on that side */
};

static struct bounds log_bounds(uint32_t i)
{
	uint64_t least;

	if (i == STP_HIST_LOG_ZERO)
		return (struct bounds){ 0 };
	if (i > STP_HIST_LOG_ZERO) {
		least = 1ull << (i - STP_HIST_LOG_ZERO - 1);
		return (struct bounds){ .from = (int64_t)least, .to = (int64_t)(2 * least - 1) };
	}
	if (!i)
		return (struct bounds){ .from = INT64_MIN, .to = INT64_MIN };
	least = 1ull << (STP_HIST_LOG_ZERO - 1 - i);
	return (struct bounds){ .from = -(int64_t)(2 * least - 1), .to = -(int64_t)least };
}

static struct bounds linear_bounds(const struct stp_stat_desc *h, uint32_t buckets, uint32_t i)
{
	uint64_t from = (uint64_t)h->low + (uint64_t)(i - 1) * (uint64_t)h->width;

	if (!i)
		return (struct bounds){ .is_least = true, .to = h->low - 1 };
	return (struct bounds){ .from = (int64_t)from,
				.to = (int64_t)(from + (uint64_t)h->width - 1),
				.is_most = i == buckets - 1 };
}

static void tell_bucket(struct telling *t, struct bounds b, int64_t count)
{
	tell_char(t, '\t');
	if (b.is_least)
		tell_text(t, "-inf");
	else
		tell_long(t, b.from);
	tell_char(t, ':');
	if (b.is_most)
		tell_text(t, "inf");
	else
		tell_long(t, b.to);
	tell_char(t, ':');
	tell_long(t, count);
}

static void tell_hist(struct telling *t, const struct stp_stat_desc *h, const int64_t *counts)
{
	uint32_t buckets = stp_hist_buckets(h->hist, h->low, h->high, h->width);
	bool is_log = h->hist == STP_HIST_LOG;

	tell_text(t, is_log ? "hist\tlog\t" : "hist\tlinear\t");
	tell_long(t, h->low);
	tell_char(t, '\t');
	tell_long(t, h->high);
	tell_char(t, '\t');
	tell_long(t, h->width);
	for (uint32_t i = 0; i < buckets; i++)
		if (counts[i])
			tell_bucket(t, is_log ? log_bounds(i) : linear_bounds(h, buckets, i),
				    counts[i]);
	tell_char(t, '\n');
}

/* Writes the quantiles of a fine histogram, which has too many buckets to list. */
static void tell_quantiles(struct telling *t, struct stp_ctx *c, const struct stp_stat_desc *h,
			   const struct stp_stat_data *d)
{
	static const struct {
		const char *name;
		int64_t share; /* millionths of a percent */
	} told[] = { { "0.5", 50000000 }, { "0.9", 90000000 }, { "0.99", 99000000 } };

	for (unsigned i = 0; i < sizeof(told) / sizeof(told[0]) && d->count; i++) {
		tell_text(t, "quantile\t");
		tell_text(t, told[i].name);
		tell_char(t, '\t');
		tell_long(t, stp_hist_quantile(c, d, h, told[i].share));
		tell_char(t, '\n');
	}
}

static void tell_hists(struct telling *t, struct stp_ctx *c, const struct stp_stat_shape *h,
		       const struct stp_stat_data *d)
{
	const struct stp_stat_desc only = {
		.hist = h->kind, .low = h->low, .high = h->high, .width = h->width
	};
	const struct stp_stat_desc *one = h->kind == STP_HIST_SEVERAL ? h->several : &only;

	for (; one && one->hist != STP_HIST_NONE; one = one->several)
		if (one->hist == STP_HIST_FINE)
			tell_quantiles(t, c, one, d);
		else
			tell_hist(t, one, d->hist + one->at);
}

/* ---- values ---- */

static void tell_kept(struct telling *t, bool is_kept, int64_t v)
{
	tell_char(t, '\t');
	if (is_kept)
		tell_long(t, v);
	else
		tell_char(t, '-');
}

static void tell_stat(struct telling *t, struct stp_ctx *c, const struct stp_stat_shape *h,
		      const struct stp_stat_data *d)
{
	uint32_t keeps = d->count ? h->keeps : 0;
	bool has_sum = keeps & STP_KEEP_SUM;

	tell_kept(t, true, d->count);
	tell_kept(t, h->keeps & STP_KEEP_SUM, d->sum);
	tell_kept(t, keeps & STP_KEEP_MIN, d->min);
	tell_kept(t, keeps & STP_KEEP_MAX, d->max);
	tell_kept(t, has_sum, has_sum ? d->sum / d->count : 0);
	tell_kept(t, has_sum && (keeps & STP_KEEP_SQUARES), stp_stat_data_variance(d));
	tell_char(t, '\n');
	tell_hists(t, c, h, d);
}

/* Reads a string from the copy, as stored by copy_string(). */
static const uint8_t *tell_string(struct telling *t, const uint8_t *p)
{
	uint32_t len;

	memcpy(&len, p, sizeof(len));
	tell_char(t, '\t');
	tell_escaped(t, p + sizeof(len), len);
	return p + sizeof(len) + len;
}

static const uint8_t *tell_number(struct telling *t, const uint8_t *p)
{
	int64_t v;

	memcpy(&v, p, sizeof(v));
	tell_char(t, '\t');
	tell_long(t, v);
	return p + sizeof(v);
}

static const uint8_t *tell_typed(struct telling *t, const uint8_t *p, unsigned type)
{
	return type == STP_STRING ? tell_string(t, p) : tell_number(t, p);
}

static void tell_elements(struct telling *t, struct copy *c, const struct stp_map *m)
{
	const struct stp_map_desc *desc = m->desc;
	size_t bytes = stp_stat_data_bytes(m->hist_buckets);
	const uint8_t *p = c->mem;

	tell_text(t, "entries\t");
	tell_long(t, c->all);
	tell_char(t, '\n');
	for (uint32_t i = 0; i < c->count; i++) {
		tell_text(t, "value");
		for (unsigned k = 0; k < desc->nkeys; k++)
			p = tell_typed(t, p, desc->key_types[k]);
		if (desc->value_type != STP_STATS) {
			p = tell_typed(t, p, desc->value_type);
			tell_char(t, '\n');
			continue;
		}
		memcpy(c->stat, p, bytes);
		p += bytes;
		tell_stat(t, &c->ctx, &m->shape, c->stat);
	}
}

/* ---- the copy ---- */

static bool copy_bytes(struct copy *c, const void *from, size_t bytes)
{
	if (bytes > (size_t)(c->mem + COPY_BYTES - c->at))
		return false;
	memcpy(c->at, from, bytes);
	c->at += bytes;
	return true;
}

static bool copy_string(struct copy *c, struct stp_str s)
{
	return copy_bytes(c, &s.len, sizeof(s.len)) && copy_bytes(c, s.s, s.len);
}

static bool copy_element(struct copy *c, const struct stp_map *m, struct stp_map_entry *e)
{
	const struct stp_map_desc *desc = m->desc;

	for (unsigned k = 0; k < desc->nkeys; k++)
		if (!(desc->key_types[k] == STP_STRING
			      ? copy_string(c, stp_map_key_string(m, e, k))
			      : copy_bytes(c, stp_map_long_at(e, m->key_at[k]), sizeof(int64_t))))
			return false;
	if (desc->value_type == STP_STRING)
		return copy_string(c, stp_map_value_string(m, e));
	return copy_bytes(c, stp_map_value(&c->ctx, m, e),
			  desc->value_type == STP_LONG ? sizeof(int64_t)
						       : stp_stat_data_bytes(m->hist_buckets));
}

static void copy_array(struct copy *c, struct stp_map *m)
{
	uint32_t most = COPY_LOOKS / (m->nparts + 1);

	stp_shards_order(&c->ctx, m);
	c->all = READ_ONCE(m->count);
	for (uint32_t n = m->oldest; n && c->count < most; n = stp_map_entry(m, n)->next) {
		uint8_t *begin = c->at;

		if (!copy_element(c, m, stp_map_entry(m, n))) {
			c->at = begin;
			return;
		}
		c->count++;
	}
}

static bool global_is_stat(const struct stp_global *g)
{
	return !g->is_array && g->type == STP_STATS;
}

static void copy_values(struct copy *c, const struct stp_global *g)
{
	if (g->is_array) {
		copy_array(c, *(struct stp_map **)g->place);
	} else if (global_is_stat(g)) {
		stp_stat_sum(*(struct stp_stat **)g->place, c->stat, c->part);
	} else if (g->type == STP_STRING) {
		copy_string(c, *(const struct stp_str *)g->place);
	} else {
		int64_t v = READ_ONCE(*(const int64_t *)g->place);

		copy_bytes(c, &v, sizeof(v));
	}
}

static bool is_locked(const struct stp_global *g)
{
	return g->lock && (g->is_array || g->type == STP_STRING);
}

/*
 * Copies a global that others may change. STP_LOCK_ALONE excludes probes that only add to
 * an array; their parts are summed up as for any reader. STP_LOCK_ALL excludes those that
 * use one element.
 */
static bool copy_global(struct copy *c, const struct stp_global *g)
{
	const struct stp_lock_use use = {
		.lock = (struct stp_lock *)g->lock,
		.mode = !g->lock	  ? STP_LOCK_READ
			: g->lock->array  ? STP_LOCK_ALL
			: g->lock->adders ? STP_LOCK_ALONE
					  : STP_LOCK_READ,
	};
	struct stp_cpu *reader = stp_runtime.cpus[stp_runtime.ncpus];

	c->at = c->mem;
	c->count = c->all = 0;
	if (!is_locked(g)) {
		copy_values(c, g);
		return true;
	}
	for (unsigned turn = 0; turn < LOCK_TURNS; turn++) {
		uint32_t tries = LOCK_TRIES;
		unsigned long flags = port_irq_save();
		bool taken = port_reads_globals(true) && stp_lock_take(reader, &use, &tries);

		if (taken) {
			copy_values(c, g);
			stp_lock_release(reader, &use);
		}
		port_reads_globals(false);
		port_irq_restore(flags);
		if (taken)
			return true;
		port_sleep_ms(1);
	}
	return false;
}

/* ---- all globals ---- */

static void tell_values(struct telling *t, struct copy *c, const struct stp_global *g)
{
	if (g->is_array) {
		tell_elements(t, c, *(struct stp_map **)g->place);
		return;
	}
	tell_text(t, "value");
	if (global_is_stat(g)) {
		tell_stat(t, &c->ctx, &(*(struct stp_stat **)g->place)->shape, c->stat);
		return;
	}
	tell_typed(t, c->mem, g->type);
	tell_char(t, '\n');
}

static void tell_global(struct telling *t, struct copy *c, const struct stp_global *g)
{
	static const char *const types[] = {
		[STP_LONG] = "long", [STP_STRING] = "string", [STP_STATS] = "stats"
	};
	bool copied = copy_global(c, g);

	tell_text(t, "global\t");
	tell_text(t, g->name);
	tell_char(t, '\t');
	tell_text(t, types[g->type]);
	tell_text(t, copied ? "\tok\n" : "\tbusy\n");
	tell_text(t, g->told);
	if (copied)
		tell_values(t, c, g);
}

/* Returns the bytes of the largest aggregate. */
static size_t stat_most(void)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < stp_script.nglobals; i++) {
		const struct stp_global *g = &stp_script.globals[i];
		uint32_t buckets = 0;

		if (g->is_array)
			buckets = (*(struct stp_map **)g->place)->hist_buckets;
		else if (global_is_stat(g))
			buckets = (*(struct stp_stat **)g->place)->buckets;
		most = buckets > most ? buckets : most;
	}
	return stp_stat_data_bytes(most);
}

bool stp_snapshot_write(void (*put)(void *ctx, const char *text), void *ctx)
{
	size_t stat = stat_most();
	struct telling t = { .put = put, .ctx = ctx };
	struct copy *c = port_alloc(sizeof(*c) + 2 * stat + COPY_BYTES);

	if (!c)
		return false;
	c->ctx.work = INT64_MAX / 2;
	c->stat = (void *)(c + 1);
	c->part = (void *)((uint8_t *)c->stat + stat);
	c->mem = (uint8_t *)c->part + stat;
	for (uint32_t i = 0; i < stp_script.nglobals; i++)
		if (stp_script.globals[i].told)
			tell_global(&t, c, &stp_script.globals[i]);
	tell_text(&t, "end\n");
	tell_flush(&t);
	port_free(c);
	return true;
}
