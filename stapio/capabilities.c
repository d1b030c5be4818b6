/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See capabilities.h. */
#include "stapio/capabilities.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "lib/capsets.h"

bool capabilities_reach(int dir)
{
	capset had;
	bool ret;

	if (capsets_get(had) || !capsets_suspend())
		return false;
	ret = !faccessat(dir, ".", W_OK | X_OK, AT_EACCESS);
	return !capsets_set(had) && ret;
}

int capabilities_drop(bool any_directory)
{
	capset c;

	if (capsets_get(c))
		return -errno;
	for (unsigned i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		uint32_t kept = any_directory && i == CAP_TO_INDEX(CAP_DAC_OVERRIDE)
					? CAP_TO_MASK(CAP_DAC_OVERRIDE)
					: 0;

		c[i].effective &= kept;
		c[i].permitted &= kept;
		c[i].inheritable = 0;
	}
	return capsets_set(c) ? -errno : 0;
}
