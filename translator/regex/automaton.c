/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns sets of elements into states of a deterministic automaton. Forwards, a state is
 * the set of elements that may just have been read; backwards, the set of elements that
 * lead to an end when they are read next. Either way a step follows the arcs to the
 * neighbours of the set and keeps the neighbours that read the byte.
 */
#include <string.h>

#include "lib/arena.h"
#include "lib/hashmap.h"
#include "regex/elements.h"

/* Bounds the tables: 128 KB of steps, 128 KB of sets. */
enum { STATES_MOST = 8000, STEPS_MOST = 65536, LEADS_MOST = 1024 * 1024 };

/* A set: one byte for each element, and the members in order. */
struct members {
	uint8_t *has;
	element_list list;
};

struct builder {
	const struct machine *m;
	struct arena *a;
	struct automaton_use use;
	uint32_t *neighbours_of, *neighbours; /* element -> its neighbours, as arcs_of */
	/* Neighbours that mean: a match begins or ends here. */
	uint32_t stop_here, stop_border;
	struct hashmap known;	/* members as text -> state + 1 */
	VEC(element_list) sets; /* of the states */
	VEC(uint16_t) next;
	VEC(uint8_t) flags;
	bool too_large;
};

static void members_init(struct members *s, const struct builder *b)
{
	*s = (struct members){ .has = arena_alloc(b->a, b->m->nelements) };
}

static void members_add(const struct builder *b, struct members *s, uint32_t element)
{
	if (!s->has[element]) {
		s->has[element] = 1;
		vec_push(b->a, &s->list, element);
	}
}

static void members_clear(struct members *s)
{
	vec_each(&s->list, i)
		s->has[s->list.data[i]] = 0;
	s->list.count = 0;
}

/* ---- neighbours ---- */

static void link_forwards(struct builder *b)
{
	const struct machine *m = b->m;

	b->neighbours_of = m->arcs_of.data;
	b->neighbours = arena_array(b->a, uint32_t, m->arcs.count + 1);
	vec_each(&m->arcs, i)
		b->neighbours[i] = m->arcs.data[i].to;
}

static void link_backwards(struct builder *b)
{
	const struct machine *m = b->m;
	uint32_t *of = arena_array(b->a, uint32_t, m->nelements + 2);

	b->neighbours = arena_array(b->a, uint32_t, m->arcs.count + 1);
	vec_each(&m->arcs, i)
		of[m->arcs.data[i].to + 2]++;
	for (uint32_t e = 2; e < m->nelements + 2; e++)
		of[e] += of[e - 1];
	for (uint32_t e = 0; e < m->nelements; e++)
		for (uint32_t i = m->arcs_of.data[e]; i < m->arcs_of.data[e + 1]; i++)
			b->neighbours[of[m->arcs.data[i].to + 1]++] = e;
	b->neighbours_of = of;
}

static void add_neighbours(const struct builder *b, struct members *s, uint32_t element)
{
	for (uint32_t i = b->neighbours_of[element]; i < b->neighbours_of[element + 1]; i++)
		members_add(b, s, b->neighbours[i]);
}

/* ---- states ---- */

/*
 * Returns the members as a string of non-zero bytes. The order does not matter: the same
 * step over the same set always gives the same order.
 */
static const char *members_key(const struct builder *b, const struct members *s)
{
	char *key = arena_alloc(b->a, 2 * b->m->nelements + 1), *p = key;

	for (uint32_t e = 0; e < b->m->nelements; e++) {
		if (s->has[e]) {
			*p++ = (char)(0x80 | e >> 7);
			*p++ = (char)(0x80 | (e & 0x7f));
		}
	}
	return key;
}

static uint16_t state_of(struct builder *b, const struct members *s)
{
	const char *key = members_key(b, s);
	size_t known = (size_t)hashmap_get(&b->known, key);
	element_list copy = { 0 };

	if (known)
		return (uint16_t)(known - 1);
	if (b->sets.count >= STATES_MOST || (b->sets.count + 1) * b->m->nclasses > STEPS_MOST) {
		b->too_large = true;
		return 0;
	}
	vec_each(&s->list, i)
		vec_push(b->a, &copy, s->list.data[i]);
	vec_push(b->a, &b->sets, copy);
	hashmap_put(&b->known, key, (void *)b->sets.count);
	return (uint16_t)(b->sets.count - 1);
}

