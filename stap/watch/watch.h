/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of this machine, seen from outside: --status and --stop. */
#ifndef STAP_WATCH_WATCH_H
#define STAP_WATCH_WATCH_H

struct error;
struct session;

/*
 * Serves --status: prints a line for each run, or for the runs that are named all that is
 * known; JSON when --json is given. *status becomes 1 when a run that is named is not
 * there.
 */
struct error *watch_status(struct session *s, int *status);
/*
 * Serves --stop: ends the runs that are named, as ^C would, and waits for their end.
 * *status becomes 1 when there are none, or one could not be ended.
 */
struct error *watch_stop(struct session *s, int *status);

#endif
