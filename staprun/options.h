/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun's command line. To add an option: a row in uapi/run_options.def, a paragraph in
 * staprun.8; if it is not only passed on, a member here (FLAG, NOTE) or set_ID() in
 * options.c.
 */
#ifndef STAPRUN_OPTIONS_H
#define STAPRUN_OPTIONS_H

#include <stdbool.h>

#include "lib/run_options.h"

#define MAX_GIVEN  64
#define MAX_PASSED 64 /* arguments passed on to stapio */

struct options {
	const char *module;	      /* path or name */
	char *const *params;	      /* NAME=VALUE …, NULL at the end */
	bool remove;		      /* -d */
	bool status;		      /* --status */
	bool globals;		      /* --globals */
	bool check;		      /* --check */
	bool attach;		      /* -A */
	bool leave;		      /* -L */
	bool background;	      /* -D */
	bool rename;		      /* -R */
	const char *given[MAX_GIVEN]; /* parameters from options: -G, -s */
	unsigned ngiven;
	unsigned buffer_mb;	      /* -s */
	const char *script;	      /* --script, or NULL */
	int values;		      /* --values: a descriptor; 0: none */
	const char *switched;	      /* --switch, or NULL */
	const char *remote;	      /* -r: "N:URI" */
	unsigned namespaces_of;	      /* -N: a process; 0: staprun's own */
	const char *cgroup;	      /* --cgroup: a path, or NULL */
	const char *container;	      /* --container: a name or an id, or NULL */
	bool flight;		      /* -F */
	bool command, target, output; /* -c, -x, -o are among the passed */
	unsigned verbose;	      /* -v */
	const char *passed[MAX_PASSED];
	unsigned npassed;
};

/* Prints errors. EXIT: -h or -V was answered. */
enum options_result options_parse(int argc, char **argv, struct options *ret);

#endif
