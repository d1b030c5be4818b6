/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that ask a program to end, where they are blocked and read later. */
#ifndef LIB_ENDSIGNALS_H
#define LIB_ENDSIGNALS_H

#include <stdbool.h>

/*
 * True: SIGINT, SIGQUIT, SIGTERM or SIGHUP has come and waits to be read. For callers
 * that would wait longer than that.
 */
bool endsignals_pending(void);

#endif
