/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One machine, from its connection to its end: its answers, what is sent to it, its run
 * and its output. talk.h has the words. The loop decides when it may run.
 */
#ifndef STAP_REMOTE_HOSTCONNECTION_H
#define STAP_REMOTE_HOSTCONNECTION_H

#include <stdbool.h>
#include <stddef.h>

struct host;
struct remote;

/* Connects a machine that waits for that. */
void hostconnection_start(struct remote *r, struct host *h);
/* True: it has been connected, and has not ended. */
bool hostconnection_is_open(const struct host *h);

/* Starts the run of a machine that is ready and has its module. */
void hostconnection_run(struct remote *r, struct host *h);
/*
 * Number of bytes that wait to be sent. The module may be ready before the run: with
 * --remote-strict all wait for the last one.
 */
size_t hostconnection_left_to_send(const struct host *h);
void hostconnection_send(struct remote *r, struct host *h);

void hostconnection_take_output(struct remote *r, struct host *h);
/* Reads errors, but not so many at once that other machines have to wait. */
void hostconnection_take_errors(struct remote *r, struct host *h);

/* Ends its run: stap no longer listens. Its output still arrives. */
void hostconnection_close_input(struct remote *r, struct host *h);
/*
 * Call it when its output and its process have ended. Its errors may still be open: a
 * connection that ssh keeps for later use (ControlPersist) holds them.
 */
void hostconnection_take_end(struct remote *r, struct host *h);

/* Leaves a machine out, and closes its connection. why: for the summary, or NULL. */
void hostconnection_leave_out(struct remote *r, struct host *h, const char *why);
/* Leaves out a machine that cannot be asked, with a message, or ends everything. */
void hostconnection_give_up_silent(struct remote *r, struct host *h, const char *said);

#endif
