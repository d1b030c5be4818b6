/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The served scripts and their runs: stap is started when a caller requests a script, and
 * ended when there was no request for some time. The server's threads call these
 * functions.
 */
#ifndef EXPORTER_RUNS_H
#define EXPORTER_RUNS_H

#include <stdbool.h>
#include <stddef.h>

struct text;

struct runs_options {
	const char *dir;    /* of scripts; NULL: there is one, in `words` */
	const char *name;   /* of that one */
	char *const *words; /* for stap, until NULL */
	const char *stap, *staprun;
	unsigned keepalive; /* seconds; 0: for ever */
	unsigned patience;  /* seconds that a request waits for a script to begin */
};

enum runs_result {
	RUNS_OK,
	RUNS_UNKNOWN, /* there is no such script */
	RUNS_NOT_YET, /* it is being started */
	RUNS_FAILED,  /* it has ended by itself, or its state cannot be read */
	RUNS_RESULTS
};

/* Starts the thread that supervises the runs. False with a message. */
bool runs_begin(const struct runs_options *o);
/* Ends all runs, and waits for them. */
void runs_end(void);
/*
 * Adds the metrics of a script, which is started if need be; for other results than
 * RUNS_OK, a line that says why.
 */
enum runs_result runs_scrape(const char *name, struct text *ret);
/* Adds the metrics of the exporter itself. */
void runs_self(struct text *ret);
/* Calls fn with the name of each script. */
void runs_each(void (*fn)(void *ctx, const char *name), void *ctx);

#endif
