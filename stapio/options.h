/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stapio's command line. staprun writes it; users use staprun's. To add an option: a row
 * in uapi/run_options.def, a member here, set_ID() in options.c unless it is a FLAG, a
 * paragraph in the manual pages.
 */
#ifndef STAPIO_OPTIONS_H
#define STAPIO_OPTIONS_H

#include <stdbool.h>

#include "lib/run_options.h"
#include "stapio/runform.h"
#include "trace/form/streamform.h"
#include "trace/series.h"
#include "uapi/msg.h"

struct module;

struct options {
	const char *module;	  /* name, for messages */
	struct module *files;	  /* --fds */
	const char *output;	  /* -o, NULL: stdout */
	struct rotation rotation; /* -S, --compress */
	bool keep_raw;		  /* -M */
	int ready;		  /* --ready, -1: none */
	bool attach;		  /* -A */
	bool leave;		  /* -L */
	bool has_timeout;
	long timeout;		  /* --timeout, seconds */
	long wait_ms;		  /* -T, 0: as it is */
	enum stp_on_full on_full; /* --on-full */
	bool on_full_given;
	bool waits_for_room; /* --on-disk-full */
	const char *command; /* -c */
	long target;	     /* -x, 0: none */
	bool print_books;    /* -t */
	bool strict;	     /* --strict */
	unsigned asked;	     /* forms, a bit each */
	enum runform form;   /* the run's, of those */
	enum runform joined; /* … and what files of -b become in the end, or the same */
	enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color; /* -C */
	struct streamform_request stream;		      /* --records */
	const char *sink;				      /* KIND:WHERE of --to */
	bool no_warnings;				      /* -w */
	unsigned verbose;				      /* -v */
};

/* --fds goes to m. Prints errors. EXIT: -h or -V was answered. */
enum options_result options_parse(int argc, char **argv, struct options *ret, struct module *m);

#endif
