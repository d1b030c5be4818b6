/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes tables as C: arrays named NAME_SUFFIX, then the struct that refers to them. */
#include <inttypes.h>

#include "base/writer.h"
#include "core/regex.h"
#include "lib/arena.h"
#include "regex/regex.h"

enum { NUMBERS_A_LINE = 24 };

/* Writes numbers one after the other, from an array of elements of `size` bytes. */
static void write_numbers(struct writer *w, const char *type, const char *name, const char *what,
			  const void *data, size_t size, size_t count)
{
	writer_line(w, "static const %s %s_%s[] = {", type, name, what);
	for (size_t i = 0; i < count || !i; i++) {
		uint32_t n = i >= count	 ? 0
			     : size == 1 ? ((const uint8_t *)data)[i]
			     : size == 2 ? ((const uint16_t *)data)[i]
					 : ((const uint32_t *)data)[i];

		strbuf_addf(&w->out, "%" PRIu32 ",%s", n,
			    i % NUMBERS_A_LINE == NUMBERS_A_LINE - 1 ? "\n" : "");
	}
	writer_line(w, "\n};");
}

/* Writes the automata that the pattern has: `test`, or the others. */
static void write_tables(struct writer *w, const struct stp_regex *r, const char *name,
			 const char *what, const struct stp_regex_automaton *a)
{
	struct arena *arena = w->out.arena;

	if (!a->nstates)
		return;
	write_numbers(w, "uint16_t", name, arena_printf(arena, "%s_next", what), a->next, 2,
		      (size_t)a->nstates * r->nclasses);
	write_numbers(w, "uint8_t", name, arena_printf(arena, "%s_flags", what), a->flags, 1,
		      a->nstates);
}

static void write_automaton(struct writer *w, const char *name, const char *what,
			    const struct stp_regex_automaton *a)
{
	if (a->nstates)
		writer_line(w, ".%s = { %s_%s_next, %s_%s_flags, %" PRIu32 ", { %u, %u } },", what,
			    name, what, name, what, a->nstates, a->start[0], a->start[1]);
}

static void write_arcs(struct writer *w, const struct stp_regex *r, const char *name)
{
	uint32_t narcs = r->arcs_of[r->nelements], nboundaries = 0;

	writer_line(w, "static const struct stp_regex_arc %s_arcs[] = {", name);
	for (uint32_t i = 0; i < narcs; i++) {
		const struct stp_regex_arc *arc = &r->arcs[i];

		writer_line(w, "{ %u, %u, %" PRIu32 " },", arc->to, arc->count, arc->first);
		nboundaries = arc->first + arc->count;
	}
	writer_line(w, "%s};", narcs ? "" : "{ 0 }");
	write_numbers(w, "uint32_t", name, "arcs_of", r->arcs_of, 4, r->nelements + 1);
	write_numbers(w, "uint8_t", name, "boundaries", r->boundaries, 1, nboundaries);
	write_numbers(w, "uint8_t", name, "leads", r->leads, 1,
		      ((size_t)r->path.nstates * r->nelements + 7) / 8);
}

static const struct {
	const char *name;
	size_t offset;
} automata[] = {
#define AUTOMATON(name)                                                                            \
	{                                                                                          \
#name, offsetof(struct stp_regex, name)                                            \
	}
	AUTOMATON(test),
	AUTOMATON(first),
	AUTOMATON(last),
	AUTOMATON(path),
#undef AUTOMATON
};
#define NAUTOMATA (sizeof(automata) / sizeof(automata[0]))

static const struct stp_regex_automaton *automaton(const struct stp_regex *r, size_t i)
{
	return (const struct stp_regex_automaton *)((const char *)r + automata[i].offset);
}

void regex_write(struct writer *w, const char *name, const struct stp_regex *r)
{
	write_numbers(w, "uint8_t", name, "classes", r->classes, 1, 256);
	for (size_t i = 0; i < NAUTOMATA; i++)
		write_tables(w, r, name, automata[i].name, automaton(r, i));
	if (r->arcs)
		write_arcs(w, r, name);
	writer_open(w, "static const struct stp_regex %s =", name);
	writer_line(w,
		    ".classes = %s_classes, .nclasses = %u, .ngroups = %u, .nelements = %" PRIu32
		    ",",
		    name, r->nclasses, r->ngroups, r->nelements);
	for (size_t i = 0; i < NAUTOMATA; i++)
		write_automaton(w, name, automata[i].name, automaton(r, i));
	if (r->arcs)
		writer_line(w,
			    ".arcs = %s_arcs, .arcs_of = %s_arcs_of, .boundaries = %s_boundaries, "
			    ".leads = %s_leads,",
			    name, name, name, name);
	writer_close(w, ";\n");
}
