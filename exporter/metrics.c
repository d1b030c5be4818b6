/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/metrics.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exporter/text.h"
#include "exporter/values.h"
#include "lib/utf8.h"

#define PREFIX	   "stap_"
#define RUN	   "run_" /* names of the exporter's own metrics begin like this */
#define RUN_PREFIX PREFIX RUN

/* ---- text in quotes, and in HELP ---- */

static bool is_replacement(const unsigned char *s, size_t n)
{
	return n == 3 && s[0] == 0xef && s[1] == 0xbf && s[2] == 0xbd;
}

static void add_character(struct text *t, const unsigned char *s, size_t n, bool quotes)
{
	if (*s == '\n')
		text_adds(t, "\\n");
	else if (*s == '\\')
		text_adds(t, "\\\\");
	else if (*s == '"' && quotes)
		text_adds(t, "\\\"");
	else if (*s == 0 || *s == '\r')
		text_addf(t, "\xef\xbf\xbd%02x", *s); /* readers treat these differently */
	else
		text_add(t, (const char *)s, n);
}

static void add_escaped(struct text *t, const char *bytes, size_t len, bool quotes)
{
	const unsigned char *s = (const unsigned char *)bytes;

	for (size_t i = 0; i < len;) {
		size_t n = utf8_length(bytes + i, len - i);

		if (!n || is_replacement(s + i, n)) {
			text_addf(t, "\xef\xbf\xbd%02x", s[i++]); /* so does the rest of it */
			continue;
		}
		add_character(t, s + i, n, quotes);
		i += n;
	}
}

void metrics_quote(struct text *t, const char *s, unsigned long len)
{
	text_adds(t, "\"");
	add_escaped(t, s, len, true);
	text_adds(t, "\"");
}

/* ---- names ---- */

struct family {
	struct text *t;
	const char *script;
	const struct global *g;
	char labels[VALUES_KEYS][64];
	char *name;
};

static void add_letters(struct text *t, const char *s)
{
	if (isdigit((unsigned char)*s))
		text_adds(t, "_");
	for (; *s; s++)
		text_add(t, isalnum((unsigned char)*s) ? s : "_", 1);
}

/* True: after a global's name, the name of a metric or a sample may end like this. */
static bool is_suffix(const char *rest)
{
	static const char *const families[] = { "",	 "_total",     "_min", "_max", "_variance",
						"_info", "_quantiles", "_2",   "_3",   "_4",
						"_5",	 "_6",	       "_7",   "_8" };
	static const char *const samples[] = { "", "_bucket", "_sum", "_count" };

	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		size_t n = strlen(families[i]);

		if (strncmp(rest, families[i], n))
			continue;
		for (size_t k = 0; k < sizeof(samples) / sizeof(*samples); k++)
			if (!strcmp(rest + n, samples[k]))
				return true;
	}
	return false;
}

/* True: metrics of two globals could have the same name. */
static bool names_meet(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	return n < m ? !strncmp(a, b, n) && is_suffix(b + n)
		     : !strncmp(a, b, m) && is_suffix(a + m);
}

/* True: the name needs no number. */
static bool is_plain(const struct values *v, size_t index)
{
	const char *name = v->globals[index].name;

	if (!strncmp(name, RUN, strlen(RUN)) || strstr(name, "_global"))
		return false;
	for (size_t i = 0; i < index; i++)
		if (names_meet(v->globals[i].name, name))
			return false;
	return true;
}

/*
 * Returns the name of a global's metrics. If it collides with that of an earlier global,
 * as sizes_count with the aggregate sizes, its number is appended.
 */
static char *family_name(const struct values *v, size_t index)
{
	struct text name = { 0 };

	text_adds(&name, PREFIX);
	add_letters(&name, v->globals[index].name);
	if (!is_plain(v, index))
		text_addf(&name, "_global%zu", index);
	return name.s;
}

/* Gives a key a label name that neither the format nor Prometheus reserves. */
static void label_name(struct family *f, size_t key)
{
	static const char *const taken[] = {
		"le", "quantile", "script", "value", "job", "instance"
	};
	const char *want = f->g->keys[key];
	struct text name = { 0 };
	bool is_taken = false;

	if (want[0] == '_')
		text_adds(&name, "key");
	add_letters(&name, want[0] ? want : "key");
	if (name.len > 40)
		name.s[40] = 0;
	for (size_t i = 0; i < sizeof(taken) / sizeof(*taken); i++)
		is_taken |= !strcmp(name.s, taken[i]);
	for (size_t i = 0; i < key; i++)
		is_taken |= !strcmp(name.s, f->labels[i]);
	snprintf(f->labels[key], sizeof(f->labels[key]), is_taken ? "%.40s_key%zu" : "%.40s",
		 name.s, key + 1);
	text_free(&name);
}

