/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells whether a descriptor is a terminal with colours and a movable cursor. */
#ifndef LIB_TERMINAL_H
#define LIB_TERMINAL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* False: it is not a terminal, or TERM=dumb says that it can only print. */
static inline bool terminal_draws(int fd)
{
	const char *kind = getenv("TERM");

	return isatty(fd) && !(kind && !strcmp(kind, "dumb"));
}

#endif
