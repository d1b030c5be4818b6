/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See attach.h. */
#include "staprun/attach.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "staprun/files.h"
#include "staprun/kmodule.h"
#include "staprun/report.h"
#include "uapi/msg.h"

void attach_say(const char *name)
{
	dprintf(STDERR_FILENO,
		"%s goes on without a reader.\n"
		"staprun -A %s  attaches to it\n"
		"staprun -d %s  ends and removes it\n",
		name, name, name);
}

bool attach_stop(const struct kmodule *m)
{
	static struct files files;
	uint64_t left;
	bool ok;

	if (!files_open(&files, m))
		return false;
	ok = !ioctl(files.ctl, STP_IOC_STOP);
	if (!ok)
		report_error("ending %s: %s", m->name, strerror(errno));
	left = files_count_left(&files);
	files_close_control(&files);
	files_close_rings(&files);
	if (left)
		dprintf(STDERR_FILENO, "WARNING: %s: the output of %" PRIu64 " hits was not read\n",
			m->name, left);
	return ok;
}
