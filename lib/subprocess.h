/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Child processes, without a shell. */
#ifndef LIB_SUBPROCESS_H
#define LIB_SUBPROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct arena;
struct error;

struct process_result {
	int status;	    /* exit status, or 128 + signal */
	const char *output; /* stdout and stderr together, when captured */
};

/* A running program. */
struct subprocess {
	pid_t pid;
	int input;  /* its standard input, to write to; -1: it has stap's */
	int output; /* both its output streams, to read from, or -1 */
	const char *program;
};

/*
 * Runs argv (NULL-terminated; argv[0] is looked up in PATH) in directory dir (NULL: here)
 * and waits. With capture both streams go to ret->output, else they are inherited. An
 * error means that the program could not be started.
 */
struct error *subprocess_run(struct arena *a, const char *dir, char *const argv[], bool capture,
			     struct process_result *ret);

/* The most that a tool may take; 0: as much as it likes. */
struct subprocess_bounds {
	unsigned cpu_seconds;
	uint64_t bytes; /* address space of each of its processes */
};

/*
 * Tools are compilers, linkers and make. They get the variables that name places (PATH,
 * HOME, TMPDIR …) and no others: CPATH, KCFLAGS, MAKEFLAGS and their like would change
 * what is built, and what is kept for later builds. Both output streams are captured;
 * messages are in English.
 *
 * subprocess_run_tool() is like subprocess_run(). `bounds` may be NULL.
 */
struct error *subprocess_run_tool(struct arena *a, const char *dir, char *const argv[],
				  const struct subprocess_bounds *bounds,
				  struct process_result *ret);
/* Starts a tool, which must be waited for. */
struct error *subprocess_start_tool(struct arena *a, const char *dir, char *const argv[],
				    struct subprocess *ret);
/* The same of a tool that reads the text that subprocess_feed() gives it, once. */
struct error *subprocess_start_tool_fed(struct arena *a, const char *dir, char *const argv[],
					struct subprocess *ret);
void subprocess_feed(struct subprocess *p, const char *text, size_t len);
/*
 * Waits for any child. Returns its exit status, or 128 + signal; -1 and errno when there
 * is no such child.
 */
int subprocess_end(pid_t pid);
struct error *subprocess_wait(struct arena *a, struct subprocess *p, struct process_result *ret);

/*
 * Detaches a child of stap: after it, neither a reader that waits for the end of stap's
 * output nor a signal to stap's process group means this process. It keeps the descriptor
 * `kept`; -1: none.
 */
void subprocess_leave(int kept);

/* Returns the directories where programs are looked for, separated by ':'. */
const char *subprocess_path(void);
/* Returns the name if it has a '/', else PATH's first file of that name; NULL: none. */
const char *subprocess_find(struct arena *a, const char *name);

#endif
