/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads values of a run: a module's by way of staprun, a program's by its socket. */
#ifndef EXPORTER_FETCH_H
#define EXPORTER_FETCH_H

#include <stdbool.h>
#include <sys/types.h>

struct values;

/*
 * Reads all that the run of that name says; `pid` is the stap that has started it. What
 * other users' runs and sockets of that name say is not read. False: it does not say
 * anything, or not yet.
 */
bool fetch_values(const char *staprun, const char *name, pid_t pid, struct values *ret);
/*
 * Switches a probe of that run, or all: INDEX:on, all:off. False: it is not done, or the
 * run is not there.
 */
bool fetch_switch(const char *staprun, const char *name, pid_t pid, const char *what);

#endif
