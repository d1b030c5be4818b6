/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: staprun and stapio in the background. */
#ifndef STAPRUN_DAEMON_H
#define STAPRUN_DAEMON_H

#include <signal.h>
#include <stdbool.h>

/*
 * Forks; the process that returns is the daemon. The process that was called waits until
 * the script runs, prints the daemon's number and exits; when the daemon ends before
 * that, it exits with the daemon's status. Meanwhile it hands the signals of `caught`,
 * which are blocked, on to the daemon. *ready is a descriptor for stapio, which writes
 * there when the script runs. False: the error has been printed.
 */
bool daemon_start(int *ready, const sigset_t *caught);
/* Sends messages to the system's log from now on, and lets go of the terminal. */
void daemon_detach(void);

#endif
