/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun's command line. To add an option: a row in options.c, a member here when it is
 * more than passed on, a paragraph in staprun.8.
 */
#ifndef STAPRUN_OPTIONS_H
#define STAPRUN_OPTIONS_H

#include <stdbool.h>

#define MAX_GIVEN  64
#define MAX_PASSED 64 /* arguments handed on to stapio */

struct options {
	const char *module;   /* path or name */
	char *const *params;  /* NAME=VALUE …, NULL at the end */
	bool remove;	      /* -d */
	bool attach;	      /* -A */
	bool leave;	      /* -L */
	bool background;      /* -D */
	bool rename;	      /* -R */
	const char *given[MAX_GIVEN]; /* parameters from options: -G, -s */
	unsigned ngiven;
	unsigned buffer_mb;   /* -s */
	const char *remote;   /* -r: "N:URI" */
	unsigned namespaces_of; /* -N: a process; 0: staprun's own */
	bool flight;	      /* -F */
	bool command, target, output; /* -c, -x, -o are among the passed */
	unsigned verbose;     /* -v */
	const char *passed[MAX_PASSED];
	unsigned npassed;
};

enum options_result { OPTIONS_RUN, OPTIONS_EXIT, OPTIONS_WRONG };

/* What is wrong has been printed. EXIT: -h or -V has been served. */
enum options_result options_parse(int argc, char **argv, struct options *ret);

#endif
