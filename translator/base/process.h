/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes, without a shell. */
#ifndef STAP_PROCESS_H
#define STAP_PROCESS_H

#include <stdbool.h>

struct arena;
struct error;

struct process_result {
	int status;         /* exit status, or 128 + signal */
	const char *output; /* stdout and stderr together, when captured */
};

/* Runs argv (NULL-terminated; argv[0] is looked up in PATH) in directory dir (NULL: here) and waits. With capture both
 * streams go to ret->output, else they are inherited. An error means that the program could not be started. */
struct error *process_run(struct arena *a, const char *dir, char *const argv[], bool capture,
			  struct process_result *ret);

#endif
