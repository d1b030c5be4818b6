/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells systemd how a service does: sd_notify(3)'s protocol, a datagram of lines for the
 * socket that NOTIFY_SOCKET names. libsystemd is not needed for it, as that page says.
 */
#ifndef LIB_NOTIFY_H
#define LIB_NOTIFY_H

#include <stdint.h>

struct notify {
	int fd;		   /* -1: nobody is to be told */
	uint64_t every_ms; /* the watchdog is told so often; 0: there is none */
	uint64_t alive_ms; /* when it was told last */
};

/*
 * Opens the socket, before sockets are forbidden, and takes its name and the watchdog's
 * out of the environment: they are not for commands of the script.
 */
void notify_open(struct notify *n);
/* Sends lines such as "READY=1\nSTATUS=…". What is not taken at once is lost. */
void notify_say(const struct notify *n, const char *text);
/* Tells the watchdog that the service lives, when it is time. */
void notify_alive(struct notify *n);
/* Returns the milliseconds until it is time, -1: never. */
int notify_wait_ms(const struct notify *n);

#endif
