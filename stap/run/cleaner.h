/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A separate process that outlives stap, even if stap is killed. It creates the temporary
 * directory, and removes it when neither stap nor a compiler started by stap can write
 * there any more. It also ends the run.
 */
#ifndef STAP_RUN_CLEANER_H
#define STAP_RUN_CLEANER_H

#include <sys/types.h>

struct error;
struct session;

struct guard {
	pid_t pid;
	int fd; /* children inherit it, and so they are waited for */
};

/* Starts the process and sets s->tmp_dir. */
struct error *cleaner_start(struct session *s, struct guard *ret);
/*
 * Lets the calling child, which becomes the run, be ended when stap is killed: it gets
 * SIGTERM, whichever user it runs as. The guard does not wait for its end.
 */
void cleaner_watch(const struct guard *g);
/*
 * Ends the process. When it returns, the directory is gone (except with -k). May be
 * called in signal handlers, too.
 */
void cleaner_end(const struct guard *g);

#endif
