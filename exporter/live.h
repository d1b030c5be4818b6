/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run and its live page: stap runs the script with its output in a pipe, and the values
 * are read as long as there is a reader. The server's threads call the functions for
 * readers.
 */
#ifndef EXPORTER_LIVE_H
#define EXPORTER_LIVE_H

#include <stdbool.h>
#include <stdint.h>

struct text;

struct live_options {
	const char *name;   /* of the script */
	char *const *words; /* for stap, until NULL */
	const char *stap, *staprun;
};

/* The news that a reader has received. */
struct live_seen {
	uint64_t look, line; /* the line: the next one */
	bool is_over;	     /* it knows that the run has ended */
	bool has_begun;
	int64_t sent_ms; /* when the last news went, by CLOCK_MONOTONIC */
};

/* Starts stap. False with a message. */
bool live_begin(const struct live_options *o);
/* Returns whether stap has ended; *status: its exit status, as a shell gives it. */
bool live_has_ended(int *status);
/* Returns whether there was a reader. */
bool live_was_read(void);
/* Interrupts the run, as ^C does. Nothing happens if it has ended. */
void live_interrupt(void);
/* Waits for the end of the run, and gives readers the remaining news. */
int live_end(void);
/* Frees the data of the run, after the server's threads have ended. */
void live_free(void);
/* Called when a reader of live_wait() begins and when it leaves. */
void live_enter(void);
void live_leave(void);
/*
 * Waits for news, for a second at most, and adds them as an object of JSON, that of
 * livestate.h, or of livehosts.h where the run is one of --remote, with
 *
 *   "script":S, "first":N, "lines":[S...]   lines that were printed, from number N
 *                                           on; of --remote, a line begins with its
 *                                           machine's number, "0: ", unless it is JSON
 *   "data":true                             the lines are objects of JSON (stapio.8)
 *   "over":STATUS                           stap has ended
 *
 * False: there will be no more news.
 */
bool live_wait(struct live_seen *seen, struct text *ret);
/*
 * Switches a probe, or "all", on or off: INDEX:on. Of a run of --remote the index is that
 * of the machine of that number, and the probe is switched on all machines. Returns false
 * with the reason: it failed.
 */
bool live_switch(unsigned host, const char *what, struct text *why);

#endif
