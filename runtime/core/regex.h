/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regular expressions at run time: tables from the translator (translator/regex) and a
 * few loops that walk them. The time is linear in the length of the string, and the
 * caller provides the memory. The code is also linked into the translator, which
 * evaluates matches of constant strings.
 *
 * It finds the leftmost match, and the longest of the matches that begin there. With
 * groups this takes three automata and four passes:
 *
 *   first   backwards over the string: which positions a match can begin at; the leftmost
 *           is taken
 *   last    forwards from there: the last position a match can end at
 *   path    backwards between the two, noting at each position which elements lead to
 *           that end
 *   arcs    forwards: of the arcs that leave the current element the first that leads to
 *           an element noted there
 *
 * Arcs are in the order of preference (first alternative, another round of a loop), so
 * that the last pass never goes back. The elements are the pattern's characters, two
 * elements for the beginning and two for the end. The two of each pair differ in whether
 * '^' or '$' matches.
 */
#ifndef STP_REGEX_H
#define STP_REGEX_H

#include "core/env.h"

/* Flags of a state: a match begins or ends here; it does so at the string's border. */
enum { STP_REGEX_HERE = 1, STP_REGEX_BORDER = 2 };

enum stp_regex_element {
	STP_REGEX_BEGIN,     /* before the string's first byte: '^' matches */
	STP_REGEX_INSIDE,    /* any other place at which a match begins */
	STP_REGEX_CHARACTERS /* first of the characters; after the last come END and END_BORDER */
};

/* An automaton. State 0 is dead: no transition leaves it. */
struct stp_regex_automaton {
	const uint16_t *next; /* state * nclasses + class */
	const uint8_t *flags; /* of a state */
	uint32_t nstates;
	uint16_t start[2]; /* at the border where the pass begins, and elsewhere */
};

/*
 * An arc to another element, which passes the group boundaries boundaries[first … first +
 * count - 1]. 2 * n opens group n, 2 * n + 1 closes it.
 */
struct stp_regex_arc {
	uint16_t to, count;
	uint32_t first;
};

struct stp_regex {
	const uint8_t *classes; /* class of each of the 256 bytes */
	uint16_t nclasses;
	uint16_t ngroups; /* including group 0, the whole match */
	/*
	 * Patterns whose groups the script does not use have `test`; the others have the
	 * three below.
	 */
	struct stp_regex_automaton test;
	struct stp_regex_automaton first, last, path;
	const uint8_t *leads; /* a bit: path's state * nelements + element */
	uint32_t nelements;
	const struct stp_regex_arc *arcs;
	const uint32_t *arcs_of; /* element -> first of its arcs; one more at the end */
	const uint8_t *boundaries;
};

/* Units of work (api/ctx.h) for a byte of a pass, and for an arc. */
#define STP_REGEX_BYTE_WORK 8
#define STP_REGEX_ARC_WORK  12

#define STP_REGEX_GROUPS_MAX 100
#define STP_REGEX_UNSET	     UINT32_MAX

/* True: the string contains a match. Needs `test`. */
bool stp_regex_test(const struct stp_regex *r, const char *s, uint32_t len);
/*
 * Finds the match: group n is bounds[2 * n] to bounds[2 * n + 1], or STP_REGEX_UNSET.
 * `states` has len + 1 elements; it is not used when group 0 is the only one. *tries
 * becomes the number of arcs that were tried, besides three passes over the string.
 */
bool stp_regex_find(const struct stp_regex *r, const char *s, uint32_t len, uint16_t *states,
		    uint32_t *bounds, uint64_t *tries);

#endif
