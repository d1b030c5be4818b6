/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output files in directories that other users can write to: no other user may decide
 * which file is written. The kernel has such rules for sticky directories when
 * fs.protected_symlinks and its like are set; they are applied here to all directories
 * and whatever is set:
 *
 *   a symbolic link is followed when it is the user's own or the system's, or stands
 *   where nobody else could have made it;
 *   a file that is there already is written in a directory that everybody can write to
 *   when it is the user's or the directory's owner's;
 *   a file with a second name is written where nobody else could have given it one;
 *   one file has one writer.
 *
 * Directories on the way are held open, not named twice: exchanging one in the meantime
 * has no effect.
 */
#ifndef LIB_OUTFILE_H
#define LIB_OUTFILE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct outfile {
	int fd;	 /* -1: not opened */
	int dir; /* its directory, O_PATH; the caller closes it */
	char base[NAME_MAX + 1];
	bool is_fifo;  /* -ENXIO: it has no reader yet */
	char why[256]; /* reason of the refusal; "": strerror() gives it */
};

/* Makes the file, or empties it. 0 or -errno; dir is -1 then. Never blocks. */
int outfile_open(struct outfile *f, const char *path, mode_t mode);
/*
 * The same, but a FIFO waits for its reader, until `ends` says true: -EINTR. NULL: for
 * ever.
 */
int outfile_open_waiting(struct outfile *f, const char *path, mode_t mode, bool (*ends)(void));
/* Like outfile_open(), for a name in a directory that is open. */
int outfile_open_at(struct outfile *f, int dir, const char *base, mode_t mode);
/* Returns the text of an error of these functions. */
const char *outfile_error(const struct outfile *f, int error);

#endif
