/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the tables of regular expressions; regex.h describes the passes. */
#include "core/regex.h"

static uint32_t regex_step(const struct stp_regex *r, const struct stp_regex_automaton *a,
			   uint32_t state, char byte)
{
	return a->next[state * r->nclasses + r->classes[(unsigned char)byte]];
}

bool stp_regex_test(const struct stp_regex *r, const char *s, uint32_t len)
{
	uint32_t state = r->test.start[0];

	for (uint32_t i = 0; i < len && state; i++) {
		if (r->test.flags[state] & STP_REGEX_HERE)
			return true;
		state = regex_step(r, &r->test, state, s[i]);
	}
	return r->test.flags[state];
}

/* Finds the leftmost position at which a match begins. */
static bool regex_first(const struct stp_regex *r, const char *s, uint32_t len, uint32_t *ret)
{
	uint32_t state = r->first.start[0], i = len;
	bool found = false;

	for (;;) {
		if ((r->first.flags[state] & STP_REGEX_HERE) || (!i && r->first.flags[state])) {
			found = true;
			*ret = i;
		}
		if (!i || !state)
			return found;
		state = regex_step(r, &r->first, state, s[--i]);
	}
}

/* Returns the last position at which a match from `first` ends. */
static uint32_t regex_last(const struct stp_regex *r, const char *s, uint32_t len, uint32_t first)
{
	uint32_t state = r->last.start[first != 0], last = first;

	for (uint32_t i = first; state; i++) {
		if ((r->last.flags[state] & STP_REGEX_HERE) || (i == len && r->last.flags[state]))
			last = i;
		if (i == len)
			break;
		state = regex_step(r, &r->last, state, s[i]);
	}
	return last;
}

static bool regex_leads(const struct stp_regex *r, uint32_t state, uint32_t element)
{
	size_t bit = (size_t)state * r->nelements + element;

	return r->leads[bit / 8] >> (bit % 8) & 1;
}

static uint64_t regex_groups(const struct stp_regex *r, const char *s, uint32_t len,
			     uint16_t *states, uint32_t *bounds)
{
	uint32_t first = bounds[0], last = bounds[1], i, element;
	uint32_t state = r->path.start[last != len];
	uint64_t tries = 0;

	for (i = last; i > first; i--) {
		states[i] = (uint16_t)state;
		state = regex_step(r, &r->path, state, s[i - 1]);
	}
	states[first] = (uint16_t)state;
	element = first ? STP_REGEX_INSIDE : STP_REGEX_BEGIN;
	for (i = first; i <= last; i++) {
		const struct stp_regex_arc *arc = &r->arcs[r->arcs_of[element]],
					   *end = &r->arcs[r->arcs_of[element + 1]];

		for (; arc < end && !regex_leads(r, states[i], arc->to); arc++)
			tries++;
		if (arc == end)
			break;
		for (uint32_t k = 0; k < arc->count; k++)
			bounds[r->boundaries[arc->first + k]] = i;
		tries += arc->count;
		element = arc->to;
	}
	return tries;
}

bool stp_regex_find(const struct stp_regex *r, const char *s, uint32_t len, uint16_t *states,
		    uint32_t *bounds, uint64_t *tries)
{
	*tries = 0;
	for (uint32_t k = 0; k < 2 * (uint32_t)r->ngroups; k++)
		bounds[k] = STP_REGEX_UNSET;
	if (!regex_first(r, s, len, &bounds[0]))
		return false;
	bounds[1] = regex_last(r, s, len, bounds[0]);
	if (r->ngroups > 1)
		*tries = regex_groups(r, s, len, states, bounds);
	return true;
}
