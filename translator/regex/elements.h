/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A pattern as elements and arcs. Every character (a set of bytes at one place of the
 * pattern, copied by repetition) is an element; so are the two places where a match can
 * begin and the two where it can end. An arc leads to an element that may come next; arcs
 * are sorted by preference. Element numbers are those of core/regex.h.
 */
#ifndef STAP_REGEX_ELEMENTS_H
#define STAP_REGEX_ELEMENTS_H

#include "core/regex.h"
#include "lib/vec.h"
#include "regex/tree.h"

typedef VEC(uint32_t) element_list;

struct machine {
	struct arena *a;
	VEC(const struct byteset *) sets; /* of element STP_REGEX_CHARACTERS + i */
	uint32_t nelements;
	VEC(struct stp_regex_arc) arcs;
	VEC(uint32_t) arcs_of; /* element -> first arc; nelements + 1 of them */
	VEC(uint8_t) boundaries;
	/* byte -> its class: no set tells two bytes of a class apart */
	uint8_t classes[256];
	unsigned nclasses;
	unsigned char samples[256]; /* class -> one of its bytes */
};

static inline uint32_t machine_end(const struct machine *m)
{
	return STP_REGEX_CHARACTERS + (uint32_t)m->sets.count;
}

static inline uint32_t machine_end_border(const struct machine *m)
{
	return machine_end(m) + 1;
}

/* Returns false after an error: the pattern is too large. */
bool elements_make(struct machine *m, struct arena *a, struct tree *t, bool groups,
		   struct regex_error *ret_error);

/* ---- automaton.c ---- */

struct automaton_use {
	bool backwards; /* against the arcs */
	/*
	 * A match may begin (backwards: end) at any byte, not only where the pass does.
	 */
	bool anywhere;
};

/*
 * Returns false if it becomes too large. *ret_sets, if wanted: the elements that each
 * state represents, one bit each (core/regex.h: leads).
 */
bool automaton_make(const struct machine *m, struct automaton_use use,
		    struct stp_regex_automaton *ret, uint8_t **ret_leads);

#endif
