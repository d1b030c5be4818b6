/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See cgroup.h. Names of containers are looked up by a program of its own: it reads the
 * files of container engines, and staprun is set-uid.
 */
#define _GNU_SOURCE /* pipe2 */
#include "staprun/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <mntent.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun/beside.h"
#include "staprun/privileges.h"
#include "staprun/report.h"

#define FLAGS	     (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define LOOKED_UP    "stap-container"
#define SAYS_WHY_NOT 1 /* exit status */

/* Finds where the hierarchy of version 2 is mounted. */
static bool find_mount(char path[PATH_MAX])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	const struct mntent *m = NULL;

	while (mounts && (m = getmntent(mounts)) && strcmp(m->mnt_type, "cgroup2"))
		;
	if (m)
		snprintf(path, PATH_MAX, "%s", m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return m;
}

/* Opens a directory, and says of which hierarchy it is: 0 of none. */
static int open_group(const char *path, long *magic)
{
	struct statfs s;
	int fd = privileges_open(path, FLAGS);

	*magic = 0;
	if (fd >= 0 && !fstatfs(fd, &s))
		*magic = (long)s.f_type;
	return fd;
}

/* Opens the path below the place where the hierarchy is mounted. */
static int open_below(const char *mount, const char *path, long *magic)
{
	char whole[2 * PATH_MAX];

	snprintf(whole, sizeof(whole), "%s/%s", mount, path);
	return open_group(whole, magic);
}

int cgroup_open(const char *path)
{
	char mount[PATH_MAX];
	int fd = -ENOENT;
	long magic = 0;

	if (*path == '/')
		fd = open_group(path, &magic);
	if (fd >= 0 && magic == CGROUP2_SUPER_MAGIC)
		return fd;
	if (fd >= 0 && magic == CGROUP_SUPER_MAGIC) {
		report_error("%s: a control group of version 1", path);
		report_hint("a run can be about a group of version 2, of the hierarchy that "
			    "/proc/PID/cgroup shows in the line 0::");
		close(fd);
		return -1;
	}
	if (fd >= 0)
		close(fd);
	if (!find_mount(mount)) {
		report_error("no hierarchy of control groups is mounted");
		report_hint("mount -t cgroup2 cgroup2 /sys/fs/cgroup");
		return -1;
	}
	fd = open_below(mount, path, &magic);
	if (fd >= 0 && magic == CGROUP2_SUPER_MAGIC)
		return fd;
	report_error("there is no control group %s below %s%s%s", path, mount,
		     fd == -ENOENT || fd >= 0 ? "" : ": ",
		     fd == -ENOENT || fd >= 0 ? "" : strerror(-fd));
	report_hint("systemd-cgls shows those that there are, /proc/PID/cgroup that of a process");
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Runs in the child; its stderr is ours. */
static void become_container(const char *name, char **environment, int out)
{
	const char *argv[] = { LOOKED_UP, "--", name, NULL };
	char path[PATH_MAX];
	sigset_t none;

	sigemptyset(&none);
	if (!beside_find(LOOKED_UP, path) || !privileges_drop() || dup2(out, 1) < 0 ||
	    sigprocmask(SIG_SETMASK, &none, NULL))
		return;
	execve(path, (char *const *)argv, environment);
	report_error("%s: %s", path, strerror(errno));
}

/* Reads a line; a child that says more is not waited for. */
static bool read_line(int fd, char line[PATH_MAX])
{
	size_t used = 0;
	ssize_t n;

	do {
		n = read(fd, line + used, PATH_MAX - 1 - used);
		used += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && used < PATH_MAX - 1) || (n < 0 && errno == EINTR));
	line[used] = 0;
	if (!used || line[used - 1] != '\n')
		return false;
	line[used - 1] = 0;
	return *line && !strchr(line, '\n');
}

int cgroup_of_container(const char *name, char **environment)
{
	char path[PATH_MAX];
	int ends[2], status = 0;
	bool told;
	pid_t child;

	if (pipe2(ends, O_CLOEXEC)) {
		report_error("pipe: %s", strerror(errno));
		return -1;
	}
	child = fork();
	if (!child) {
		become_container(name, environment, ends[1]);
		_exit(SAYS_WHY_NOT);
	}
	close(ends[1]);
	told = child > 0 && read_line(ends[0], path);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (told && WIFEXITED(status) && !WEXITSTATUS(status))
		return cgroup_open(path);
	if (child < 0)
		report_error("fork: %s", strerror(errno));
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != SAYS_WHY_NOT)
		report_error(LOOKED_UP " said nothing about %s", name);
	return -1;
}
