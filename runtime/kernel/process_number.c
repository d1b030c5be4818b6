/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file apart from target.c: every module starts, but not every module looks at tasks.
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
