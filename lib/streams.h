/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Standard streams: opened before anything else, and checked again at the end. */
#ifndef LIB_STREAMS_H
#define LIB_STREAMS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Exit status of a run after the reader of its standard output has gone, as with `|
 * head`. It is the status of a program that SIGPIPE kills, but the run ends in order.
 * This is not an error.
 */
#define STREAMS_READER_LEFT 141

/*
 * Opens the standard streams that are closed. Otherwise the next opened file would get
 * the number of one, and its output. A program that was started without them sees the end
 * of its input, and errors when it writes. False: not even /dev/null can be opened.
 */
static inline bool streams_open(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDONLY) != fd)
			return false;
	return true;
}

/*
 * Flushes the file. Returns 0 if all output was written, or errno (EIO: an earlier write
 * failed).
 */
static inline int streams_flush(FILE *f)
{
	if (fflush(f))
		return errno;
	return ferror(f) ? EIO : 0;
}

#endif
