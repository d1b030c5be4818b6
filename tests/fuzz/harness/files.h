/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An input as files. The target defines _GNU_SOURCE first, for memfd_create(). */
#ifndef FUZZ_FILES_H
#define FUZZ_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Calls back with the names of one file, or of two files of equal length if the first
 * byte is odd. The files hold the bytes after the first, which is passed on as well.
 */
static inline void files_give(const uint8_t *data, size_t size,
			      void (*callback)(char *const *names, unsigned n, uint8_t first))
{
	char names[2][32], *list[2] = { names[0], names[1] };
	unsigned n = size && data[0] & 1 ? 2 : 1, made = 0;
	size_t each = size ? (size - 1) / n : 0;
	int fds[2];

	if (!size)
		return;
	for (; made < n; made++) {
		fds[made] = memfd_create("input", 0);
		snprintf(names[made], sizeof(names[made]), "/proc/self/fd/%d", fds[made]);
		if (write(fds[made], data + 1 + made * each, each) != (ssize_t)each)
			break;
	}
	if (made == n)
		callback(list, n, data[0]);
	for (unsigned i = 0; i < made; i++)
		close(fds[i]);
}

#endif
