/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The elaborated script, on which the passes after parsing work. It contains only the
 * parts that are reachable from a probe.
 *
 *   parse     -> user units
 *   elaborate -> probes (one `struct derived` per concrete point, bodies cloned where
 *                target variables differ), globals, functions, embeds
 *   infer     -> types on nodes, symbols, functions
 *   emit      -> C
 */
#ifndef STAP_PROGRAM_H
#define STAP_PROGRAM_H

#include <stdbool.h>

#include "ast/node.h"
#include "lib/hashmap.h"
#include "lib/vec.h"

struct probe_family;

/* A body that runs at one or more concrete points. */
struct handler {
	struct node *body;
	struct loc loc;		     /* of the user's probe */
	VEC(struct symbol *) locals; /* by sem/resolve */
	/* its name in C: handler_INDEX; handlers with equal code share one */
	unsigned index;
	unsigned row; /* … each with its own constants: a row of rows_INDEX */
	/*
	 * Return probes: expressions evaluated at entry (@entry, $param), one 64-bit slot
	 * each; ENTRY nodes and ACCESS_SAVED refer to them by position.
	 */
	VEC(struct node *) saved;
	/* the only point of a body that depends on its point, or NULL */
	struct derived *point;
	/* Functions that use target variables, copied for this point. */
	VEC(struct function *) clones;
	VEC(struct symbol *) entry_locals;
	VEC(struct derived *) counters; /* counters that @perf reads here */
	/* Variables that its aliases set, in the order of the aliases. */
	VEC(const char *) offered;
	/* The point, if there are such aliases; the first of several points. */
	const char *pn;
	/* The probe's point is invalid: the body is only checked for further mistakes. */
	bool lacks_point;
	bool repeats; /* by module/programreads.c: of some of its points */
	/*
	 * by module/pagesahead.c: the first statement that lasts, and the addresses of
	 * the program that are touched before it
	 */
	struct node *lasting;
	VEC(struct node *) ahead;
};

/* One concrete probe point. */
struct derived {
	const struct probe_family *family;
	struct handler *handler;
	/*
	 * It is one of several places: it is left out if it lacks a variable that the
	 * body uses.
	 */
	bool may_lack;
	const char *lacks; /* … and this names the variable that it lacks; or NULL */
	const struct node *lacking;
	const char *pp;		/* the point as resolved: pp() */
	const char *pn;		/* as the user wrote it: pn() */
	const char *derivation; /* how it was derived: "begin" or "end  <- mine = end  <- mine" */
	struct loc loc;		/* the point in the script, with the chain of aliases in via */
	const char *pfunc;	/* function name for ppfunc()/probefunc(), or NULL */
	const char *no_entry;	/* of a return: why there are no values of the entry, or NULL */
	const char *pmodule;	/* "kernel" or a module, or NULL */
	/*
	 * by module/registers.c: it reads registers that ftrace does not save by default
	 */
	bool reads_registers;
	bool reads_place;	  /* by the same: it may read its own address */
	unsigned reads_arguments; /* … bits of the arguments; 1 << 7: the result */
	bool repeats;		/* by module/programreads.c: it may wait for pages of the program */
	bool unfiltered;	/* by module/filterscope.c: hits of all tasks count */
	bool in_module;		/* its symbol is one of a module of the kernel */
	bool is_matched;	/* a function of the kernel that a pattern found, not its name */
	bool of_call;		/* int_arg() etc. return a system call's arguments */
	bool of_go;		/* int_arg() etc. use Go's registers */
	bool ends_call;		/* the return of a system call */
	bool begins_waiting;	/* … whose entry may wait for pages, by module/programreads.c */
	struct node *condition; /* all `if (…)` of the chain ANDed, or NULL */
	void *data;		/* the family's own */
	unsigned index;
};

struct linkparts;

struct program {
	VEC(struct unit *) units;	  /* the user's: FILE or -e first, then -E */
	VEC(struct unit *) library;	  /* tapset files that were pulled in */
	VEC(struct symbol *) globals;	  /* used ones, index = position */
	VEC(struct function *) functions; /* used ones */
	VEC(struct handler *) handlers;
	VEC(struct derived *) probes;
	VEC(struct node *) dropped; /* removed code: ast/deadcode.h */
	VEC(struct node *) embeds;  /* top-level C, library's first, in order of use */
	/*
	 * name -> struct function (first of its overloads): the user's, and the library's
	 * that are used
	 */
	struct hashmap function_names;
	struct hashmap global_names;	  /* name -> struct symbol */
	struct hashmap unknown_functions; /* names that were reported */
	struct hashmap reported;	  /* messages about types and uses, by their places */
	struct linkparts *linkparts;	  /* the parts that the C file needs: emit/linkparts.h */
};

struct program *program_create(struct arena *a);

#endif
