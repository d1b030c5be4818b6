/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See smallfile.h. */
#include "staprun/smallfile.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void smallfile_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
}

void smallfile_read_line(const char *path, char *text, size_t size)
{
	smallfile_read(path, text, size);
	text[strcspn(text, "\n")] = 0;
}
