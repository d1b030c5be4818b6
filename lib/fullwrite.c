/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lib/fullwrite.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

bool fullwrite(int fd, const void *bytes, size_t len)
{
	const char *at = bytes;

	while (len) {
		ssize_t n = write(fd, at, len);
		struct pollfd p = { .fd = fd, .events = POLLOUT };

		if (!n)
			errno = EIO;
		if (n > 0) {
			at += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			poll(&p, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	return true;
}
