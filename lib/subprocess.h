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
	int input;  /* the write end of its standard input; -1: it shares stap's */
	int output; /* the read end of both its output streams, or -1 */
	const char *program;
};

/*
 * Runs argv (NULL-terminated; argv[0] is looked up in PATH) in directory dir (NULL: here)
 * and waits. With capture both streams go to ret->output, else they are inherited. An
 * error means that the program could not be started.
 */
struct error *subprocess_run(struct arena *a, const char *dir, char *const argv[], bool capture,
			     struct process_result *ret);

/* The resources that a tool may use; 0: no limit. */
struct subprocess_bounds {
	unsigned cpu_seconds;
	uint64_t bytes; /* address space of each of its processes */
};

/*
 * Tools are compilers, linkers and make. They get only the variables that name places
 * (PATH, HOME, TMPDIR …): CPATH, KCFLAGS, MAKEFLAGS and similar variables would change
 * the result of a build, and the results that are cached for later builds. Both output
 * streams are captured; messages are in English.
 *
 * subprocess_run_tool() is like subprocess_run(). `bounds` may be NULL.
 */
struct error *subprocess_run_tool(struct arena *a, const char *dir, char *const argv[],
				  const struct subprocess_bounds *bounds,
				  struct process_result *ret);
/* Starts a tool, which must be waited for. */
struct error *subprocess_start_tool(struct arena *a, const char *dir, char *const argv[],
				    struct subprocess *ret);
/* The same, for a tool whose input subprocess_feed() writes, once. */
struct error *subprocess_start_tool_fed(struct arena *a, const char *dir, char *const argv[],
					struct subprocess *ret);
void subprocess_feed(struct subprocess *p, const char *text, size_t len);
/*
 * Waits for a child, of any kind. Returns its exit status, or 128 + signal. If there is
 * no such child, returns -1 and sets errno.
 */
int subprocess_end(pid_t pid);
struct error *subprocess_wait(struct arena *a, struct subprocess *p, struct process_result *ret);

/*
 * Detaches this process, a child of stap. Afterwards it no longer holds stap's output
 * open, and signals to stap's process group do not reach it. It keeps the descriptor
 * `kept`; -1: none.
 */
void subprocess_leave(int kept);

/* Returns the directories that are searched for programs, separated by ':'. */
const char *subprocess_path(void);
/* Returns the name if it has a '/', else the first file of that name in PATH, or NULL. */
const char *subprocess_find(struct arena *a, const char *name);

#endif
