/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See cgroup.h. A separate program looks up names of containers, because it reads the
 * files of container engines, and staprun is set-uid.
 */
#include "staprun/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/confined.h"
#include "lib/hierarchy.h"
#include "staprun/options.h"
#include "staprun/siblings.h"
#include "staprun/privileges.h"
#include "staprun/report.h"

#define FLAGS	     (O_RDONLY | O_DIRECTORY | O_CLOEXEC)
#define LOOKED_UP    "stap-container"
#define SAYS_WHY_NOT 1 /* exit status */

/*
 * Opens a directory of the version 2 hierarchy. Sets *magic to the type of the file
 * system.
 */
static int open_group(const char *path, long *magic)
{
	struct statfs s;
	int fd = privileges_open(path, FLAGS);

	if (fd < 0)
		return fd;
	*magic = fstatfs(fd, &s) ? 0 : (long)s.f_type;
	if (*magic == CGROUP2_SUPER_MAGIC)
		return fd;
	close(fd);
	return -ENOENT;
}

/* Opens the path below the mount point of the hierarchy. */
static int open_below(const char *mount, const char *path)
{
	char whole[2 * PATH_MAX];
	long magic;

	snprintf(whole, sizeof(whole), "%s/%s", mount, path);
	return open_group(whole, &magic);
}

static int open_named(const char *path)
{
	char mount[PATH_MAX];
	long magic = 0;
	int fd = *path == '/' ? open_group(path, &magic) : -ENOENT;

	if (fd >= 0)
		return fd;
	if (magic == CGROUP_SUPER_MAGIC) {
		report_error("%s: a control group of version 1", path);
		report_hint("a run can be about a group of version 2, of the hierarchy that "
			    "/proc/PID/cgroup shows in the line 0::");
		return -1;
	}
	if (!hierarchy_find(mount)) {
		report_error("no hierarchy of control groups is mounted");
		report_hint(HIERARCHY_MOUNT);
		return -1;
	}
	fd = open_below(mount, path);
	if (fd >= 0)
		return fd;
	report_error("there is no control group %s below %s%s%s", path, mount,
		     fd == -ENOENT ? "" : ": ", fd == -ENOENT ? "" : strerror(-fd));
	if (confined_in(CONFINED_CGROUP))
		report_hint(CONFINED_CGROUP_HINT);
	else
		report_hint("systemd-cgls shows those that there are, /proc/PID/cgroup that of a "
			    "process");
	return -1;
}

/* Runs in the child; its stderr goes to ours. */
static void become_container(const char *name, char **environment, int out)
{
	const char *argv[] = { LOOKED_UP, "--", name, NULL };
	char path[PATH_MAX];
	sigset_t none;

	sigemptyset(&none);
	if (!siblings_find(LOOKED_UP, path) || !privileges_drop() || dup2(out, 1) < 0 ||
	    sigprocmask(SIG_SETMASK, &none, NULL))
		return;
	execve(path, (char *const *)argv, environment);
	report_error("%s: %s", path, strerror(errno));
}

/* Reads a line, and does not wait for a child that prints more. */
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

static int open_container(const char *name, char **environment)
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
		return open_named(path);
	if (child < 0)
		report_error("fork: %s", strerror(errno));
	else if (!WIFEXITED(status) || WEXITSTATUS(status) != SAYS_WHY_NOT)
		report_error(LOOKED_UP " said nothing about %s", name);
	return -1;
}

int cgroup_of_options(const struct options *o, char **environment)
{
	if (o->cgroup)
		return open_named(o->cgroup);
	return o->container ? open_container(o->container, environment) : 0;
}
