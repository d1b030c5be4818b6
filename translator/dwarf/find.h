/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Patterns of places in the code, "FUNCTION[@FILE][:LINES]", and the matching places in
 * one debug file.
 *
 *   vfs_*                 functions by name, with wildcards
 *   geo::Box::grow        C++: in this class of this namespace; grow alone is one of any
 *                         class, grow(int) one of several overloads
 *   vfs_read@read_write.c declared in that file: the end of a path, from a '/' on, with
 *                         wildcards
 *   vfs_read@fs/r*.c:450  lines: 450 · 450-460 · 450,455-460 · *
 *   vfs_read+3            lines counted from the function's declaration
 */
#ifndef STAP_DWARF_FIND_H
#define STAP_DWARF_FIND_H

#include "dwarf/dwarf.h"
#include "program/executable.h"

struct arena;

struct line_range {
	unsigned first, last;
};

struct dwarf_pattern {
	const char *text;
	const char *function;
	const char *scope;	      /* "Class" of "Class::f", or NULL */
	const char *parameters;	      /* "(int)" of "f(int)", or NULL */
	const char *file;	      /* NULL: any */
	bool relative;		      /* lines count from the function's declaration */
	VEC(struct line_range) lines; /* empty: the function itself is meant */
};
struct error *dwarf_pattern_parse(struct session *s, const char *text, struct dwarf_pattern *ret);
/* True: the line, counted as the pattern counts, is one of its lines. */
bool dwarf_pattern_has(const struct dwarf_pattern *p, long line);

/* The copies of a function to find. */
enum {
	FIND_CALLED = 1,
	FIND_INLINED = 2,
	FIND_EXTERNAL = 4, /* only those called copies that are visible to other files */
	FIND_NEAREST = 8,  /* a line without code means the next line with code */
	FIND_RESTS = 16,   /* also called copies of which only the rest is a function */
};

/*
 * Finds the entries of the functions; only of those that hold one of the lines, when
 * lines are given. ERROR_ABSENT: there are none; the text has similar names.
 */
struct error *dwarf_find_functions(struct session *s, struct dwarf_file *f,
				   const struct dwarf_pattern *p, unsigned copies,
				   dwarf_places *ret);
/*
 * Finds the first address of each line in each copy. With `nearest`, a line without code
 * means the next line with code.
 */
struct error *dwarf_find_statements(struct session *s, struct dwarf_file *f,
				    const struct dwarf_pattern *p, bool nearest, dwarf_places *ret);
/*
 * Appends the labels in the copies whose entries are given. ERROR_ABSENT: there are none.
 */
struct error *dwarf_find_labels(struct session *s, const dwarf_places *functions, const char *glob,
				dwarf_places *ret);

/*
 * Lists the parts of the code that contains the place: of the function, including code
 * that is inlined into it. Nothing: they are not known.
 */
void dwarf_code(struct session *s, const struct dwarf_place *p, code_ranges *ret);
/* True: exceptions, or panics, of the function's language may end a call of it. */
bool dwarf_throws(const struct dwarf_place *p);

/* A call from a function whose target is known when the program is linked. */
struct dwarf_call {
	/* entry of the called function, or of its copy inlined into the caller */
	struct dwarf_place callee;
	struct dwarf_place from; /* entry of the caller */
	code_ranges caller;	 /* callee not inlined: the code that it returns to */
};
typedef VEC(struct dwarf_call) dwarf_calls;
/*
 * Finds the calls from the functions, and from the functions that they call, `depth`
 * levels deep; each once. ERROR_ABSENT: there are none.
 */
struct error *dwarf_find_callees(struct session *s, const dwarf_places *functions, const char *glob,
				 unsigned depth, unsigned copies, dwarf_calls *ret);

/*
 * Finds the place at an address of the file. ERROR_ABSENT: no function with debuginfo is
 * there.
 */
struct error *dwarf_find_address(struct session *s, struct dwarf_file *f, uint64_t address,
				 struct dwarf_place *ret);

/*
 * Returns "vfs_read@fs/read_write.c:450", or only the function if its source is unknown.
 */
const char *dwarf_place_text(struct arena *a, const struct dwarf_place *p);
/* Returns "vfs_read", "geo::Box<int>::grow". */
const char *dwarf_place_function(struct arena *a, const struct dwarf_place *p);

/* Moves the place to the entry of the copy that it is in. */
struct error *dwarf_place_entry(struct session *s, struct dwarf_place *p);
/*
 * Returns the function's symbol in the file, or "" if it has none. The symbol
 * distinguishes names with a compiler's suffix (".isra.0").
 */
const char *dwarf_place_symbol(struct session *s, const struct dwarf_place *p);
/*
 * Moves the place after a function's first instructions if the code was not optimised:
 * they store the parameters on the stack, where debuginfo expects them. Not for kernel
 * functions: ftrace probes them at their entry, so the place must be the entry.
 */
void dwarf_skip_prologue(struct session *s, struct dwarf_place *p);

#endif