/* ---- samples ---- */

/* Begins a family with its help and its type. */
static void add_head(const struct family *f, const char *suffix, const char *type, const char *what)
{
	text_addf(f->t, "# HELP %s%s ", f->name, suffix);
	if (f->g->help)
		add_escaped(f->t, f->g->help, strlen(f->g->help), false);
	else
		text_addf(f->t, "Global variable %s of the script.", f->g->name);
	text_addf(f->t, "%s\n# TYPE %s%s %s\n", what, f->name, suffix, type);
}

/* Adds a sample's name and labels, without the final brace. */
static void add_series(const struct family *f, const char *suffix, const struct value *value)
{
	text_addf(f->t, "%s%s{script=", f->name, suffix);
	metrics_quote(f->t, f->script, strlen(f->script));
	for (size_t i = 0; i < f->g->nkeys; i++) {
		text_addf(f->t, ",%s=", f->labels[i]);
		metrics_quote(f->t, value->keys[i].s, value->keys[i].len);
	}
}

static void add_sample(const struct family *f, const char *suffix, const struct value *value,
		       int64_t v)
{
	add_series(f, suffix, value);
	text_addf(f->t, "} %" PRId64 "\n", v);
}

#define EACH_VALUE(f, value)                                                                       \
	for (const struct value *value = (f)->g->values;                                           \
	     (f)->g->nvalues && value < (f)->g->values + (f)->g->nvalues; value++)

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static void write_longs(const struct family *f)
{
	const char *suffix = f->g->is_counter && !ends_in(f->name, "_total") ? "_total" : "";

	add_head(f, suffix, f->g->is_counter ? "counter" : "gauge", "");
	EACH_VALUE(f, value) {
		add_series(f, suffix, value);
		text_addf(f->t, "} %s\n", value->text.s);
	}
}

/* A string becomes a label of a metric whose value is 1. */
static void write_strings(const struct family *f)
{
	add_head(f, "_info", "gauge", "");
	EACH_VALUE(f, value) {
		add_series(f, "_info", value);
		text_adds(f->t, ",value=");
		metrics_quote(f->t, value->text.s, value->text.len);
		text_adds(f->t, "} 1\n");
	}
}

/* ---- aggregates ---- */

static void add_sum_and_count(const struct family *f, const char *suffix, const struct value *value)
{
	char name[80];

	snprintf(name, sizeof(name), "%s_sum", suffix);
	add_sample(f, name, value, value->sum.is_known ? value->sum.v : 0);
	snprintf(name, sizeof(name), "%s_count", suffix);
	add_sample(f, name, value, value->count);
}

static void add_bucket(const struct family *f, const char *suffix, const struct value *value,
		       const char *le, int64_t count)
{
	add_series(f, suffix, value);
	text_addf(f->t, ",le=\"%s\"} %" PRId64 "\n", le, count);
}

/* Returns the upper bound of the bucket after that one. */
static int64_t next_bound(const struct histogram *h, int64_t to)
{
	if (!h->is_log)
		return to > INT64_MAX - h->width ? INT64_MAX : to + h->width;
	if (to >= INT64_MAX / 2)
		return INT64_MAX;
	/* …, -4, -2, -1, 0, 1, 3, 7, … */
	return to < 0 ? to / 2 : 2 * to + 1;
}

/*
 * True: the bound is one of the histogram's, which has as many bounds as buckets.
 */
static bool is_bound(const struct histogram *h, int64_t to)
{
	return h->is_log || to < h->high;
}

/* Counts come from programs and may have any value. */
static int64_t add_capped(int64_t sum, int64_t count)
{
	return count > INT64_MAX - sum ? INT64_MAX : sum + count;
}

/*
 * Adds a histogram: all bounds of a linear one; of a logarithmic one, the bounds from its
 * first used bucket to its last.
 */
