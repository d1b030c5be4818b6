/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio's command line. staprun writes it; people use staprun's. To add an option: a row
 * in options.c, here, and in stapio.8.
 */
#ifndef STAPIO_OPTIONS_H
#define STAPIO_OPTIONS_H

#include <stdbool.h>

#include "stapio/series.h"
#include "uapi/msg.h"

struct module;

struct options {
	const char *module;  /* name, for messages */
	const char *output;  /* -o, NULL: stdout */
	struct rotation rotation; /* -S, --compress */
	bool bulk;	     /* -b */
	bool keep_raw;	     /* -M */
	int ready;	     /* --ready, -1: none */
	bool attach;	     /* -A */
	bool leave;	     /* -L */
	long timeout;	     /* --timeout, seconds, 0: none */
	long wait_ms;	     /* -T, 0: as it is */
	enum stp_on_full on_full; /* --on-full */
	bool on_full_given;
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
