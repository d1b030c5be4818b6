/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The switch of the kernel's function tracer, which probes of functions need. */
#ifndef LIB_FUNCTIONTRACER_H
#define LIB_FUNCTIONTRACER_H

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#define FUNCTIONTRACER_HINT                                                                        \
	"the kernel's function tracer is switched off, so probes of the kernel's functions get "   \
	"no hits; 'sysctl kernel.ftrace_enabled=1' switches it on"

/*
 * True: it is switched off. The kernel accepts probes all the same, and does not call
 * them.
 */
static inline bool functiontracer_is_off(void)
{
	int fd = open("/proc/sys/kernel/ftrace_enabled", O_RDONLY | O_CLOEXEC);
	char digit = '1';
	bool is_read = fd >= 0 && read(fd, &digit, 1) == 1;

	if (fd >= 0)
		close(fd);
	return is_read && digit == '0';
}

#endif