static void add_histogram(const struct family *f, const char *suffix, const struct value *value,
			  const struct histogram *h)
{
	size_t n = h->count;
	int64_t to = !h->is_log ? h->low - 1 : n ? h->buckets[0].to : 0, sum = 0, last = to;
	char name[80], le[32];
	size_t i = 0;

	for (size_t k = 0; k < n; k++)
		last = h->buckets[k].is_most ? last : h->buckets[k].to;
	snprintf(name, sizeof(name), "%s_bucket", suffix);
	for (unsigned bound = 0; bound < 130; bound++) {
		while (i < n && !h->buckets[i].is_most && h->buckets[i].to <= to)
			sum = add_capped(sum, h->buckets[i++].count);
		snprintf(le, sizeof(le), "%" PRId64, to);
		add_bucket(f, name, value, le, sum);
		if (to == INT64_MAX || (h->is_log ? to >= last : to >= last && !is_bound(h, to)))
			break;
		to = next_bound(h, to);
	}
	add_bucket(f, name, value, "+Inf", value->count);
	add_sum_and_count(f, suffix, value);
}

/*
 * Estimates the value that this share of all values does not exceed, as
 * histogram_quantile() does: values are assumed to be evenly spread in their bucket.
 */
static double estimate(const struct value *value, const struct histogram *h, double share)
{
	double want = share * (double)value->count, sum = 0;

	for (size_t i = 0; i < h->count; i++) {
		const struct bucket *b = &h->buckets[i];
		double count = (double)(b->count > 0 ? b->count : 1);

		sum += count;
		if (sum < want && i + 1 < h->count)
			continue;
		if (b->is_least || b->is_most)
			return (double)(b->is_least ? b->to : b->from);
		return (double)b->to - ((double)b->to - (double)b->from) * (sum - want) / count;
	}
	return 0;
}

static void add_quantiles(const struct family *f, const char *suffix, const struct value *value)
{
	static const double shares[VALUES_QUANTILES] = { 0.5, 0.9, 0.99 };

	for (unsigned i = 0; i < VALUES_QUANTILES && value->count; i++) {
		bool is_known = value->quantiles[i].is_known;

		if (!is_known && !value->nhists)
			continue;
		add_series(f, suffix, value);
		text_addf(f->t, ",quantile=\"%g\"} %.9g\n", shares[i],
			  is_known ? (double)value->quantiles[i].v
				   : estimate(value, &value->hists[0], shares[i]));
	}
}

static void write_summary(const struct family *f, const char *suffix, const char *what)
{
	add_head(f, suffix, "summary", what);
	EACH_VALUE(f, value) {
		add_quantiles(f, suffix, value);
		add_sum_and_count(f, suffix, value);
	}
}

static void write_extreme(const struct family *f, const char *suffix, const char *what,
			  struct number (*get)(const struct value *value))
{
	bool begun = false;

	EACH_VALUE(f, value) {
		if (!get(value).is_known)
			continue;
		if (!begun)
			add_head(f, suffix, "gauge", what);
		begun = true;
		add_sample(f, suffix, value, get(value).v);
	}
}

static struct number get_min(const struct value *value)
{
	return value->min;
}

static struct number get_max(const struct value *value)
{
	return value->max;
}

static struct number get_variance(const struct value *value)
{
	return value->variance;
}

static size_t most_hists(const struct global *g)
{
	size_t most = 0;

	for (size_t i = 0; i < g->nvalues; i++)
		most = g->values[i].nhists > most ? g->values[i].nhists : most;
	return most;
}

static void write_histograms(const struct family *f, size_t number)
{
	char suffix[24] = "";

	if (number)
		snprintf(suffix, sizeof(suffix), "_%zu", number + 1);
	add_head(f, suffix, "histogram", "");
	EACH_VALUE(f, value) {
		if (number < value->nhists)
			add_histogram(f, suffix, value, &value->hists[number]);
	}
}

static void write_stats(const struct family *f)
{
	size_t hists = most_hists(f->g);

	for (size_t i = 0; i < hists; i++)
		write_histograms(f, i);
	write_summary(f, hists ? "_quantiles" : "", hists ? " Quantiles of it." : "");
	write_extreme(f, "_min", " The least value.", get_min);
	write_extreme(f, "_max", " The greatest value.", get_max);
	write_extreme(f, "_variance", " The variance.", get_variance);
}

static void write_global(struct text *t, const struct values *v, size_t index, const char *script)
{
	static void (*const writers[VALUE_TYPES])(const struct family *f) = {
		[VALUE_LONG] = write_longs,
		[VALUE_STRING] = write_strings,
		[VALUE_STATS] = write_stats,
	};
	struct family f = { .t = t, .script = script, .g = &v->globals[index] };

	if (f.g->is_busy)
		return;
	f.name = family_name(v, index);
	for (size_t i = 0; i < f.g->nkeys; i++)
		label_name(&f, i);
	writers[f.g->type](&f);
	free(f.name);
}

