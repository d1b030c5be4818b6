/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts trees to elements and arcs, in two steps. The first makes a graph of places; a
 * place reads a byte, forks, passes a group boundary or requires a border. The second
 * walks, for each element, from the place after it over all places that read nothing. The
 * walk takes the preferred branch first and visits no place twice, which also ends loops
 * around nothing.
 */
#include "regex/elements.h"

#include <string.h>

#include "lib/arena.h"

/* Limits of the translator's work and of the tables' size. */
enum { PLACES_MOST = 10000, ELEMENTS_MOST = 2000, ARCS_MOST = 20000, BOUNDARIES_MOST = 60000 };

struct place {
	enum { PLACE_READ, PLACE_FORK, PLACE_BOUNDARY, PLACE_BEGIN, PLACE_END, PLACE_DONE } kind;
	/* other: FORK's second choice; READ: its element; BOUNDARY: its number */
	uint32_t next, other;
};

struct maker {
	struct machine *m;
	VEC(struct place) places;
	bool groups;
	/*
	 * the repetition being copied: the error names it if the pattern becomes too
	 * large
	 */
	const struct tree *repeat;
	bool too_large;
	/* the walk */
	uint32_t *seen; /* place, border required -> number of the walk that was there */
	uint32_t walk;
	VEC(uint8_t) passed; /* boundaries on the way */
};

static uint32_t place_new(struct maker *mk, int kind, uint32_t next, uint32_t other)
{
	struct place p = { .kind = kind, .next = next, .other = other };

	if (mk->places.count >= PLACES_MOST) {
		mk->too_large = true;
		return 0;
	}
	vec_push(mk->m->a, &mk->places, p);
	return (uint32_t)mk->places.count - 1;
}

/* ---- the graph: each function returns the entry of t, where `next` follows t ---- */

static uint32_t graph(struct maker *mk, const struct tree *t, uint32_t next);

static uint32_t graph_repeat(struct maker *mk, const struct tree *t, uint32_t next)
{
	const struct tree *outer = mk->repeat;
	int least = t->least;

	mk->repeat = t;
	if (t->most == REGEX_FOREVER) {
		uint32_t loop = place_new(mk, PLACE_FORK, 0, next), body = graph(mk, t->left, loop);

		if (!mk->too_large)
			mk->places.data[loop].next = body;
		next = least ? body : loop;
		least -= least > 0;
	} else {
		/*
		 * x{2,4} is xx(x(x)?)?: leaving one copy out leaves out all that follow.
		 */
		uint32_t exit = next;

		for (int i = least; i < t->most && !mk->too_large; i++)
			next = place_new(mk, PLACE_FORK, graph(mk, t->left, next), exit);
	}
	for (int i = 0; i < least && !mk->too_large; i++)
		next = graph(mk, t->left, next);
	if (!mk->too_large)
		mk->repeat = outer;
	return next;
}

static uint32_t graph_set(struct maker *mk, const struct tree *t, uint32_t next)
{
	uint32_t element = STP_REGEX_CHARACTERS + (uint32_t)mk->m->sets.count;

	if (mk->m->sets.count >= ELEMENTS_MOST) {
		mk->too_large = true;
		return 0;
	}
	vec_push(mk->m->a, &mk->m->sets, &t->set);
	return place_new(mk, PLACE_READ, next, element);
}

static uint32_t graph(struct maker *mk, const struct tree *t, uint32_t next)
{
	uint32_t first;

	if (mk->too_large)
		return 0;
	switch (t->kind) {
	case TREE_EMPTY:
		return next;
	case TREE_SET:
		return graph_set(mk, t, next);
	case TREE_BEGIN:
		return place_new(mk, PLACE_BEGIN, next, 0);
	case TREE_END:
		return place_new(mk, PLACE_END, next, 0);
	case TREE_SEQUENCE:
		return graph(mk, t->left, graph(mk, t->right, next));
	case TREE_ALTERNATIVE:
		first = graph(mk, t->left, next);
		return place_new(mk, PLACE_FORK, first, graph(mk, t->right, next));
	case TREE_REPEAT:
		return graph_repeat(mk, t, next);
	case TREE_GROUP:
		if (!mk->groups)
			return graph(mk, t->left, next);
		next = place_new(mk, PLACE_BOUNDARY, next, 2 * t->number + 1);
		return place_new(mk, PLACE_BOUNDARY, graph(mk, t->left, next), 2 * t->number);
	}
	return next;
}

