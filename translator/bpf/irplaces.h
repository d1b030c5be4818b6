/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of intermediate code: lines of the script's C that it was made from. clang notes
 * them in metadata, together with the functions that were inlined. Here each instruction
 * gets one line: the innermost one that is a statement of the script. The object has
 * these lines in its section .BTF.ext.
 */
#ifndef BPF_IRPLACES_H
#define BPF_IRPLACES_H

#include <stdbool.h>

#include "lib/strbuf.h"
#include "lib/vec.h"

struct arena;
struct clines;

struct irplaces {
	struct arena *a;
	const struct clines *lines;
	VEC(const char *) nodes;   /* clang's, by number: the text after "!5 = " */
	struct strbuf made;	   /* text of new nodes */
	unsigned next;		   /* number of a new node */
	unsigned file, unit, type; /* numbers of nodes; type 0: not made yet */
	unsigned function;	   /* node of the function that is being read; 0: none */
	VEC(unsigned) known;	   /* its lines and their nodes, in turn */
};

/* Without lines, no instruction gets a place. */
void irplaces_begin(struct irplaces *p, struct arena *a, const struct clines *lines,
		    const char *module);
/*
 * Begins a function. Returns its definition's part about places; "": the function's text,
 * which begins with `body`, has none.
 */
const char *irplaces_function(struct irplaces *p, const char *name, const char *body);
/* Returns an instruction's part about its place; calls need one. */
const char *irplaces_of(struct irplaces *p, const char *line, bool is_call);
/* Returns the instruction without clang's part about its place. */
const char *irplaces_without(struct irplaces *p, const char *line);

#endif
