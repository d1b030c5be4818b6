/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of the module that others keep from running, for as long as they like: the work of
 * a task that is held on its way to user mode, a removal that waits for calls which read
 * or write a program's memory. It holds the module meanwhile: the script ends without it,
 * the module stays.
 */
#ifndef STP_KERNEL_DEFERRAL_H
#define STP_KERNEL_DEFERRAL_H

#include <linux/completion.h>
#include <linux/sched.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

/*
 * The same as task_work_add(), but returns true when the task will run the work. For any
 * context.
 */
bool stp_deferral_add(struct task_struct *task, struct callback_head *work,
		      enum task_work_notify_mode how);
/* Has to be the last call of such a work. */
void stp_deferral_end(void);

/* A removal. Its memory is static: it stays in use when the run has ended. */
struct stp_removal {
	void (*run)(void);
	struct work_struct work;
	struct completion done;
	struct stp_removal *next;
};
/*
 * Runs the removal in a kernel thread, once. Returns when it is done, or when it has
 * taken too long: then it goes on by itself, after the warning that `what` ("the file
 * is") still in use.
 */
void stp_deferral_remove(struct stp_removal *r, const char *what) __cold;

/* Time that a script's end waits for others, in ms. */
#define STP_DEFERRAL_PATIENCE_MS 2000

/*
 * Returns when no such code is in its last instruction any more; called when the module
 * goes.
 */
void stp_deferral_flush(void) __cold;

#endif
