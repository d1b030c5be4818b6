/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/port.h"
#include "user/bpfkernel.h"

/* Defined here because the headers of some distributions are too old. */
#define CONFIG_CREATE 6 /* FSCONFIG_CMD_CREATE */

int bpfkernel_mount(const char *type)
{
	int context = (int)syscall(SYS_fsopen, type, 1);
	int ret = -1;

	if (context < 0)
		return -1;
	if (!syscall(SYS_fsconfig, context, CONFIG_CREATE, NULL, NULL, 0))
		ret = (int)syscall(SYS_fsmount, context, 1, 0);
	close(context);
	return ret;
}

/* Reads what the kernel was told: "none (voluntary) full lazy" is voluntary. */
static bool is_preempting(void)
{
	int files = bpfkernel_mount("debugfs");
	int fd = files >= 0 ? openat(files, "sched/preempt", O_RDONLY | O_CLOEXEC) : -1;
	char text[64] = "";
	ssize_t n = fd >= 0 ? read(fd, text, sizeof(text) - 1) : -1;

	if (fd >= 0)
		close(fd);
	if (files >= 0)
		close(files);
	return n <= 0 || (!strstr(text, "(none)") && !strstr(text, "(voluntary)"));
}

bool bpfkernel_preempts(void)
{
	struct utsname kernel;

	if (uname(&kernel))
		return true;
	return strstr(kernel.version, "PREEMPT") != NULL && is_preempting();
}

bool bpfkernel_is_from(unsigned major, unsigned minor)
{
	struct utsname kernel;
	unsigned a, b;

	return !uname(&kernel) && sscanf(kernel.release, "%u.%u", &a, &b) == 2 &&
	       (a > major || (a == major && b >= minor));
}

/* From 6.14 on, kprobe.multi is a user of the function graph tracer. */
bool bpfkernel_returns_newest_first(void)
{
	return bpfkernel_is_from(6, 14);
}
