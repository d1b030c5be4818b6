/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Separate from target.c: every module needs this to start, but not every module examines
 * tasks.
 */
#include <linux/pid.h>

#include "kernel/target.h"

int64_t stp_process_number(int64_t pid)
{
	struct pid *found;
	int64_t ret;

	if (!pid)
		return 0;
	rcu_read_lock();
	found = find_vpid((int)pid);
	ret = found ? pid_nr(found) : -1;
	rcu_read_unlock();
	return ret;
}
