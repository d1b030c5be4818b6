/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes, one row each in pass.c: the function that runs, the output of -pN, the text
 * of -v. The driver stops after a pass with errors.
 */
#ifndef STAP_PASS_H
#define STAP_PASS_H

#include <stdbool.h>

struct session;
struct error;

/* The results that a pass leaves for the next. */
struct passes {
	bool keep;	     /* -m leaves a copy of the module */
	const char *c_text;  /* pass 3 */
	const char *program; /* pass 4: the module, or the program of --runtime=user */
	int status;	     /* pass 5: exit status of the run */
};

/*
 * Runs the passes that the options ask for. *status is the exit status if there is no
 * error.
 */
struct error *passes_run(struct session *s, int *status);

/*
 * Runs the first four: *program is the module or program that they have made. Several may
 * be built at the same time, so -m does not make a copy.
 */
struct error *passes_build(struct session *s, const char **program);

/* Copies the module into the current directory as -m NAME says; *program is the copy. */
struct error *passes_keep(struct session *s, const char **program);

/*
 * Run the first two, for their reports. The second can run after errors of the first, on
 * the parts that the parser has recovered, when there is a kernel; passes_check() ends
 * there.
 */
struct error *passes_check(struct session *s);
struct error *passes_parse(struct session *s);
struct error *passes_elaborate(struct session *s);

#endif
