/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See background.h. */
#include "stapio/background.h"

#include <fcntl.h>
#include <unistd.h>

void background_streams(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	if (null > STDERR_FILENO)
		close(null);
}
