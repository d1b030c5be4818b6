/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The session: all state of one run of stap. It is the first argument of nearly every
 * function. It holds pointers to types that only their own layer knows, so it can be in
 * the lowest layer. Mutable globals are exceptions: data that signal handlers share with
 * the program, the terminal, facts that a process determines once, and buffers too large
 * for a stack. tests/cli/exports.sh has the list.
 */
#ifndef STAP_SESSION_H
#define STAP_SESSION_H

#include <stdbool.h>
#include <sys/types.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/demangle.h"

#define SESSION_REPORTED  8  /* errors whose texts are kept */
#define SESSION_ARGUMENTS 64 /* arguments of the script whose use is noted */

struct arch; /* arch/arch.h */
struct arena;
struct colors;	      /* base/color.h */
struct diag_listener; /* base/diag.h */
struct guard;
struct options; /* base/options.h: the parsed command line */
struct unit;	/* ast/node.h: one parsed file */
struct program; /* ast/program.h: the elaborated script */
struct unit;
struct tapset; /* sem/tapset.h: index of the library */
struct hashmap;
struct macros; /* parse/macro.h: the library's macros */
struct kernel; /* kernel/kernel.h: facts of the target kernel */

struct session {
	struct arena *arena;
	const struct options *options;
	struct program *program;
	struct tapset *tapset;
	struct unit *new_calls; /* sem/newcalls.h; NULL: not needed yet */
	struct macros *macros;
	const struct arch *arch; /* of the target; arch_of() if there is none yet */
	struct kernel *kernel;	 /* NULL until kernel_open(); stays NULL with --runtime=user */

	struct hashmap *headers;     /* types/headers.c: types of C headers, by their names */
	struct hashmap *executables; /* program/executable.c: programs opened so far, by path */
	struct demangler demangler;  /* names of C++ */
	struct hashmap *debuginfo;   /* dwarf/debugfile.c: debuginfo so far, by path or module */

	/* Holds tapset/ and runtime/: the source tree, or PREFIX/share/stap. */
	const char *data_dir;
	const char *bin_dir;	   /* holds staprun, stapio */
	char *tmp_dir;		   /* removed at the end unless -k */
	const struct guard *guard; /* guard.h: removes it; NULL: it is not removed */

	uint64_t arguments_used; /* bit N - 1: the script uses its argument N */
	unsigned errors;	 /* counted by diag_error() */
	unsigned failures;	 /* errors about things missing on this machine */
	unsigned warnings;
	bool quiet; /* nothing is reported or counted */
	/* Bit set of enum diag_page: pages that explain what was reported. */
	unsigned pages;
	/* The texts of the first errors; the argument of --explain for them, or NULL. */
	const char *reported[SESSION_REPORTED];
	const char *explained;
	struct diag_listener *listener; /* NULL: messages are printed */
	/* NULL: stderr is not a terminal, NO_COLOR is set, or --color=never */
	const struct colors *colors;
	/* the note that inlined copies of functions are unknown was given */
	bool copies_said;
	/*
	 * Warnings given so far, by place and text, because a body may be checked once
	 * for each probe point.
	 */
	struct hashmap *said;
	void *decisions; /* ast/decisions.c: what was decided by the kernel; NULL: nothing */
};

#endif
