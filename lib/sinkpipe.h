/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts stap-merge --to KIND:WHERE or --json, which turns a stream of records
 * (uapi/rawfile.h) into data. It is a separate process with the user's rights, outside of
 * any sandbox. It ends when the stream ends, not at ^C.
 *
 * Records written to the pipe are not yet stored. stap-merge counts the stored records in
 * a memory file that both processes have open, so the numbers are right however it ends.
 */
#ifndef LIB_SINKPIPE_H
#define LIB_SINKPIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sinkpipe {
	pid_t pid;
	int fd;	    /* gets the stream; the owner closes it */
	int book;   /* its counts of stored records: uapi/rawfile.h */
	int status; /* as of waitpid() */
	bool ended;
};

/*
 * Starts `program`, the path of stap-merge. to: KIND:WHERE, or NULL for --json, which it
 * writes to the descriptor `out`. Returns 0 or -errno.
 */
int sinkpipe_start(struct sinkpipe *s, const char *program, const char *to, int out);
/* Records that a child has ended. False: it was another child. */
bool sinkpipe_reaped(struct sinkpipe *s, pid_t pid, int status);
/*
 * Sets ret to n numbers: the stored records of each probe so far, and last those of no
 * probe. Returns their sum.
 */
uint64_t sinkpipe_stored(const struct sinkpipe *s, uint64_t *ret, uint32_t n);
/* Returns the same sum, where the number of probes is not known. */
uint64_t sinkpipe_stored_all(const struct sinkpipe *s);
/* Waits for its end. Close the stream before. False: it failed and printed why. */
bool sinkpipe_finish(struct sinkpipe *s);
/*
 * Writes a message about the end, when `stored` of the `given` records were stored.
 * False: there is nothing to report.
 */
bool sinkpipe_explain(const struct sinkpipe *s, uint64_t given, uint64_t stored, char *text,
		      size_t size);
/* Valid after its end. True: the reader of its standard output has gone. */
bool sinkpipe_reader_left(const struct sinkpipe *s);

#endif
