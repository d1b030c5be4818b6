/* SPDX-License-Identifier: GPL-2.0-or-later */
/* staprun -A for programs of --runtime=bpf that run without a reader. */
#ifndef STAPRUN_BPFATTACH_H
#define STAPRUN_BPFATTACH_H

struct caller;
struct options;
struct run_signals;

/*
 * Reads the run of that name until it ends, or until SIGQUIT. Gives up all privileges.
 * Returns the exit status. Errors are printed.
 */
int bpfattach_run(const struct options *o, const char *name, const struct caller *c,
		  char **environment, const struct run_signals *signals);

#endif
