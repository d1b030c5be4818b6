/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose code is meant by process("PATH"), process("GLOB"), process("BUILD-ID"),
 * process(PID) and process alone, with .library("NAME") or .library("GLOB") behind it.
 */
#ifndef STAP_PROBE_WHICH_PROGRAM_H
#define STAP_PROBE_WHICH_PROGRAM_H

#include <stdint.h>

#include "ast/program.h"
#include "program/executable.h"

struct program_file {
	struct executable *file;     /* whose code: the program's, or a library's */
	/* of a library: the program that it is probed in; NULL: in all */
	struct executable *user;
	int64_t pid;                 /* of that process alone, or 0 */
	const char *prefix;          /* "process(\"/bin/ls\")" */
};
typedef VEC(struct program_file) program_files;

/*
 * Components 0 and on of the point; *i becomes the one
 * behind. ERROR_ABSENT: there is no such program or library.
 */
struct error *which_program_find(struct session *s, const struct point *p, unsigned *i,
				 program_files *ret);
/* The same of a part process, process("PATH") or process(PID), without libraries. */
struct error *which_program_named(struct session *s, const struct component *c, program_files *ret);
/*
 * The first word of the command of -c, unless the shell has more to say about it: NULL.
 */
const char *which_program_of_command(struct session *s);
/* It is a pattern that may stand for several: what one of them lacks is no error. */
bool which_program_is_glob(const struct point *p);

#endif
