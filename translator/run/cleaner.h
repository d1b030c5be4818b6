/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A process of its own that outlives stap, also when that is killed: it makes the
 * temporary directory and removes it, when neither stap nor a compiler that stap has
 * started is left to write there, and it ends the run.
 */
#ifndef STAP_RUN_CLEANER_H
#define STAP_RUN_CLEANER_H

#include <sys/types.h>

struct error;
struct session;

struct guard {
	pid_t pid;
	int fd;    /* children inherit it, and so are waited for */
};

/* Sets s->tmp_dir. */
struct error *cleaner_start(struct session *s, struct guard *ret);
/*
 * In the child that becomes the run: when stap is killed it gets
 * SIGTERM, whoever it runs as; the guard does not wait for its end.
 */
void cleaner_watch(const struct guard *g);
/* The directory is gone (but for -k) when it returns. For signal handlers, too. */
void cleaner_end(const struct guard *g);

#endif
