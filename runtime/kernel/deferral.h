/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code of the module that may be delayed for an unlimited time: the work of a task that
 * is held on its way to user mode, or a removal that waits for calls which read or write
 * a program's memory. It holds the module meanwhile: the script ends without it, but the
 * module stays loaded.
 */
#ifndef STP_KERNEL_DEFERRAL_H
#define STP_KERNEL_DEFERRAL_H

#include <linux/completion.h>
#include <linux/sched.h>
#include <linux/task_work.h>
#include <linux/workqueue.h>

/*
 * Like task_work_add(), but returns true if the task will run the work. For any context.
 */
bool stp_deferral_add(struct task_struct *task, struct callback_head *work,
		      enum task_work_notify_mode how);
/* Must be the last call of such a work. */
void stp_deferral_end(void);

/* A removal. Its memory is static, because it may be used after the run has ended. */
struct stp_removal {
	void (*run)(void);
	struct work_struct work;
	struct completion done;
	struct stp_removal *next;
};
/*
 * Runs the removal in a kernel thread, once. Returns when it is done or has taken too
 * long. In that case it warns that `what` ("the file is") still in use, and the removal
 * continues in the background.
 */
void stp_deferral_remove(struct stp_removal *r, const char *what) __cold;

/* The time that the end of a script waits for such code, in ms. */
#define STP_DEFERRAL_PATIENCE_MS 2000

/*
 * Returns when no such code is in its last instructions any more. Called when the module
 * is unloaded.
 */
void stp_deferral_flush(void) __cold;

#endif
