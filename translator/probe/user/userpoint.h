/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The request of a point in a program while uprobe_find.c looks for its places, and what
 * all kinds of such points share. A kind is a component after the program, such as
 * .function, and has a file of its own. To add one: a file with its function, and a row
 * in uprobe_find.c.
 */
#ifndef STAP_PROBE_USERPOINT_H
#define STAP_PROBE_USERPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ast/program.h"
#include "dwarf/find.h"
#include "probe/function/suffix.h"
#include "probe/which_program.h"

struct uprobe;

/* A function that an exception may leave, of which not all returns are known. */
struct blind_function {
	const char *name, *why;
	bool is_left_out; /* a pattern matches it; a function named in full is probed */
};

/* The request of a point in the script. */
struct question {
	struct session *s;
	const struct point *p;
	unsigned at; /* component: .function, … */
	struct executable *program;
	const struct program_file *where;
	struct point_suffix suffix;
	bool optional;
	const char *wildcards; /* the pattern of functions, or NULL: they are named in full */
	struct error *refused; /* why a return was left out */
	VEC(struct blind_function) blind;
	derived_list *ret;
};

/* ---- kinds ---- */

/* Each adds the points that the component asks for. ERROR_ABSENT: there are none. */
struct error *userfunction_find(struct question *q, const struct component *c);
struct error *userstatement_find(struct question *q, const struct component *c);
struct error *userslot_find(struct question *q, const struct component *c);

struct error *userstatement_no_code(struct question *q, uint64_t address);

/* ---- points ---- */

/* Returns the suffix as it is written: ".return". */
const char *userpoint_suffix(const struct question *q);
/*
 * Returns the point's text:
 * process("/bin/ls").function("f@x.c:12").callee("g@y.c:7").return, .label("l")
 */
const char *userpoint_text(const struct question *q, const char *kind,
			   const struct dwarf_place *place, const struct dwarf_call *call);
/* Adds a point at the address. kind: "function", …; what: its argument. */
struct uprobe *userpoint_add(struct question *q, const char *kind, const char *what,
			     uint64_t address);
/*
 * Adds a point at a place. call: it counts only when called from there; NULL: from
 * anywhere.
 */
void userpoint_add_place(struct question *q, const char *kind, const struct dwarf_place *place,
			 const struct dwarf_call *call);
void userpoint_add_places(struct question *q, const char *kind, const dwarf_places *places);
/* Moves a probe on a function's beginning to the cheapest place. */
void userpoint_stand(const struct question *q, struct uprobe *u);
/* Names the place like the script, with as many scopes. */
void userpoint_shorten(struct question *q, const char *pattern, struct dwarf_place *p);
void userpoint_shorten_all(struct question *q, const struct dwarf_pattern *pattern,
			   dwarf_places *places);
/* Calls `find` with the text as a pattern, if the program has debuginfo. */
struct error *userpoint_by_debuginfo(struct question *q, const char *text,
				     struct error *(*find)(struct question *q,
							   struct dwarf_file *file,
							   const struct dwarf_pattern *pattern));

#endif
