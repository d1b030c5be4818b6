/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts stap-merge --to KIND:WHERE or --json, which makes data of a stream of records
 * (uapi/rawfile.h): in a process of its own, with the user's rights and outside of any
 * sandbox. It ends when the stream does, not by ^C.
 */
#ifndef STP_USER_SINKPIPE_H
#define STP_USER_SINKPIPE_H

#include <stdbool.h>
#include <sys/types.h>

struct sinkpipe {
	pid_t pid;
	int fd; /* takes the stream; closed by its owner */
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
/* Waits for the end, once the stream is closed. False: it failed, and has said why. */
bool sinkpipe_finish(struct sinkpipe *s);
/* True, once it has ended: nobody read what it wrote to standard output. */
bool sinkpipe_reader_left(const struct sinkpipe *s);

#endif
