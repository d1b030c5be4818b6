/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See privileges.h. */
#define _GNU_SOURCE /* setresuid */
#include "staprun/privileges.h"

#include <cap-ng.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "staprun/say.h"

/* A file opened as descriptor 2 would get our messages. */
static bool open_standard_fds(void)
{
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	return fd > STDERR_FILENO && !close(fd);
}

/* One descriptor for each ring, and a few. A limit that is high enough is left as it is, for the commands
 * that inherit it. */
static void raise_file_limit(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	rlim_t needed = (rlim_t)(cpus > 0 ? cpus : 1) + 64;
	struct rlimit l;

	if (getrlimit(RLIMIT_NOFILE, &l) || l.rlim_cur >= needed)
		return;
	l.rlim_cur = needed;
	if (l.rlim_max < needed)
		l.rlim_max = needed;
	// Without it, opening the rings fails with a message.
	if (setrlimit(RLIMIT_NOFILE, &l))
		say_verbose("raising the limit of open files: %s", strerror(errno));
}

bool privileges_prepare(char ***environment)
{
	static char *empty[] = { NULL };

	*environment = environ;
	environ = empty;
	if (!open_standard_fds())
		return false;
	raise_file_limit();
	return true;
}

bool privileges_check(void)
{
	if (getuid() == 0 && geteuid() == 0)
		return true;
	say_error("only root may load modules with staprun (try: sudo staprun ...)");
	return false;
}

static bool set_ids(void)
{
	gid_t gid = getgid();
	uid_t uid = getuid();

	return !setresgid(gid, gid, gid) && !setresuid(uid, uid, uid);
}

/*
 * The bounding set stays: a process of root gets its capabilities back from it at exec, and the commands that
 * stapio runs for root are root's. stapio lays down its own (stapio/privileges.h). Any other user gets
 * nothing back.
 */
bool privileges_drop(void)
{
	if (!set_ids()) {
		say_error("becoming user %d: %s", (int)getuid(), strerror(errno));
		return false;
	}
	capng_clear(CAPNG_SELECT_CAPS);
	if (!capng_apply(CAPNG_SELECT_CAPS))
		return true;
	say_error("dropping capabilities: %s", strerror(errno));
	return false;
}

bool privileges_reduce(void)
{
	static const struct rlimit none = { 0, 0 };

	if (setrlimit(RLIMIT_CORE, &none)) {
		say_error("switching core dumps off: %s", strerror(errno));
		return false;
	}
	capng_clear(CAPNG_SELECT_CAPS);
	if (!capng_updatev(CAPNG_ADD, CAPNG_EFFECTIVE | CAPNG_PERMITTED, CAP_SYS_MODULE, CAP_KILL, -1) &&
	    !capng_apply(CAPNG_SELECT_CAPS))
		return true;
	say_error("reducing capabilities: %s", strerror(errno));
	return false;
}
