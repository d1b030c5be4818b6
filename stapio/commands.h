/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs the shell commands of system(), one after the other in the order of the records,
 * while reading goes on.
 */
#ifndef STAPIO_COMMANDS_H
#define STAPIO_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "stapio/starter.h"

#define COMMANDS_MAX 1024 /* waiting */

struct signals;

struct commands {
	struct starter starter;
	char *queue[COMMANDS_MAX];
	unsigned first, count;
	pid_t running; /* 0: none */
	uint64_t refused;
};

/*
 * Starts the process that runs commands, before any thread is created. wanted: the module
 * may request commands; otherwise no process is started. aside: their stdout goes to
 * stderr. Returns 0 or -errno.
 */
int commands_init(struct commands *c, const struct signals *s, bool wanted, bool aside);
/* Takes a command; see records_command. */
void commands_add(void *commands, const char *text, size_t len);
/* Notes that a child has been reaped; after a command, starts the next one. */
void commands_reaped(struct commands *c, pid_t pid);
bool commands_idle(const struct commands *c);
/* Takes the terminal from the commands that follow. */
void commands_go_to_background(struct commands *c);
void commands_deinit(struct commands *c);

#endif
