/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the loaded module to the end of stapio. */
#ifndef STAPRUN_RUN_H
#define STAPRUN_RUN_H

#include <signal.h>
#include <stdbool.h>

struct files;
struct options;

struct run_signals {
	sigset_t caught;
};

/*
 * Before anything is done: from here on a signal cannot end staprun and leave something behind, and is not lost. They stay blocked through the exec of
 * stapio, which reads them when it is ready to.
 */
bool run_block_signals(struct run_signals *s);
/* One has come that asks for the end, and that has been said. */
bool run_is_interrupted(const struct run_signals *s);
/* Runs stapio and waits for it; closes the files. Its exit status. */
int run_stapio(const struct options *o, struct files *f, const char *name, char **environment,
	       const struct run_signals *s, int ready);

#endif
