/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See commands.h. */
#include "stapio/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stapio/child.h"
#include "stapio/messages.h"
#include "stapio/signals.h"

void commands_init(struct commands *c, const struct signals *s)
{
	*c = (struct commands){ .signals = s };
}

bool commands_idle(const struct commands *c)
{
	return !c->running && !c->count;
}

static void __attribute__((noreturn)) command_main(const struct commands *c, const char *text)
{
	int null = open("/dev/null", O_RDONLY);

	// The terminal's input is not the script's.
	if (null >= 0)
		dup2(null, STDIN_FILENO);
	signals_restore(c->signals);
	child_exec_shell(text);
	message_error("cannot run '%s': %s", text, strerror(errno));
	_exit(127);
}

static void start_next(struct commands *c)
{
	while (!c->running && c->count) {
		char *text = c->queue[c->first];
		pid_t pid = fork();

		if (pid == 0)
			command_main(c, text);
		if (pid < 0)
			message_error("cannot run '%s': %s", text, strerror(errno));
		else
			c->running = pid;
		free(text);
		c->first = (c->first + 1) % COMMANDS_MAX;
		c->count--;
	}
}

void commands_add(struct commands *c, const char *text, size_t len)
{
	char *copy = c->count < COMMANDS_MAX ? strndup(text, len) : NULL;

	if (!copy) {
		if (!c->refused++)
			message_warning("too many commands are waiting: '%.*s' was not run",
					(int)(len < 200 ? len : 200), text);
		return;
	}
	message_verbose("command: %s", copy);
	c->queue[(c->first + c->count++) % COMMANDS_MAX] = copy;
	start_next(c);
}

void commands_reaped(struct commands *c, pid_t pid)
{
	if (pid != c->running)
		return;
	c->running = 0;
	start_next(c);
}

void commands_deinit(struct commands *c)
{
	for (; c->count; c->count--, c->first = (c->first + 1) % COMMANDS_MAX)
		free(c->queue[c->first]);
}
