/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns that aim at places in the code, "FUNCTION[@FILE][:LINES]", and the places in
 * one debug file that they mean.
 *
 *   vfs_*                 functions by name, with wildcards
 *   geo::Box::grow        of C++: in this class of this namespace; grow alone is that of
 *                         any, and grow(int) one of several
 *   vfs_read@read_write.c declared in that file: a path's end, from a '/' on, with
 *   wildcards
 *   vfs_read@fs/r*.c:450  lines: 450 · 450-460 · 450,455-460 · *
 *   vfs_read+3            lines counted from the function's declaration
 */
#ifndef STAP_DWARF_FIND_H
#define STAP_DWARF_FIND_H

#include "dwarf/dwarf.h"

struct arena;

struct line_range {
	unsigned first, last;
};

struct dwarf_pattern {
	const char *text;
	const char *function;
	const char *scope;           /* "Class" of "Class::f", or NULL */
	const char *parameters;      /* "(int)" of "f(int)", or NULL */
	const char *file;            /* NULL: any */
	bool relative;               /* lines count from the function's declaration */
	VEC(struct line_range) lines; /* none: the function is meant */
};
struct error *dwarf_pattern_parse(struct session *s, const char *text, struct dwarf_pattern *ret);

/* Which copies of a function are meant. */
enum {
	FIND_CALLED = 1,
	FIND_INLINED = 2,
	FIND_EXTERNAL = 4, /* of those called, the ones seen from other files */
	FIND_NEAREST = 8,  /* a line without code stands for the next that has some */
};

/*
 * Entries of the functions: of those that hold one of the lines, when
 * there are any. ERROR_ABSENT: none; the text says what is near.
 */
struct error *dwarf_find_functions(struct session *s, struct dwarf_file *f,
				   const struct dwarf_pattern *p, unsigned copies,
				   dwarf_places *ret);
/*
 * The first address of each line in each copy. With `nearest`,
 * a line without code stands for the next that has some.
 */
struct error *dwarf_find_statements(struct session *s, struct dwarf_file *f,
				    const struct dwarf_pattern *p, bool nearest, dwarf_places *ret);
/*
 * Labels in the copies that the places are the
 * entries of; appended. ERROR_ABSENT: there are none.
 */
struct error *dwarf_find_labels(struct session *s, const dwarf_places *functions, const char *glob,
				dwarf_places *ret);

/* One call from a function that is known when the program is linked. */
struct code_range {
	uint64_t begin, end;
};
struct dwarf_call {
	struct dwarf_place callee;      /* its entry, or that of the copy inlined into the caller */
	struct dwarf_place from;        /* the caller's */
	VEC(struct code_range) caller;  /* callee not inlined: the code that it returns to */
};
typedef VEC(struct dwarf_call) dwarf_calls;
/*
 * Calls from the functions, and from what those call, `depth`
 * levels deep; each once. ERROR_ABSENT: there are none.
 */
struct error *dwarf_find_callees(struct session *s, const dwarf_places *functions, const char *glob,
				 unsigned depth, unsigned copies, dwarf_calls *ret);

/*
 * The place at an address of the file. ERROR_ABSENT: no function with debuginfo is there.
 */
struct error *dwarf_find_address(struct session *s, struct dwarf_file *f, uint64_t address,
				 struct dwarf_place *ret);

/* "vfs_read@fs/read_write.c:450"; the function alone where no source is known. */
const char *dwarf_place_text(struct arena *a, const struct dwarf_place *p);
/* "vfs_read", "geo::Box<int>::grow" */
const char *dwarf_place_function(struct arena *a, const struct dwarf_place *p);

/* The place becomes the entry of the copy that it is in. */
struct error *dwarf_place_entry(struct session *s, struct dwarf_place *p);
/*
 * The function's symbol in the file, "" when it has none: names
 * with a compiler's suffix (".isra.0") are told apart by it.
 */
const char *dwarf_place_symbol(struct session *s, const struct dwarf_place *p);
/*
 * In code that was not optimised, parameters stand on the stack, where the first
 * instructions put them: the place moves behind those. Of use where the first instruction
 * has no other merit (kernel functions are entered through ftrace, which the place at
 * their entry tells).
 */
void dwarf_skip_prologue(struct session *s, struct dwarf_place *p);

#endif
