/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See notify.h. */
#include "lib/notify.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"

static uint64_t notify_now_ms(void)
{
	return clock_now() / 1000000;
}

/* Returns a socket that is connected to `name`, or -1. '@' stands for a leading NUL. */
static int notify_connect(const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	size_t len = strlen(name);
	int fd;

	if ((name[0] != '/' && name[0] != '@') || len < 2 || len >= sizeof(address.sun_path))
		return -1;
	memcpy(address.sun_path, name, len);
	if (name[0] == '@')
		address.sun_path[0] = 0;
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0 || !connect(fd, (struct sockaddr *)&address,
			       (socklen_t)(offsetof(struct sockaddr_un, sun_path) + len)))
		return fd;
	close(fd);
	return -1;
}

void notify_open(struct notify *n)
{
	const char *name = getenv("NOTIFY_SOCKET"), *usec = getenv("WATCHDOG_USEC");

	*n = (struct notify){ .fd = name ? notify_connect(name) : -1 };
	/* WATCHDOG_PID names the service's first process, stap or staprun. */
	if (n->fd >= 0 && usec)
		n->every_ms = strtoull(usec, NULL, 10) / 1000 / 3;
	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

void notify_say(const struct notify *n, const char *text)
{
	if (n->fd >= 0)
		send(n->fd, text, strlen(text), MSG_NOSIGNAL);
}

void notify_alive(struct notify *n)
{
	uint64_t now = n->every_ms ? notify_now_ms() : 0;

	if (!n->every_ms || now - n->alive_ms < n->every_ms)
		return;
	n->alive_ms = now;
	notify_say(n, "WATCHDOG=1");
}

int notify_wait_ms(const struct notify *n)
{
	uint64_t since = n->every_ms ? notify_now_ms() - n->alive_ms : 0;

	if (!n->every_ms)
		return -1;
	return since < n->every_ms ? (int)(n->every_ms - since) : 0;
}