/* ---- the run ---- */

static void add_run_head(struct text *t, const char *name, const char *type, const char *help)
{
	text_addf(t, "# HELP " RUN_PREFIX "%s %s\n# TYPE " RUN_PREFIX "%s %s\n", name, help, name,
		  type);
}

static void add_run_series(struct text *t, const char *name, const char *script)
{
	text_addf(t, RUN_PREFIX "%s{script=", name);
	metrics_quote(t, script, strlen(script));
}

/* Counters of a probe. */
static const struct {
	const char *name, *help;
	size_t place; /* offset in struct probe_books */
	bool is_time; /* in nanoseconds, shown in seconds */
} books[] = {
	{ "hits_total", "Hits of a probe: delivered, dropped and skipped.",
	  offsetof(struct probe_books, hits), false },
	{ "delivered_total", "Hits whose handlers ran to their end.",
	  offsetof(struct probe_books, delivered), false },
	{ "dropped_total", "Hits whose output found no room.",
	  offsetof(struct probe_books, dropped), false },
	{ "skipped_total", "Hits without a handler's work.", offsetof(struct probe_books, skipped),
	  false },
	{ "handler_seconds_total", "Time in handlers of a probe.", offsetof(struct probe_books, ns),
	  true },
};

/* Writes the counter `row` of the books, one series for each probe. */
static void write_books(struct text *t, const struct values *v, const char *script, size_t row)
{
	const uint64_t second = 1000000000;

	add_run_head(t, books[row].name, "counter", books[row].help);
	for (size_t i = 0; i < v->nprobes; i++) {
		const struct probe_books *p = &v->probes[i];
		uint64_t n = *(const uint64_t *)((const char *)p + books[row].place);

		if (!p->point)
			continue;
		add_run_series(t, books[row].name, script);
		text_addf(t, ",index=\"%zu\",probe=", i);
		metrics_quote(t, p->point, strlen(p->point));
		if (books[row].is_time)
			text_addf(t, "} %" PRIu64 ".%09" PRIu64 "\n", n / second, n % second);
		else
			text_addf(t, "} %" PRIu64 "\n", n);
	}
}

static void write_counts(struct text *t, const char *script, const char *name, const char *label,
			 const char *help, const struct named_count *counts, size_t n)
{
	add_run_head(t, name, "counter", help);
	for (size_t i = 0; i < n; i++) {
		add_run_series(t, name, script);
		text_addf(t, ",%s=", label);
		metrics_quote(t, counts[i].name, strlen(counts[i].name));
		text_addf(t, "} %" PRIu64 "\n", counts[i].count);
	}
}

static void write_run(struct text *t, const struct values *v, const char *script)
{
	add_run_head(t, "start_time_seconds", "gauge", "When the script began, since 1970.");
	add_run_series(t, "start_time_seconds", script);
	text_addf(t, "} %" PRId64 "\n", v->started);
	for (size_t i = 0; i < sizeof(books) / sizeof(books[0]); i++)
		write_books(t, v, script, i);
	write_counts(t, script, "skips_total", "reason", "Skipped hits of all probes by reason.",
		     v->reasons, v->nreasons);
	write_counts(t, script, "contended_total", "global",
		     "Hits that were skipped for the lock of a global.", v->contended,
		     v->ncontended);
	/*
	 * Reports elements that have no sample, and globals that are left out completely.
	 */
	add_run_head(t, "elements", "gauge", "Elements of an array.");
	for (size_t i = 0; i < v->nglobals; i++) {
		if (!v->globals[i].is_array || v->globals[i].is_busy)
			continue;
		add_run_series(t, "elements", script);
		text_addf(t, ",global=\"%s\"} %" PRIu64 "\n", v->globals[i].name,
			  v->globals[i].entries);
	}
	add_run_head(t, "elements_left_out", "gauge", "Elements that are in none of the samples.");
	for (size_t i = 0; i < v->nglobals; i++) {
		const struct global *g = &v->globals[i];

		if (!g->is_array || g->is_busy)
			continue;
		add_run_series(t, "elements_left_out", script);
		text_addf(t, ",global=\"%s\"} %" PRIu64 "\n", g->name,
			  g->entries > g->nvalues ? g->entries - g->nvalues : 0);
	}
}

void metrics_write(struct text *t, const struct values *v, const char *script)
{
	for (size_t i = 0; i < v->nglobals; i++)
		write_global(t, v, i, script);
	write_run(t, v, script);
}
