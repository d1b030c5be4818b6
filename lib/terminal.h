/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a descriptor is a terminal with colours and a cursor that can be moved. */
#ifndef LIB_TERMINAL_H
#define LIB_TERMINAL_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* False: no terminal, or one that says of itself, by TERM=dumb, that it only prints. */
static inline bool terminal_draws(int fd)
{
	const char *kind = getenv("TERM");

	return isatty(fd) && !(kind && !strcmp(kind, "dumb"));
}

#endif
