/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See holder.h. */
#include "staprun/holder.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "staprun/loaded.h"

static bool has_open(pid_t pid, const char *path)
{
	char fds[32], target[PATH_MAX];
	struct dirent *e;
	bool found = false;
	DIR *d;

	snprintf(fds, sizeof(fds), "/proc/%d/fd", (int)pid);
	d = opendir(fds);
	if (!d)
		return false;
	while (!found && (e = readdir(d))) {
		ssize_t n = readlinkat(dirfd(d), e->d_name, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = 0;
		found = !strcmp(target, path);
	}
	closedir(d);
	return found;
}

bool holder_has(pid_t pid, const char *name)
{
	char path[160];

	snprintf(path, sizeof(path), LOADED_PREFIX "%s/ctl", name);
	return has_open(pid, path);
}

pid_t holder_find(const char *name)
{
	struct dirent *e;
	pid_t ret = 0;
	DIR *d = opendir("/proc");

	if (!d)
		return 0;
	while (!ret && (e = readdir(d))) {
		long pid = strtol(e->d_name, NULL, 10);
		if (pid > 0 && pid <= INT_MAX && holder_has((pid_t)pid, name))
			ret = (pid_t)pid;
	}
	closedir(d);
	return ret;
}
