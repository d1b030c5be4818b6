/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points of the kernel's counters: what perf.c (of every
 * CPU) and perftask.c (of programs) share, and @perf.
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
	const struct component *process; /* whose events; NULL: of every CPU */
	const char *program;             /* perftask: its path */
	/* @perf reads it by this name, the handler never runs; NULL: it does */
	const char *counter;
	unsigned number;                 /* of a counter that is read, from 1 */
	const char *symbol;
	int64_t address;
	unsigned length, access;
	bool is_user;                    /* of processes */
};

/* Is perf.type(N).config(M) with what stands behind it? */
struct error *perf_parse(struct session *s, const struct point *p, struct perf *ret);
struct derived *perf_add(struct session *s, const struct probe_family *f, const struct point *p,
			 const struct perf *perf, derived_list *ret);
/* The fields that all generated points of counters have. */
void perf_emit(struct session *s, const struct derived *d, const char *more, struct writer *w);

/*
 * counter.c: @perf is in d's handler (NULL: in no
 * probe's); n->missing where it cannot be read there.
 */
void counter_bind(struct session *s, struct derived *d, struct node *n);
/*
 * All points are known: counts it in where it is bound to; *ret:
 * its number among what that point reads. NULL, or what is wrong.
 */
const char *counter_use(struct session *s, struct node *n, unsigned *ret);
/* The table of what d reads, and the fields of its point that name it. */
void counter_emit(const struct derived *d, struct strbuf *point, struct session *s,
		  struct writer *w);

#endif
