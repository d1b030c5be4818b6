/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points of the kernel's counters, shared by perf.c (counters of every CPU) and
 * perftask.c (counters of programs).
 */
#ifndef STAP_PROBE_PERF_H
#define STAP_PROBE_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "probe/probe.h"

extern const struct probe_family probe_family_perf, probe_family_perftask;

struct perf {
	int64_t type, config, period;
	bool is_rate;
	const struct component *process; /* its events are counted; NULL: those of every CPU */
	const char *program;		 /* perftask: its path */
	struct probe_counter counter;	 /* name NULL: the handler runs */
	const char *symbol;
	int64_t address;
	unsigned length, access;
	bool is_user; /* counts events of processes */
};

/*
 * Parses perf.type(N).config(M) and its suffixes. Returns an error when they are wrong.
 */
struct error *perf_parse(struct session *s, const struct point *p, struct perf *ret);
struct derived *perf_add(struct session *s, const struct probe_family *f, const struct point *p,
			 const struct perf *perf, derived_list *ret);
/* The family's callback: the counter that @perf reads. */
struct probe_counter *perf_counter(const struct derived *d);
/* Emits the fields that all generated points of counters have. */
void perf_emit(struct session *s, const struct derived *d, const char *more, struct writer *w);

#endif
