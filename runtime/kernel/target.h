/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The processes that the script traces. */
#ifndef STP_KERNEL_TARGET_H
#define STP_KERNEL_TARGET_H

#include <linux/fs.h>
#include <linux/sched.h>

#include "kernel/file.h"

/*
 * True: a process's point applies to this task. With a pid, it applies only to that
 * process; otherwise to all processes, but with -c and -x only to the target and its
 * descendants, as long as the ancestors in between live.
 */
bool stp_is_meant(const struct task_struct *task, int64_t pid);
/*
 * True in the command of -c before its exec: it is still a copy of the reader, its
 * parent.
 */
bool stp_target_waits(void);
/*
 * Converts a process number of the caller, who may live in a PID namespace, to the pid()
 * that the script sees in that process. -1: there is none; 0 stays 0. Valid during START,
 * in which the caller is the reader.
 */
int64_t stp_process_number(int64_t pid);
/*
 * The user who runs the script: staprun sets it when it loads the module for a user other
 * than root.
 */
extern u32 stp_owner;

/*
 * Returns the identity of the program that a process runs. It is only for comparisons,
 * because no reference is held. NULL: none.
 */
const struct inode *stp_program_of(const struct mm_struct *mm);
/*
 * Finds the same identity for a file, and holds it. It is empty if the file cannot be
 * opened.
 */
void stp_program_find(const char *path, struct stp_file *ret);

#endif
