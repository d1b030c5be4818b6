/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See attach.h. */
#include "staprun/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "staprun/debugfs.h"
#include "staprun/say.h"
#include "uapi/msg.h"

enum attach_state attach_find_state(const char *name)
{
	struct stp_status status = { 0 };
	int dir = debugfs_open_dir(name), fd, error, rc;

	if (dir < 0)
		return ATTACH_NONE;
	fd = openat(dir, "ctl", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	error = errno;
	close(dir);
	if (fd < 0)
		return error == EBUSY ? ATTACH_READ : ATTACH_NONE;
	rc = ioctl(fd, STP_IOC_STATUS, &status);
	close(fd);
	if (!rc && status.state == STP_LOADED)
		return ATTACH_NEW;
	return !rc && status.kept && status.state != STP_STOPPED ? ATTACH_KEPT : ATTACH_ENDED;
}

bool attach_is_kept(const char *name)
{
	enum attach_state state = attach_find_state(name);

	// Somebody else has attached to it by now.
	return state == ATTACH_KEPT || state == ATTACH_READ;
}

void attach_say(const char *name)
{
	dprintf(STDERR_FILENO,
		"%s goes on without a reader.\n"
		"staprun -A %s  attaches to it\n"
		"staprun -d %s  ends and removes it\n",
		name, name, name);
}

bool attach_stop(const char *name)
{
	static struct files files;
	uint64_t left;
	bool ok;

	if (!files_open(&files, name))
		return false;
	ok = !ioctl(files.ctl, STP_IOC_STOP);
	if (!ok)
		say_error("ending %s: %s", name, strerror(errno));
	left = files_count_left(&files);
	files_close_control(&files);
	files_close_rings(&files);
	if (left)
		dprintf(STDERR_FILENO, "WARNING: %s: the output of %" PRIu64 " hits was not read\n", name, left);
	return ok;
}
