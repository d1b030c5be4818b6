/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capabilities of this process, by the kernel's own calls: nothing of /proc is needed,
 * and no library's idea of which capability is the last.
 */
#ifndef LIB_CAPSETS_H
#define LIB_CAPSETS_H

#include <linux/capability.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct __user_cap_data_struct capset[_LINUX_CAPABILITY_U32S_3];

static inline int capsets_get(capset ret)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return (int)syscall(SYS_capget, &head, ret);
}

static inline int capsets_set(const capset c)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };

	return (int)syscall(SYS_capset, &head, c);
}

/* True: the capability is in effect. */
static inline bool capsets_have(unsigned capability)
{
	capset c;

	return !capsets_get(c) && c[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

/* Puts all of them out of effect; they stay permitted. */
static inline bool capsets_suspend(void)
{
	capset c;

	if (capsets_get(c))
		return false;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++)
		c[i].effective = 0;
	return !capsets_set(c);
}

#endif
