/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: tasks, as the kernel sees them. Handlers have numbers of processes in
 * the initial namespace, but this process may live in another one, as in a container.
 * Small programs that this process runs once find what only the kernel knows.
 */
#ifndef STP_USER_BPFTASKS_H
#define STP_USER_BPFTASKS_H

#include <stdbool.h>
#include <stdint.h>

struct bpfcode;

/*
 * Replaces this process's numbers in bpf_shared by those that it has in the initial
 * namespace, and notes its own one, if that is another. False: the error was printed.
 */
bool bpftasks_begin(void);
/*
 * Converts a process number of this process's namespace to the pid() that the script sees
 * in that process. -1: there is none; 0 stays 0.
 */
int64_t bpftasks_number(int64_t pid);

/* ---- writing programs ---- */

/* Register 3 becomes the current task. */
void bpftasks_current(struct bpfcode *c);
/* Replaces the address in register 3 by the number, or by the pointer, at an offset. */
void bpftasks_copy(struct bpfcode *c, unsigned bytes, int offset);
void bpftasks_follow(struct bpfcode *c, int offset);
/* Stores register 3 in a word of the arena, at which register 1 points then. */
void bpftasks_store(struct bpfcode *c, const void *word);
/*
 * Writes a loop over the first threads of all processes: register 6 is the task, register
 * 8 belongs to the loop.
 */
void bpftasks_each(struct bpfcode *c, void (*visit)(struct bpfcode *c));
/* Runs the program once. Returns 0, or -errno with the set-up's error. */
int bpftasks_run(const struct bpfcode *c, const char *name);

#endif
