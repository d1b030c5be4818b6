/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: staprun and stapio in the background. */
#ifndef STAPRUN_DAEMON_H
#define STAPRUN_DAEMON_H

#include <signal.h>
#include <stdbool.h>

/*
 * Forks and returns in the child, the daemon. The original process waits until the script
 * runs, prints the daemon's process id, or how to attach to the run of the name `left`
 * (NULL: no run is left without a reader), and exits. If the daemon ends before that, it
 * exits with the daemon's status. Meanwhile it passes the signals of `caught`, which are
 * blocked, to the daemon. *ready is a descriptor for stapio, which writes to it when the
 * script runs. False: the error was printed.
 */
bool daemon_start(int *ready, const sigset_t *caught, const char *left);
/* From now on, sends messages to the system's log. Detaches from the terminal. */
void daemon_detach(void);

#endif
