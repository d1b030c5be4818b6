/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files in directories that other users can write to: no other user may decide
 * which file is written. The kernel has such rules for sticky directories if
 * fs.protected_symlinks and similar settings are on. Here they apply to all directories,
 * whatever the settings:
 *
 *   a symbolic link is followed when it is the user's own or the system's, or stands
 *   where nobody else could have made it;
 *   a file that is there already is written in a directory that everybody can write to
 *   when it is the user's or the directory's owner's;
 *   a file with a second name is written where nobody else could have given it one;
 *   one file has one writer.
 *
 * The directories of the path are held open and their names are not resolved again, so
 * that replacing one in the meantime has no effect.
 */
#ifndef LIB_OUTFILE_H
#define LIB_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct outfile {
	int fd;	 /* -1: not opened */
	int dir; /* its directory, opened with O_PATH; the caller closes it */
	char base[NAME_MAX + 1];
	bool is_fifo;  /* -ENXIO: it has no reader yet */
	char why[256]; /* reason of the refusal; "": strerror() gives it */
};

/* Creates or truncates the file. Returns 0, or -errno with dir -1. Never blocks. */
int outfile_open(struct outfile *f, const char *path, mode_t mode);
/*
 * The same, but waits until a FIFO has a reader. When `ends` returns true, it stops
 * waiting and returns -EINTR. `ends` NULL: it waits for ever.
 */
int outfile_open_waiting(struct outfile *f, const char *path, mode_t mode, bool (*ends)(void));
/* Like outfile_open(), for a name in an open directory. */
int outfile_open_at(struct outfile *f, int dir, const char *base, mode_t mode);
/* Returns the text of an error of these functions. */
const char *outfile_error(const struct outfile *f, int error);

#endif