/* ---- the walks ---- */

static void add_arc(struct maker *mk, uint32_t to)
{
	struct machine *m = mk->m;
	struct stp_regex_arc arc = { .to = (uint16_t)to,
				     .count = (uint16_t)mk->passed.count,
				     .first = (uint32_t)m->boundaries.count };

	if (m->arcs.count >= ARCS_MOST ||
	    m->boundaries.count + mk->passed.count > BOUNDARIES_MOST) {
		mk->too_large = true;
		return;
	}
	vec_each(&mk->passed, i)
		vec_push(m->a, &m->boundaries, mk->passed.data[i]);
	vec_push(m->a, &m->arcs, arc);
}

/*
 * inside: a byte comes before this place, so '^' does not match. border: '$' was
 * required, so nothing more can be read.
 */
static void walk(struct maker *mk, uint32_t at, bool inside, bool border)
{
	while (!mk->too_large) {
		const struct place *p = &mk->places.data[at];
		uint32_t *seen = &mk->seen[2 * at + border];

		if (*seen == mk->walk)
			return;
		*seen = mk->walk;
		switch (p->kind) {
		case PLACE_READ:
			if (!border)
				add_arc(mk, p->other);
			return;
		case PLACE_DONE:
			add_arc(mk, border ? machine_end_border(mk->m) : machine_end(mk->m));
			return;
		case PLACE_BOUNDARY:
			vec_push(mk->m->a, &mk->passed, (uint8_t)p->other);
			walk(mk, p->next, inside, border);
			mk->passed.count--;
			return;
		case PLACE_FORK:
			walk(mk, p->next, inside, border);
			at = p->other;
			continue;
		case PLACE_BEGIN:
			if (inside)
				return;
			break;
		case PLACE_END:
			border = true;
			break;
		}
		at = p->next;
	}
}

static void walk_from(struct maker *mk, uint32_t place, bool inside)
{
	mk->walk++;
	vec_push(mk->m->a, &mk->m->arcs_of, (uint32_t)mk->m->arcs.count);
	walk(mk, place, inside, false);
}

static void walk_all(struct maker *mk, uint32_t start)
{
	struct machine *m = mk->m;
	uint32_t *behind = arena_array(m->a, uint32_t, m->nelements);

	vec_each(&mk->places, i)
		if (mk->places.data[i].kind == PLACE_READ)
			behind[mk->places.data[i].other] = mk->places.data[i].next;
	mk->seen = arena_array(m->a, uint32_t, 2 * mk->places.count);
	walk_from(mk, start, false);
	walk_from(mk, start, true);
	for (uint32_t e = STP_REGEX_CHARACTERS; e < machine_end(m) && !mk->too_large; e++)
		walk_from(mk, behind[e], true);
	/* No arcs leave the two ends; the third entry bounds the arcs of the last one. */
	for (int i = 0; i < 3; i++)
		vec_push(m->a, &m->arcs_of, (uint32_t)m->arcs.count);
}

/* ---- classes of bytes ---- */

/*
 * Splits each class that is partly in the set; classes are numbered by their first bytes.
 */
static void split_classes(struct machine *m, const struct byteset *set)
{
	int numbers[2 * 256];

	memset(numbers, -1, sizeof(numbers));
	m->nclasses = 0;
	for (unsigned b = 0; b < 256; b++) {
		int *number = &numbers[2 * m->classes[b] + byteset_has(set, b)];

		if (*number < 0) {
			*number = (int)m->nclasses;
			m->samples[m->nclasses++] = (unsigned char)b;
		}
		m->classes[b] = (uint8_t)*number;
	}
}

bool elements_make(struct machine *m, struct arena *a, struct tree *t, bool groups,
		   struct regex_error *ret_error)
{
	struct maker mk = { .m = m, .groups = groups };
	uint32_t start;

	*m = (struct machine){ .a = a };
	start = graph(&mk, t, place_new(&mk, PLACE_DONE, 0, 0));
	if (!mk.too_large) {
		m->nelements = machine_end_border(m) + 1;
		walk_all(&mk, start);
	}
	if (mk.too_large) {
		*ret_error = (struct regex_error){
			.text = "this makes the pattern too large; repeat less"
		};
		if (mk.repeat) {
			ret_error->at = mk.repeat->at;
			ret_error->len = mk.repeat->len;
		}
		return false;
	}
	m->nclasses = 1;
	vec_each(&m->sets, i)
		split_classes(m, m->sets.data[i]);
	return true;
}
