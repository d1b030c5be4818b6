/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of a known size between a process and its child, over a socket. */
#ifndef LIB_EXCHANGE_H
#define LIB_EXCHANGE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

/* Receives `size` bytes. False: the other side closed the socket earlier. */
static inline bool exchange_receive(int fd, void *buf, size_t size)
{
	for (char *s = buf; size;) {
		ssize_t n = read(fd, s, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s += n;
		size -= (size_t)n;
	}
	return true;
}

/* Sends everything. If the other end is closed, that is an error, not a signal. */
static inline bool exchange_send(int fd, const void *buf, size_t size)
{
	for (const char *s = buf; size;) {
		ssize_t n = send(fd, s, size, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		s += n;
		size -= (size_t)n;
	}
	return true;
}

#endif
