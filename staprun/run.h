/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs stapio, from the loaded module to its end. */
#ifndef STAPRUN_RUN_H
#define STAPRUN_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

struct files;
struct kmodule;
struct options;

struct run_signals {
	sigset_t caught;
};

/*
 * Blocks signals, before anything else is done. From here on, a signal is not lost and
 * cannot end staprun before it cleans up. Signals stay blocked through the exec of
 * stapio, which reads them when it is ready.
 */
bool run_block_signals(struct run_signals *s);
/* Lets signals arrive again, for a program that takes the place of this one. */
bool run_unblock_signals(const struct run_signals *s);
/* True: a signal that requests the end has arrived, which was reported. */
bool run_is_interrupted(const struct run_signals *s);
/* The end of stapio. */
struct run_end {
	int status; /* as from waitpid() */
	bool is_kept;
	uint64_t left; /* unread records, if it was killed */
};

/* Runs stapio and waits for it; closes the files. */
void run_stapio(const struct options *o, struct files *f, const struct kmodule *m,
		char **environment, const struct run_signals *s, int ready, struct run_end *ret);
/*
 * Reports why stapio died, and returns the exit status. Call it after the module has been
 * removed, because writing messages may block.
 */
int run_report(const struct run_end *end);

#endif
