/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values that the last run of a script left in its globals, for editors: a run of
 * --globals whose script is a file writes them into a file in memory, and stap keeps that
 * in $SYSTEMTAP_DIR/values (~/.systemtap/values), one file for each script, of mode 0600.
 * The file has lines of fields that are separated by tabs:
 *
 *   script PATH      the script's, without links
 *   text HASH        of its text, in hexadecimal
 *   ended SECONDS    since 1970
 *   …                the values: uapi/globals.h
 */
#ifndef STAP_RUN_LASTVALUES_H
#define STAP_RUN_LASTVALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct session;

struct lastvalues {
	const char *text; /* lines of uapi/globals.h among others, which are passed over */
	size_t len;
	int64_t ended;
	bool is_of_text; /* the script has the same text now */
};

/*
 * Opens the file in memory; -1: nobody will ask for the values of this run.
 * A dialogue and a live page have their own.
 */
int lastvalues_open(struct session *s);
/*
 * Keeps the values that the run has written there, if any, and closes the file. Under
 * sudo the kept file is made by and for the user who called sudo. Errors are reported
 * with -v.
 */
void lastvalues_keep(struct session *s, int fd);
/* Reads the whole lines among the first `most` bytes of the file; NULL: none. */
char *lastvalues_read(struct arena *a, int fd, size_t most);
/* Finds the values of the script in that file, which has that text now. */
bool lastvalues_find(struct session *s, const char *path, const char *text, struct lastvalues *ret);

#endif
