/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of several machines: each sends a stream (trace/source/hoststream.h), the
 * streams are put in the order of time (trace/source/hosts.h), and each record goes to
 * its machine's form, which makes lines of it: text, or JSON with the machine's name.
 * Output that is no stream is passed on in lines. Streams also go to sinks, for --to.
 */
#ifndef STAP_REMOTE_HOSTRECORDS_H
#define STAP_REMOTE_HOSTRECORDS_H

#include "stap/remote/fleet.h"

/* Sets up for all machines. */
struct error *hostrecords_init(struct remote *r);
/* The machine's run begins. */
void hostrecords_open(struct remote *r, struct host *h);
/* Takes what it sends. False: it is damaged, which has been reported. */
bool hostrecords_take(struct remote *r, struct host *h, const char *bytes, size_t len);
/* Its output has ended. False: before the end of its stream, which has been reported. */
bool hostrecords_end(struct remote *r, struct host *h);
/*
 * Writes the records whose turn it is. Returns the time of fleet_now() when there will
 * be more; -1: nothing waits.
 */
int64_t hostrecords_write(struct remote *r);
/* Returns the bytes of the machine that wait here. */
size_t hostrecords_waiting(const struct remote *r, const struct host *h);
void hostrecords_deinit(struct remote *r);

#endif
