/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stapio's command line. staprun writes it; people use staprun's. To add an option: a row in options.c, here,
 * and in stapio.8. */
#ifndef STAPIO_OPTIONS_H
#define STAPIO_OPTIONS_H

#include <stdbool.h>

#include "stapio/rotate.h"

struct module;

struct options {
	const char *module;  /* name, for messages */
	const char *output;  /* -o, NULL: stdout */
	struct rotation rotation; /* -S, --compress */
	bool bulk;	     /* -b */
	bool keep_raw;	     /* -M */
	const char *command; /* -c */
	long target;	     /* -x, 0: none */
	bool print_books;    /* -t */
	bool strict;	     /* --strict */
	bool json;	     /* --json */
	bool no_warnings;    /* -w */
	unsigned verbose;    /* -v */
};

enum options_result { OPTIONS_RUN, OPTIONS_EXIT, OPTIONS_WRONG };

/* --fds goes to m. What is wrong has been printed. EXIT: -h or -V has been served. */
enum options_result options_parse(int argc, char **argv, struct options *ret, struct module *m);

#endif
