/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the module's memory readable in a dump of the machine (uapi/crash.h). */
#ifndef STP_KERNEL_CRASH_H
#define STP_KERNEL_CRASH_H

#include "core/env.h"

/* Registers the session for crash dumps, once it is created. Returns 0 or -ENOMEM. */
int stp_crash_create(void) __attribute__((cold));
/* Call it before the session is destroyed: freed memory must not be described. */
void stp_crash_destroy(void) __attribute__((cold));

#endif
