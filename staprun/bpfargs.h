/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the command line of a program of --runtime=bpf (runtime/user/main.c) from
 * staprun's. To let such programs have an option: a row in bpfargs.c.
 */
#ifndef STAPRUN_BPFARGS_H
#define STAPRUN_BPFARGS_H

#include <limits.h>
#include <stdbool.h>

#include "staprun/options.h"

#define BPFARGS_MOST (2 * MAX_PASSED + MAX_GIVEN + 16)

struct load;

struct bpfargs {
	const char **words; /* NULL at the end */
	unsigned count, room;
	char numbers[4][16];   /* descriptors */
	char output[PATH_MAX]; /* -o, without conversions */
	char script[201];      /* its name, for --status */
	char merge[PATH_MAX];  /* the program for --to and --json */
	bool leaves;	       /* without a reader: -o is not opened */
};

/* Descriptors that the program gets; 0: none. */
struct bpfargs_descriptors {
	int environment, ready, cgroup;
};

/*
 * Prints errors: an option that has no meaning for programs, a parameter that the script
 * does not have.
 */
bool bpfargs_make(struct bpfargs *a, const struct options *o, struct load *l,
		  const struct bpfargs_descriptors *d);
/* The same for -A: the options about the output of the run of that name. */
bool bpfargs_make_reader(struct bpfargs *a, const struct options *o, const char *name);

#endif
