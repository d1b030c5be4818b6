/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The command of -c: held until the probes are in place, then what its words say. */
#ifndef STP_USER_COMMAND_H
#define STP_USER_COMMAND_H

#include <stdbool.h>

/* Runs in a forked child: the shell, or -1 with errno. Never returns on success. */
int command_exec_shell(const char *command);
/* The same; a command without anything special to the shell is run without one. */
int command_exec(const char *command);
/* How a command ended, of waitpid()'s status, as "the command …"; false: with 0. */
bool command_failed(int status, char *ret, unsigned long size);

#endif
