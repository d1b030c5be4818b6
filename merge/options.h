/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap-merge's command line. */
#ifndef MERGE_OPTIONS_H
#define MERGE_OPTIONS_H

#include <stdbool.h>

#include "merge/mergeform.h"
#include "trace/series.h"
#include "trace/moment.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_LOST = 5 };

struct options {
	const char *output;
	const char *sink; /* KIND:WHERE of --to */
	const char *vmcore;
	struct rotation rotation;
	struct moment from, to_time;
	int stored; /* the descriptor of --stored, or -1 */
	bool has_from, has_to_time;
	unsigned asked;	     /* forms, a bit each */
	enum mergeform form; /* the first of them */
	char **names;	     /* of files, "-", or of a module */
	unsigned count;
	bool books, strict, verbose, no_warnings;
};

/* Parses the arguments. Returns an exit status; -1: go on. */
int options_parse(int argc, char **argv, struct options *o);

#endif
