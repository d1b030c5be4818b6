/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Watched memory: the processor stops after an access, and the event's handler runs. */
#ifndef STP_ARCH_WATCH_H
#define STP_ARCH_WATCH_H

#include <linux/types.h>

/* Functions of the kernel to probe instead of the events' handlers: none. */
#define ARCH_WATCH_FUNCTIONS(F)

/* True: the kernel's own memory can be watched. */
static inline bool arch_watches_kernel(void)
{
	return true;
}

#endif
