/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --web with --remote: stap-exporter, which has started stap, shows a column for each
 * machine. A socket (--page-hosts) has lines of fields that tabs separate; first one for
 * each machine, numbered from 0 in their order:
 *
 *   host N NAME
 *   state N KIND TEXT    what the machine does: KIND is waits, running, ended or failed
 *   look N BYTES         its values and books: so many bytes follow, lines of
 *                        uapi/globals.h, uapi/status.h and uapi/msg.h
 *   switched TEXT        answers a request: ok, or the reason why nothing was switched
 *
 * stap-exporter writes requests, one at a time:
 *
 *   switch N INDEX:on    the probe of that index on machine N, on all machines that have
 *   switch N INDEX:off   its point
 *   switch N all:off
 */
#ifndef STAP_REMOTE_HOSTPAGE_H
#define STAP_REMOTE_HOSTPAGE_H

#include "stap/remote/fleet.h"

/* Sets up, where --page-hosts is given. */
struct error *hostpage_init(struct remote *r);
/* The machine has sent its books and values, which h->from has. */
void hostpage_look(struct remote *r, struct host *h);
/* Reports what has become of the machines. */
void hostpage_tell(struct remote *r);
/* Returns the descriptor of the socket and what to wait for, or -1. */
int hostpage_waits(const struct remote *r, short *events);
/* Takes requests, and writes as much as the socket takes. */
void hostpage_serve(struct remote *r);
/* Writes the rest, and closes the socket. */
void hostpage_close(struct remote *r);

#endif
