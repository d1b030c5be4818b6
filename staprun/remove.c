/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See remove.h. */
#include "staprun/remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "staprun/attach.h"
#include "staprun/caller.h"
#include "staprun/debugfs.h"
#include "staprun/holder.h"
#include "staprun/privileges.h"
#include "staprun/say.h"
#include "uapi/msg.h"

#define TRIES	 100
#define PAUSE_NS 50000000

static void pause_shortly(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
}

static bool is_busy(int error)
{
	return error == EAGAIN || error == EBUSY || error == EINTR;
}

/* What is not one of stap's is nobody's but root's. */
static bool is_owned(const char *name, uid_t owner)
{
	uid_t uid;

	return debugfs_owner(name, &uid) ? uid == owner : !owner;
}

bool remove_module(const char *name, uid_t owner)
{
	int error = EAGAIN;

	STAP_PROBE1(staprun, remove__module, name);
	for (int i = 0; i < TRIES && is_busy(error); i++) {
		if (i)
			pause_shortly();
		error = !is_owned(name, owner) ? ENOENT : syscall(SYS_delete_module, name, O_NONBLOCK) ? errno : 0;
	}
	// Gone is gone: `staprun -d` may have been there first.
	if (!error || error == ENOENT) {
		say_verbose("removed %s", name);
		return true;
	}
	say_error("removing module %s: %s", name, is_busy(error) ? "it is still in use" : strerror(error));
	say_hint("it stays loaded and idle; later: staprun -d %s", name);
	return false;
}

static bool is_loaded(const char *name)
{
	char path[320];

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	return !access(path, F_OK);
}

/* 1: nobody reads the module; 0: somebody does; -1: it has no ctl. Opening and closing ctl also ends a run
 * that nobody reads and that is not kept. */
static int try_control(const char *name)
{
	int dir = debugfs_open_dir(name), fd, error;

	if (dir < 0)
		return -1;
	fd = openat(dir, "ctl", O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	error = errno;
	close(dir);
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 1 : error == EBUSY ? 0 : -1;
}

/* With the user's rights: who reads the module may be another. */
static bool ask_to_stop(pid_t pid)
{
	struct privileges_aside aside;
	bool ok = privileges_put_aside(&aside) && !kill(pid, SIGTERM);

	return privileges_take_back(&aside) && ok;
}

/* Asks the process that runs the module to stop, and waits for it. */
static bool stop_run(const char *name)
{
	pid_t pid = holder_find(name);

	if (pid <= 0 || !ask_to_stop(pid)) {
		say_error("module %s is in use by another process", name);
		return false;
	}
	say_verbose("asked process %d, which runs %s, to stop", (int)pid, name);
	for (int i = 0; i < TRIES; i++) {
		if (try_control(name) != 0)
			return true;
		pause_shortly();
	}
	say_error("module %s: process %d does not stop (kill -9 %d ends it)", name, (int)pid, (int)pid);
	return false;
}

/* The caller may end it and read it. */
static bool is_callers(const char *name, const struct caller *c, uid_t *owner)
{
	return debugfs_owner(name, owner) && (*owner == getuid() || caller_may_all(c));
}

/* It is there, one of stap's, and the caller's; otherwise it has been said. */
static bool check(const char *name, const struct caller *c, uid_t *owner)
{
	if (!is_loaded(name))
		say_error("no module %s is loaded", name);
	else if (!debugfs_owner(name, owner))
		say_error("module %s is not one of stap's: left alone", name);
	else if (!is_callers(name, c, owner))
		say_error("module %s is another user's: left alone", name);
	else
		return true;
	return false;
}

bool remove_on_request(const char *name, const struct caller *c)
{
	uid_t owner;

	if (!check(name, c, &owner))
		return false;
	switch (try_control(name)) {
	case 1:
		return attach_stop(name) && remove_module(name, owner);
	case 0:
		return stop_run(name) && remove_module(name, owner);
	default:
		say_error("module %s has no control file: left alone", name);
		return false;
	}
}

bool remove_is_free(const char *name, const struct caller *c)
{
	uid_t owner;
	int state;

	if (!check(name, c, &owner))
		return false;
	state = try_control(name);
	if (state <= 0)
		say_error("module %s is read by process %d already", name, (int)holder_find(name));
	return state > 0;
}

bool remove_all_left(const struct caller *c)
{
	DIR *d = opendir(DEBUGFS_ROOT "/" STP_DEBUGFS_DIR);
	struct dirent *e;
	bool ok = true;
	uid_t owner;

	// Without a directory no module has been loaded yet.
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.' && is_loaded(e->d_name) && is_callers(e->d_name, c, &owner) && try_control(e->d_name) > 0)
			ok &= attach_stop(e->d_name) && remove_module(e->d_name, owner);
	if (d)
		closedir(d);
	return ok;
}
