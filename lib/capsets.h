/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capabilities of this process, by the kernel's own system calls. This needs neither
 * /proc nor a library that knows the last capability.
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

/* True: the capability is effective. */
static inline bool capsets_have(unsigned capability)
{
	capset c;

	return !capsets_get(c) && c[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

/* Clears the effective set. The permitted set stays as it is. */
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
