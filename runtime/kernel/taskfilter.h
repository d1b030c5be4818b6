/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun --cgroup: ignores hits of tasks outside of one control group. A cgroup knows
 * its ancestors, so the cost is the same at any depth, and new tasks are inside from
 * their first instruction. In an interrupt the current task is the one that was
 * interrupted.
 */
#ifndef STP_KERNEL_TASKFILTER_H
#define STP_KERNEL_TASKFILTER_H

#include <linux/cgroup.h>

struct stp_taskfilter {
	struct cgroup *group; /* NULL: all tasks count */
	int level;	      /* of the group, below the root */
};
extern struct stp_taskfilter stp_taskfilter;
/*
 * Descriptor of the cgroup's directory, valid in the process that loads the module; 0:
 * none.
 */
extern unsigned int stp_taskfilter_fd;

/* Both are called while the module is loaded and unloaded. Returns 0 or -errno. */
int stp_taskfilter_create(void) __attribute__((cold));
void stp_taskfilter_destroy(void) __attribute__((cold));

/*
 * True: the current task is in the group or below it. Interrupts are off, so the old
 * group of a task that is being moved stays valid. Code that RCU does not watch belongs
 * to the idle task, which is never moved.
 */
static __always_inline bool stp_taskfilter_passes(void)
{
#ifdef CONFIG_CGROUPS
	const struct cgroup *of = rcu_dereference_raw(current->cgroups)->dfl_cgrp;
	int level = stp_taskfilter.level;

	return of->level >= level && of->ancestors[level] == stp_taskfilter.group;
#else
	return true;
#endif
}

#endif
