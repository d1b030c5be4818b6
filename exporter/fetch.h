/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the values of a run: a module's through staprun, a program's from its socket. */
#ifndef EXPORTER_FETCH_H
#define EXPORTER_FETCH_H

#include <stdbool.h>
#include <sys/types.h>

struct values;

/*
 * Reads the state of the run of that name; `pid` is the stap that has started it. Runs
 * and sockets of other users with that name are ignored. False: it gives no answer, or
 * not yet.
 */
bool fetch_values(const char *staprun, const char *name, pid_t pid, struct values *ret);
/* Reads the file that the run has written for stap --page. False: it is incomplete. */
bool fetch_last(int fd, struct values *ret);
/*
 * Switches a probe of that run, or all: INDEX:on, all:off. False: it failed, or there is
 * no such run.
 */
bool fetch_switch(const char *staprun, const char *name, pid_t pid, const char *what);

#endif
