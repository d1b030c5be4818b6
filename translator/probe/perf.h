/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points of the kernel's counters, shared by perf.c (counters of every CPU), perftask.c
 * (counters of programs) and @perf.
 */
#ifndef STAP_PROBE_PERF_H
#define STAP_PROBE_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "probe/probe.h"

struct strbuf;

extern const struct probe_family probe_family_perf, probe_family_perftask;

struct perf {
	int64_t type, config, period;
	bool is_rate;
	const struct component *process; /* its events are counted; NULL: those of every CPU */
	const char *program;             /* perftask: its path */
	/*
	 * @perf reads the counter by this name, and the handler never runs; NULL: it runs
	 */
	const char *counter;
	unsigned number;                 /* number of a counter that is read, from 1 */
	const char *symbol;
	int64_t address;
	unsigned length, access;
	bool is_user;                    /* counts events of processes */
};

/*
 * Parses perf.type(N).config(M) and its suffixes. Returns an error when they are wrong.
 */
struct error *perf_parse(struct session *s, const struct point *p, struct perf *ret);
struct derived *perf_add(struct session *s, const struct probe_family *f, const struct point *p,
			 const struct perf *perf, derived_list *ret);
/* Emits the fields that all generated points of counters have. */
void perf_emit(struct session *s, const struct derived *d, const char *more, struct writer *w);

/*
 * counter.c: binds @perf in d's handler (d is NULL in functions). Fills n->missing where
 * the counter cannot be read there.
 */
void counter_bind(struct session *s, struct derived *d, struct node *n);
/*
 * Counts the @perf among the reads of the point that it is bound to, once all points are
 * known; *ret becomes its number there. Returns NULL, or what is wrong.
 */
const char *counter_use(struct session *s, struct node *n, unsigned *ret);
/*
 * Emits the table of the counters that d reads, and the fields of its point that name it.
 */
void counter_emit(const struct derived *d, struct strbuf *point, struct session *s,
		  struct writer *w);

#endif
