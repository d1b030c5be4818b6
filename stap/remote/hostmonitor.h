/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --monitor with --remote: the screen of stap/watch, with rows of all machines. Their
 * streams bring the books every few seconds; the loop of remote.c draws and takes keys.
 * All text for the terminal is shown in the part for output: the output of the runs, and
 * messages, which are written to a file in place of standard error.
 */
#ifndef STAP_REMOTE_HOSTMONITOR_H
#define STAP_REMOTE_HOSTMONITOR_H

#include "stap/remote/fleet.h"

/* Sets up, where --monitor is given. */
struct error *hostmonitor_init(struct remote *r);
/* True: the output of the runs is for the screen. */
bool hostmonitor_takes(const struct remote *r);
void hostmonitor_put(struct remote *r, const char *text, size_t len);
/* The machine has sent its books, which h->from has. */
void hostmonitor_look(struct remote *r, struct host *h);
/*
 * Draws, and opens the screen when nobody can be asked for a password any more. Returns
 * when to call this again, a time of fleet_now(); -1: no screen is wanted.
 */
int64_t hostmonitor_draw(struct remote *r);
/* Takes the keys that were pressed. */
void hostmonitor_keys(struct remote *r);
/* Returns the descriptor that keys come from, or -1. */
int hostmonitor_input(const struct remote *r);
/* Gives the terminal back, with the newest lines of the output on it. */
void hostmonitor_close(struct remote *r);

#endif
