/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The passes, one row each in pass.c: what runs, what -pN prints, what -v says. The
 * driver stops after a pass with errors.
 */
#ifndef STAP_PASS_H
#define STAP_PASS_H

struct session;
struct error;

/* What a pass leaves for the next. */
struct passes {
	const char *c_text;  /* 3 */
	const char *program; /* 4: the module, or the program of --runtime=user */
	int status;          /* 5: exit status of the run */
};

/*
 * Runs the passes that the options ask for. *status
 * is the exit status where there is no error.
 */
struct error *passes_run(struct session *s, int *status);

/* The first four: *program is what they have made. */
struct error *passes_build(struct session *s, const char **program);

/* The first two, for what they report. */
struct error *passes_check(struct session *s);

/* --fmt: the script in the usual layout, on standard output. */
struct error *passes_format(struct session *s);

#endif
