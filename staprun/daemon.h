/* SPDX-License-Identifier: GPL-2.0-or-later */
/* -D: staprun and stapio in the background. */
#ifndef STAPRUN_DAEMON_H
#define STAPRUN_DAEMON_H

#include <signal.h>
#include <stdbool.h>

/*
 * The process that goes on from here is the daemon. The one that was called waits until
 * the script runs, prints the daemon's number and exits; or exits with its status when it
 * has ended before that; it hands on `caught`, which are blocked. *ready: stapio gets it;
 * what it writes there says that the script runs. False: it has been said why.
 */
bool daemon_start(int *ready, const sigset_t *caught);
/* From here on messages go to the system's log, and the terminal is nobody's. */
void daemon_detach(void);

#endif
