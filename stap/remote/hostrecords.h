/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of several machines: each sends a stream (trace/source/hoststream.h), the
 * streams are put in the order of time (trace/source/hosts.h), and each record goes to
 * its machine's form, which makes lines of it: text, or JSON with the machine's name.
 * Output that is not a stream is passed on in lines. Streams also go to sinks, for --to.
 */
#ifndef STAP_REMOTE_HOSTRECORDS_H
#define STAP_REMOTE_HOSTRECORDS_H

#include "stap/remote/fleet.h"

/* Sets up for all machines. */
struct error *hostrecords_init(struct remote *r);
/* The machine's run begins. */
void hostrecords_open(struct remote *r, struct host *h);
/* Takes bytes that it sends. False: they are damaged, which was reported. */
bool hostrecords_take(struct remote *r, struct host *h, const char *bytes, size_t len);
/*
 * Called when its output has ended. False: its stream is incomplete, which was reported.
 */
bool hostrecords_end(struct remote *r, struct host *h);
/*
 * Writes the records that are due. Returns the time of fleet_now() when more will be due;
 * -1: nothing is queued.
 */
int64_t hostrecords_write(struct remote *r);
/* Returns the number of queued bytes of the machine. */
size_t hostrecords_waiting(const struct remote *r, const struct host *h);
void hostrecords_deinit(struct remote *r);

#endif