/* Makes the state's steps, class of bytes by class; `to` and `near` are scratch. */
static void make_steps(struct builder *b, size_t state, struct members *near, struct members *to)
{
	const struct machine *m = b->m;
	uint32_t always = b->use.backwards ? machine_end(m) : STP_REGEX_INSIDE;
	element_list set = b->sets.data[state];

	members_clear(near);
	vec_each(&set, i)
		add_neighbours(b, near, set.data[i]);
	vec_push(b->a, &b->flags,
		 (uint8_t)((near->has[b->stop_here] ? STP_REGEX_HERE : 0) |
			   (near->has[b->stop_border] ? STP_REGEX_BORDER : 0)));
	for (unsigned c = 0; c < m->nclasses; c++) {
		members_clear(to);
		vec_each(&near->list, i) {
			uint32_t e = near->list.data[i];

			if (e >= STP_REGEX_CHARACTERS && e < machine_end(m) &&
			    byteset_has(m->sets.data[e - STP_REGEX_CHARACTERS], m->samples[c]))
				members_add(b, to, e);
		}
		/*
		 * A match may begin at every byte: `always` stays a member, unless it
		 * leads nowhere, as in a pattern that begins with '^'. Only a state
		 * without it can be dead.
		 */
		if (b->use.anywhere && state &&
		    b->neighbours_of[always] < b->neighbours_of[always + 1])
			members_add(b, to, always);
		vec_push(b->a, &b->next, state_of(b, to));
	}
}

static uint8_t *make_leads(const struct builder *b)
{
	uint32_t n = b->m->nelements;
	uint8_t *leads = arena_alloc(b->a, (b->sets.count * n + 7) / 8);

	vec_each(&b->sets, state) {
		vec_each(&b->sets.data[state], i) {
			size_t bit = state * n + b->sets.data[state].data[i];

			leads[bit / 8] |= (uint8_t)(1u << (bit % 8));
		}
	}
	return leads;
}

static void make_starts(struct builder *b, struct stp_regex_automaton *ret, struct members *s)
{
	const struct machine *m = b->m;

	members_clear(s);
	state_of(b, s); /* 0: dead */
	if (b->use.backwards) {
		members_add(b, s, machine_end(m));
		ret->start[1] = state_of(b, s);
		members_add(b, s, machine_end_border(m));
		ret->start[0] = state_of(b, s);
	} else {
		members_add(b, s, STP_REGEX_INSIDE);
		ret->start[1] = state_of(b, s);
		members_clear(s);
		members_add(b, s, STP_REGEX_BEGIN);
		ret->start[0] = state_of(b, s);
	}
}

bool automaton_make(const struct machine *m, struct automaton_use use,
		    struct stp_regex_automaton *ret, uint8_t **ret_leads)
{
	struct builder b = { .m = m, .a = m->a, .use = use };
	struct members near, to;

	if (use.backwards)
		link_backwards(&b);
	else
		link_forwards(&b);
	b.stop_here = use.backwards ? STP_REGEX_INSIDE : machine_end(m);
	b.stop_border = use.backwards ? STP_REGEX_BEGIN : machine_end_border(m);
	hashmap_init(&b.known, m->a);
	members_init(&near, &b);
	members_init(&to, &b);
	make_starts(&b, ret, &to);
	for (size_t state = 0; state < b.sets.count && !b.too_large; state++)
		make_steps(&b, state, &near, &to);
	if (b.too_large || (ret_leads && b.sets.count * m->nelements > LEADS_MOST))
		return false;
	ret->next = b.next.data;
	ret->flags = b.flags.data;
	ret->nstates = (uint32_t)b.sets.count;
	if (ret_leads)
		*ret_leads = make_leads(&b);
	return true;
}
