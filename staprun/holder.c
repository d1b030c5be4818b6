/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See holder.h. */
#include "staprun/holder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "staprun/kmodule.h"

struct ctl {
	char path[160];
	ino_t number;
};

static bool find_ctl(const struct kmodule *m, struct ctl *ret)
{
	struct stat st;

	snprintf(ret->path, sizeof(ret->path), KMODULE_PREFIX "%s/ctl", m->name);
	ret->number = fstatat(m->dir, "ctl", &st, AT_SYMLINK_NOFOLLOW) ? 0 : st.st_ino;
	return ret->number;
}

/*
 * True: the open file is the module's. Its name alone proves little: in their own mounts,
 * users can have files of any name. Its inode number is the same in each /proc.
 */
static bool is_ctl(int fds, const char *name, const struct ctl *ctl)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(fds, name, target, sizeof(target) - 1);
	struct statfs fs;
	struct stat st;
	bool ret;
	int fd;

	if (n <= 0)
		return false;
	target[n] = 0;
	if (strcmp(target, ctl->path))
		return false;
	fd = openat(fds, name, O_PATH | O_CLOEXEC);
	ret = fd >= 0 && !fstat(fd, &st) && st.st_ino == ctl->number && !fstatfs(fd, &fs) &&
	      fs.f_type == PROC_SUPER_MAGIC;
	if (fd >= 0)
		close(fd);
	return ret;
}

static bool has_open(pid_t pid, const struct ctl *ctl)
{
	char fds[32];
	struct dirent *e;
	bool found = false;
	DIR *d;

	snprintf(fds, sizeof(fds), "/proc/%d/fd", (int)pid);
	d = opendir(fds);
	if (!d)
		return false;
	while (!found && (e = readdir(d)))
		found = is_ctl(dirfd(d), e->d_name, ctl);
	closedir(d);
	return found;
}

bool holder_has(pid_t pid, const struct kmodule *m)
{
	struct ctl ctl;

	return find_ctl(m, &ctl) && has_open(pid, &ctl);
}

pid_t holder_find(const struct kmodule *m)
{
	struct dirent *e;
	struct ctl ctl;
	bool has_ctl = find_ctl(m, &ctl);
	pid_t ret = 0;
	DIR *d = opendir("/proc");

	if (!d)
		return 0;
	while (has_ctl && !ret && (e = readdir(d))) {
		long pid = strtol(e->d_name, NULL, 10);
		if (pid > 0 && pid <= INT_MAX && has_open((pid_t)pid, &ctl))
			ret = (pid_t)pid;
	}
	closedir(d);
	return ret;
}
