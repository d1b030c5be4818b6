/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes, without a shell. */
#ifndef STAP_BASE_SUBPROCESS_H
#define STAP_BASE_SUBPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct arena;
struct error;

struct process_result {
	int status;         /* exit status, or 128 + signal */
	const char *output; /* stdout and stderr together, when captured */
};

/* One that runs. */
struct subprocess {
	pid_t pid;
	int input;           /* where its standard input can be written, or -1: it is stap's */
	int output;          /* where both its streams can be read, or -1 */
	const char *program;
};

/*
 * Runs argv (NULL-terminated; argv[0] is looked up in PATH) in directory dir (NULL: here)
 * and waits. With capture both streams go to ret->output, else they are inherited. An
 * error means that the program could not be started.
 */
struct error *subprocess_run(struct arena *a, const char *dir, char *const argv[], bool capture,
			  struct process_result *ret);

/* The same in two: what is started must be waited for. */
struct error *subprocess_start(struct arena *a, const char *dir, char *const argv[], bool capture,
			       struct subprocess *ret);
/* One that reads what subprocess_feed() gives it, once; both its streams are captured. */
struct error *subprocess_start_fed(struct arena *a, const char *dir, char *const argv[],
				   struct subprocess *ret);
void subprocess_feed(struct subprocess *p, const char *text, size_t len);
/*
 * Waits for any child. Its exit status, or 128 +
 * signal; -1, and errno: it is none of ours.
 */
int subprocess_end(pid_t pid);
struct error *subprocess_wait(struct arena *a, struct subprocess *p, struct process_result *ret);

/*
 * In a child: whoever waits for stap's output to end, or means its process
 * group, does not mean this one. It keeps one descriptor, or none: -1.
 */
void subprocess_leave(int kept);

/* The directories where programs are looked for, parted by ':'. */
const char *subprocess_path(void);
/* The name where it has a '/', else PATH's first file of that name; NULL: none. */
const char *subprocess_find(struct arena *a, const char *name);

#endif
