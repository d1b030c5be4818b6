/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --to KIND:WHERE with --remote: the stream of each machine goes to a separate stap-merge
 * here. If there are several machines, a file's name contains the machine's name (%h);
 * servers keep the runs of many machines apart by themselves.
 */
#ifndef STAP_REMOTE_HOSTSINK_H
#define STAP_REMOTE_HOSTSINK_H

#include "stap/remote/fleet.h"

/* Determines where each machine's data go. It is an error if two share a file. */
struct error *hostsink_init(struct remote *r);
/* The machine's stream has a header: starts its process. */
void hostsink_begin(struct remote *r, struct host *h);
/* Adds bytes of the stream, from its first on. */
void hostsink_add(struct remote *r, struct host *h, const char *bytes, size_t len);
/* True: bytes wait to be written to h->sink.pipe.fd. */
bool hostsink_waits(const struct host *h);
/* Writes as much as the pipe takes. False: its reader has gone. */
bool hostsink_write(struct host *h);
/* The stream has ended; the pipe is closed when all is written. */
void hostsink_end(struct host *h);
/* Lets bytes that are not yet written be dropped. */
void hostsink_hurry(struct host *h);
/* Waits for all processes. False: not everything was stored, which was reported. */
bool hostsink_finish(struct remote *r);

#endif
