/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --monitor: a run on the screen of a terminal. */
#ifndef STAP_WATCH_MONITOR_H
#define STAP_WATCH_MONITOR_H

#include <sys/types.h>

struct error;
struct session;

/* Checks, before the translation, that there is a terminal and a library for it. */
struct error *monitor_check(struct session *s);
/*
 * Shows the run of that program until its process has ended. Its output is read from the
 * descriptor `output`. The caller waits for the process.
 */
void monitor_show(struct session *s, const char *program, pid_t process, int output);

#endif
