/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that ask a program to end, for programs that block them and read them later. */
#ifndef LIB_ENDSIGNALS_H
#define LIB_ENDSIGNALS_H

#include <stdbool.h>

/*
 * True: SIGINT, SIGQUIT, SIGTERM or SIGHUP is pending. For callers that are about to
 * wait.
 */
bool endsignals_pending(void);

#endif
