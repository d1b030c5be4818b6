/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a run, from its own report: lines of uapi/status.h, of the books
 * (uapi/msg.h) and of uapi/globals.h. The script controls all of it, so nothing in it is
 * trusted.
 */
#ifndef EXPORTER_VALUES_H
#define EXPORTER_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VALUES_KEYS 9

struct bytes {
	char *s; /* malloc; NUL-terminated, but may also contain NULs */
	size_t len;
};

struct bucket {
	bool is_least, is_most; /* there is no bound on that side */
	int64_t from, to, count;
};

struct histogram {
	bool is_log;
	int64_t low, high, width;
	struct bucket *buckets; /* those that are not empty, ascending */
	size_t count;
};

struct number {
	bool is_known;
	int64_t v;
};

#define VALUES_QUANTILES 3 /* 0.5, 0.9 and 0.99 */

/* A scalar, or an element. */
struct value {
	struct bytes keys[VALUES_KEYS]; /* as text, numbers as well */
	struct bytes text;		/* of a string, or of a number */
	/* An aggregate's numbers. */
	struct number sum, min, max, variance;
	int64_t count;
	struct number quantiles[VALUES_QUANTILES];
	struct histogram *hists;
	size_t nhists;
};

enum value_type { VALUE_LONG, VALUE_STRING, VALUE_STATS, VALUE_TYPES };

struct global {
	char *name, *help;
	enum value_type type;
	bool is_busy, is_counter, is_array;
	char *keys[VALUES_KEYS]; /* their names */
	size_t nkeys;
	uint64_t entries;
	struct value *values;
	size_t nvalues;
};

struct probe_books {
	char *point; /* NULL: there is none of that index */
	uint64_t hits, delivered, dropped, skipped;
	uint64_t ns; /* in handlers */
	bool is_off; /* switched off */
};

struct named_count {
	char *name;
	uint64_t count;
};

#define VALUES_OF_SEVERAL (-2)

struct values {
	bool is_whole;		/* `end` was read */
	int state;		/* enum stp_state; -1: not said */
	int64_t started, owner; /* owner: of a module; -1: not said; or VALUES_OF_SEVERAL */
	struct global *globals;
	size_t nglobals;
	struct probe_books *probes;
	size_t nprobes;
	struct named_count *reasons, *contended;
	size_t nreasons, ncontended;
};

/* Adds the contents of the lines. Malformed lines are skipped. */
void values_read(struct values *v, const char *text, size_t len);
void values_free(struct values *v);

#endif
