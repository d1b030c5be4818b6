/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose processes the script is about. */
#ifndef STP_KERNEL_TARGET_H
#define STP_KERNEL_TARGET_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "kernel/file.h"

/*
 * A process's point means this task: with a pid, that process alone; else all, but with
 * -c and -x the target and what descends from it, as long as the ancestors in between
 * live.
 */
bool stp_is_meant(const struct task_struct *task, int64_t pid);
/* The command of -c, before its exec: a copy of the reader, which is its parent. */
bool stp_target_waits(void);
/*
 * The pid() that the script sees in the process which the caller, who may live in a
 * namespace of processes, calls by that number. -1: there is none; 0 stays 0. For the
 * time of START: then the caller is the reader.
 */
int64_t stp_process_number(int64_t pid);
/*
 * Who runs the script: staprun says it when it
 * loads the module for somebody who is not root.
 */
extern u32 stp_owner;

/*
 * What tells the program that a process runs: only
 * to be compared, nothing holds it. NULL: none.
 */
const struct inode *stp_program_of(const struct mm_struct *mm);
/* The same of a file, held; none: it cannot be opened. */
void stp_program_find(const char *path, struct stp_file *ret);

#endif
