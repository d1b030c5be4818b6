/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of /proc do not hold the module whose functions they call, as other files do.
 * When the module is unloaded, an open file is closed, which waits for running calls, and
 * these can be blocked by a program's memory. Therefore each open file holds the module.
 */
#ifndef STP_KERNEL_PROCFILE_H
#define STP_KERNEL_PROCFILE_H

#include <linux/module.h>

#include "compat/proc.h"

/* ENODEV: the module is being unloaded. */
static inline int procfile_hold(void)
{
	return try_module_get(THIS_MODULE) ? 0 : -ENODEV;
}

/*
 * For the release of a file: when the module is unloaded, the kernel waits for the
 * release to return.
 */
static inline void procfile_let_go(void)
{
	module_put(THIS_MODULE);
}

#endif
