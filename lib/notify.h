/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the state of a service to systemd by the protocol of sd_notify(3): a datagram
 * of lines is sent to the socket that NOTIFY_SOCKET names. As that page says, this does
 * not need libsystemd.
 */
#ifndef LIB_NOTIFY_H
#define LIB_NOTIFY_H

#include <stdint.h>

struct notify {
	int fd;		   /* -1: there is nobody to notify */
	uint64_t every_ms; /* interval of the watchdog; 0: there is no watchdog */
	uint64_t alive_ms; /* when the watchdog was last notified */
};

/*
 * Opens the socket, before sockets are forbidden. Removes the variables for the socket
 * and the watchdog from the environment, so that commands of the script do not get them.
 */
void notify_open(struct notify *n);
/* Sends lines such as "READY=1\nSTATUS=…". They are lost if the socket is full. */
void notify_say(const struct notify *n, const char *text);
/* Tells the watchdog that the service is alive, if it is time for that. */
void notify_alive(struct notify *n);
/* Returns the milliseconds until the next notification is due; -1: never. */
int notify_wait_ms(const struct notify *n);

#endif
