/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See capabilities.h. The system call is made directly: nothing else here would need
 * libcap-ng.
 */
#define _GNU_SOURCE /* AT_EACCESS */
#include "stapio/capabilities.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

static int get_caps(caps ret)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return (int)syscall(SYS_capget, &head, ret);
}

static int set_caps(const caps c)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return (int)syscall(SYS_capset, &head, c);
}

bool capabilities_reach(int dir)
{
	caps had, none;
	bool ret;

	if (get_caps(had) || get_caps(none))
		return false;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		none[i].effective = 0;
	if (set_caps(none))
		return false;
	ret = !faccessat(dir, ".", W_OK | X_OK, AT_EACCESS);
	return !set_caps(had) && ret;
}

int capabilities_drop(bool any_directory)
{
	caps c;

	if (get_caps(c))
		return -errno;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		uint32_t kept = any_directory && i == CAP_TO_INDEX(CAP_DAC_OVERRIDE)
					? CAP_TO_MASK(CAP_DAC_OVERRIDE)
					: 0;

		c[i].effective &= kept;
		c[i].permitted &= kept;
		c[i].inheritable = 0;
	}
	return set_caps(c) ? -errno : 0;
}
