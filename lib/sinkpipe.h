/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts stap-merge --to KIND:WHERE or --json, which makes data of a stream of records
 * (uapi/rawfile.h): in a process of its own, with the user's rights and outside of any
 * sandbox. It ends when the stream does, not by ^C.
 *
 * What has been written to the pipe is not stored: it tells what is, in a file in memory
 * that both have open. So the numbers are right whatever it ends by.
 */
#ifndef LIB_SINKPIPE_H
#define LIB_SINKPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sinkpipe {
	pid_t pid;
	int fd;	    /* takes the stream; closed by its owner */
	int book;   /* what it has stored: uapi/rawfile.h */
	int status; /* as of waitpid() */
	bool ended;
};

/*
 * Starts `program`, which is where stap-merge is. to: KIND:WHERE; NULL is --json, which
 * it writes to the descriptor `out`. Returns 0 or -errno.
 */
int sinkpipe_start(struct sinkpipe *s, const char *program, const char *to, int out);
/* Notes that a child has ended. False: it was another one. */
bool sinkpipe_reaped(struct sinkpipe *s, pid_t pid, int status);
/*
 * Stores how many records of each probe it has stored so far, and after them how many
 * are of none: n numbers. Returns their sum.
 */
uint64_t sinkpipe_stored(const struct sinkpipe *s, uint64_t *ret, uint32_t n);
/* Waits for the end, once the stream is closed. False: it failed, and has said why. */
bool sinkpipe_finish(struct sinkpipe *s);
/*
 * Writes what is to be said of the end, when `stored` of the `given` records are stored.
 * False: nothing.
 */
bool sinkpipe_explain(const struct sinkpipe *s, uint64_t given, uint64_t stored, char *text,
		      size_t size);
/* True, once it has ended: nobody read what it wrote to standard output. */
bool sinkpipe_reader_left(const struct sinkpipe *s);

#endif
