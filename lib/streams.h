/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard streams: opened before anything else, and checked once more at the end. */
#ifndef LIB_STREAMS_H
#define LIB_STREAMS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Exit status of a run whose standard output nobody reads any more, as with `| head`:
 * that of a program that SIGPIPE ends, but the run ends in order. It is no error.
 */
#define STREAMS_READER_LEFT 141

/*
 * Opens the standard streams that are closed: otherwise the next opened file would take
 * the place of one, and get its output. A program started without them sees the end of
 * the input, and errors of writing. False: not even /dev/null can be opened.
 */
static inline bool streams_open(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd)
			return false;
	return true;
}

/*
 * Flushes. Returns 0 when all output was written, or errno (EIO: of an earlier failure).
 */
static inline int streams_flush(FILE *f)
{
	if (fflush(f))
		return errno;
	return ferror(f) ? EIO : 0;
}

#endif
