/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See privileges.h. The system call itself: this is all stapio would need libcap-ng for. */
#include "stapio/privileges.h"

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

int privileges_drop(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0, 0, 0 } };

	return syscall(SYS_capset, &head, none) ? -errno : 0;
}
