/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See commands.h. */
#include "stapio/commands.h"

#include <stdlib.h>
#include <string.h>

#include "trace/messages.h"

int commands_init(struct commands *c, const struct signals *s, bool wanted, bool aside)
{
	*c = (struct commands){ .starter.fd = -1 };
	return wanted ? starter_init(&c->starter, s, aside) : 0;
}

bool commands_idle(const struct commands *c)
{
	return !c->running && !c->count;
}

static void start_next(struct commands *c)
{
	while (!c->running && c->count) {
		char *text = c->queue[c->first];
		pid_t pid = starter_run(&c->starter, text);

		if (pid < 0)
			message_error("cannot run '%s': %s", text, strerror(-pid));
		else
			c->running = pid;
		free(text);
		c->first = (c->first + 1) % COMMANDS_MAX;
		c->count--;
	}
}

void commands_add(void *commands, const char *text, size_t len)
{
	struct commands *c = commands;
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

void commands_go_to_background(struct commands *c)
{
	starter_go_to_background(&c->starter);
}

void commands_deinit(struct commands *c)
{
	for (; c->count; c->count--, c->first = (c->first + 1) % COMMANDS_MAX)
		free(c->queue[c->first]);
	starter_deinit(&c->starter);
}
