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
 * Blocks signals, before anything else is done: from here on a signal cannot end staprun
 * and leave something behind, and is not lost. They stay blocked through the exec of
 * stapio, which reads them when it is ready to.
 */
bool run_block_signals(struct run_signals *s);
/* True: a signal that asks for the end has come; a message has said so. */
bool run_is_interrupted(const struct run_signals *s);
/* The end of stapio. */
struct run_end {
	int status; /* as from waitpid() */
	bool is_kept;
	uint64_t left; /* records that it has not read, where it was killed */
};

/* Runs stapio and waits for it; closes the files. */
void run_stapio(const struct options *o, struct files *f, const struct kmodule *m,
		char **environment, const struct run_signals *s, int ready, struct run_end *ret);
/*
 * Says what stapio died of, and returns the exit status. For when the module is removed:
 * nobody may read the messages.
 */
int run_report(const struct run_end *end);

#endif
