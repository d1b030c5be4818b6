/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks running programs of --runtime=bpf (and =user), by the sockets of uapi/status.h.
 * Anybody may have a socket with the name of a run: the kernel tells whose it is.
 */
#ifndef STAPRUN_BPFRUNS_H
#define STAPRUN_BPFRUNS_H

#include <stdbool.h>
#include <sys/socket.h>

struct caller;

/* True: there is a program of that name, and no module. */
bool bpfruns_are_meant(const char *name);
/*
 * These ask all programs of that name that belong to the caller, or anybody's if the
 * caller may end the runs of others. They give up privileges that are not needed, for
 * good. Errors are printed.
 */
bool bpfruns_stop(const char *name, const struct caller *c);
/* Writes the answers as status.h's functions do; request: "status" or "globals". */
bool bpfruns_write(const char *name, const char *request, const struct caller *c);
bool bpfruns_switch(const char *name, const char *which, const struct caller *c);

/* The turn to read a run, until the connection ends. */
struct bpfruns_turn {
	int fd; /* waits for nothing */
	struct ucred peer;
};
/*
 * Takes the turn to read the run of that name that goes on without a reader: the
 * caller's, else, if the caller may read the runs of others, that of the only other user
 * who has one.
 */
bool bpfruns_attach(const char *name, const struct caller *c, struct bpfruns_turn *ret);
/* True: the caller has such a run. */
bool bpfruns_is_left(const char *name);

#endif
