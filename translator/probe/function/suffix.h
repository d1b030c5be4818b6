/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suffixes after `.function("…")` and `.statement("…")`, in the kernel and in programs.
 */
#ifndef STAP_PROBE_SUFFIX_H
#define STAP_PROBE_SUFFIX_H

#include "probe/probe.h"

struct point_suffix {
	bool is_return, is_call, is_exported, is_inline, is_nearest, is_absolute;
	uint32_t maxactive;
	const char *label, *callee; /* patterns, or NULL */
	unsigned depth;		    /* callees(N); 0: none */
};

/* The kind of point before the suffix: each accepts components of its own. */
enum suffix_kind {
	SUFFIX_FUNCTION = 1,
	SUFFIX_STATEMENT = 2, /* of the kernel */
	SUFFIX_PLACE = 4,     /* statements of programs */
	SUFFIX_SLOT = 8,      /* .plt of programs */
};

/* Reads components i and on, up to the point's end. */
struct error *suffix_read(struct session *s, const struct point *p, unsigned i,
			  enum suffix_kind kind, struct point_suffix *ret);

/* Returns the copies of a function that the suffix means: FIND_… of dwarf/find.h. */
unsigned suffix_copies(const struct point_suffix *x);

struct dwarf_file;
struct dwarf_pattern;
/*
 * Returns the error for functions that the pattern did not find, where the suffix asks
 * for those that are called, or their returns: they may be only inlined. Where the rest
 * of one is called, the text says so.
 */
struct error *suffix_only_inlined(struct session *s, const struct point_suffix *x,
				  struct dwarf_file *file, const struct dwarf_pattern *pattern,
				  struct error *absent);

#endif
