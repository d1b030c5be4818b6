/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of many machines in the order of their times. A line waits until every other
 * machine has said something later, but no longer than HOSTMERGE_WAIT: a machine that
 * says nothing, or whose link is slow, holds up nobody. Its lines come late then.
 */
#ifndef STAP_REMOTE_HOSTMERGE_H
#define STAP_REMOTE_HOSTMERGE_H

#include "stap/remote/fleet.h"

#define HOSTMERGE_WAIT 400000000 /* nanoseconds */
/* So much of one machine waits at most; then nothing is read from it. */
#define HOSTMERGE_MOST (16u << 20)

/* Adds a line with its end. time: since 1970, by this machine's clock. */
void hostmerge_add(struct remote *r, struct host *h, int64_t time, const char *text, size_t len);
/*
 * Writes the lines whose turn it is. Returns the time of fleet_now() when there will be
 * more, -1: nothing waits.
 */
int64_t hostmerge_write(struct remote *r);

#endif
