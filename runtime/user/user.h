/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The user-space back end: the script as an ordinary process, one thread that is CPU 0.
 * main.c starts and ends it, timer.c is its loop, drain.c the reader of its rings.
 */
#ifndef STP_USER_H
#define STP_USER_H

#include <stdio.h>

#include "api.h"

/* ---- port.c ---- */
/* set before the session is created; tests use threads as CPUs */
extern unsigned user_cpu_count;
extern _Thread_local unsigned user_cpu; /* the CPU that the calling thread is */

/* ---- timer.c ---- */
/*
 * Waits until a timer is due, a signal in `set` came or the state changed, and runs what
 * is due; at most timeout_ms.
 */
void user_timers_run(int timeout_ms);

/* ---- target.c ---- */
/* Forks a command, which waits for user_target_release(); 0 or -errno. */
int user_target_run(const char *command, int64_t *pid);
/* A process that is there already; 0 or -errno. */
int user_target_attach(int64_t pid);
/* Lets the command go, or has it end without having run. */
void user_target_release(bool run);
/*
 * To be polled: readable when the process has ended, for
 * user_target_ended(), which ends the script. -1: there is none.
 */
int user_target_watch(void);
void user_target_ended(void);
/* A child has been waited for. True: it was the command. */
bool user_target_reaped(pid_t pid, int status);
/*
 * The script has ended: a command that runs gets SIGTERM.
 * True: it ended by itself, and not with 0, which is said.
 */
bool user_target_finish(void);

/* ---- drain.c ---- */
/* verbose: a warning is written each time, not once. */
void user_drain_init(FILE *out, bool verbose);
/*
 * Writes the records in the rings that are older than the horizon; all of them when
 * `last`. True: some are left, to be written a moment later.
 */
bool user_drain(bool last);
/* Something could not be written, or an ERROR was among it. */
bool user_drain_failed(void);
/*
 * The pipe that is written to, or -1: that it has no reader any more is an error
 * without anything being printed.
 */
int user_drain_reader(void);
void user_drain_hangup(void);
/* Closes the output. True: something was lost, or failed before. */
bool user_drain_end(void);
void user_drain_free(void);

#endif
