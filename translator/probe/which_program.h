/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs and libraries that process("PATH"), process("GLOB"), process("BUILD-ID"),
 * process(PID) and process alone mean, optionally followed by .library("NAME") or
 * .library("GLOB").
 */
#ifndef STAP_PROBE_WHICH_PROGRAM_H
#define STAP_PROBE_WHICH_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "ast/program.h"
#include "program/executable.h"

struct strbuf;

struct program_file {
	struct executable *file; /* the code's file: the program's, or a library's */
	/* of a library: the program that it is probed in; NULL: in all */
	struct executable *user;
	int64_t pid;	    /* only that process, or 0 */
	bool is_matched;    /* by a pattern: there may be others */
	const char *prefix; /* "process(\"/bin/ls\")" */
};
typedef VEC(struct program_file) program_files;

/*
 * Finds the programs that components 0 and on of the point mean; *i becomes the next
 * component. ERROR_ABSENT: there is no such program or library.
 */
struct error *which_program_find(struct session *s, const struct point *p, unsigned *i,
				 program_files *ret);
/*
 * Finds the programs of one component, process("PATH") or process(PID), without
 * libraries.
 */
struct error *which_program_named(struct session *s, const struct component *c, program_files *ret);
/*
 * True: the point has a pattern, which may match several programs; then it is not an
 * error if one of them lacks something.
 */
bool which_program_is_glob(const struct point *p);
/*
 * Emits the fields that all generated points in programs have; `offset` is that of the
 * point in the file.
 */
void which_program_emit(struct strbuf *b, const struct program_file *where, uint64_t offset,
			bool optional);

#endif
