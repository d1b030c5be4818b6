/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a program of --runtime=bpf. The gate is the one of modules (load.h, vouch.h): a
 * program is executed out of memory, from the bytes that were checked. It takes this
 * process's place, so nothing is left to clean up when it ends.
 */
#ifndef STAPRUN_BPFPROGRAM_H
#define STAPRUN_BPFPROGRAM_H

struct caller;
struct load;
struct options;
struct run_signals;

/* Returns the exit status, after a message, if the program was not executed. */
int bpfprogram_run(const struct options *o, struct load *l, const struct caller *c,
		   char **environment, const struct run_signals *signals);

#endif
