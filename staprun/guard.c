/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See guard.h. The bytes that staprun writes to the socket say how far it got. If the
 * socket ends without GUARD_DONE, staprun was killed.
 */
#include "staprun/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "staprun/daemon.h"
#include "staprun/kmodule.h"
#include "staprun/privileges.h"
#include "staprun/remove.h"
#include "staprun/report.h"
#include "uapi/msg.h"

#define PAUSE_NS 200000000

enum { GUARD_LOADED = 'l', GUARD_DONE = 'd' };

/* Waits for the end of the socket. Returns the last byte that arrived, 0 for none. */
static char wait_end(int fd)
{
	char last = 0, byte;
	ssize_t n;

	while ((n = read(fd, &byte, 1)) == 1 || (n < 0 && errno == EINTR))
		if (n == 1)
			last = byte;
	return last;
}

/*
 * Removes the module. First lets stapio run to its end; a kept run continues without a
 * reader. If staprun was killed while it loaded the module, a running module of that name
 * may be another user's.
 */
static void clean_up(const struct kmodule *m, bool was_loaded)
{
	struct kmodule_state s;

	while (kmodule_look(m, &s) && s.is_read && !s.is_kept && was_loaded)
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
	if (kmodule_look(m, &s) && !s.is_read &&
	    (s.state == STP_LOADED || (was_loaded && !kmodule_is_kept(m))))
		remove_module(m);
}

static void __attribute__((noreturn)) guard_main(int fd, const char *name, uid_t owner)
{
	struct kmodule m;
	sigset_t all;
	char last;

	// A signal to staprun's name or process group is not meant for the guard.
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "staprun-guard");
	setsid();
	daemon_detach();
	if (!privileges_reduce())
		_exit(1);
	last = wait_end(fd);
	if (last != GUARD_DONE && kmodule_find(&m, name) && m.owner == owner)
		clean_up(&m, last == GUARD_LOADED);
	_exit(0);
}

bool guard_start(struct guard *g, const char *name, uid_t owner)
{
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) {
		report_error("socketpair: %s", strerror(errno));
		return false;
	}
	g->pid = fork();
	if (g->pid == 0) {
		close(fds[1]);
		guard_main(fds[0], name, owner);
	}
	close(fds[0]);
	g->fd = fds[1];
	if (g->pid > 0)
		return true;
	report_error("fork: %s", strerror(errno));
	close(g->fd);
	return false;
}

/* Tells the guard. If the guard has gone, staprun nevertheless continues. */
static void tell(const struct guard *g, char what)
{
	while (send(g->fd, &what, 1, MSG_NOSIGNAL) < 0) {
		if (errno == EINTR)
			continue;
		report_error("the guard has ended: if staprun is killed, the module stays");
		return;
	}
}

void guard_loaded(const struct guard *g)
{
	tell(g, GUARD_LOADED);
}

void guard_end(const struct guard *g)
{
	tell(g, GUARD_DONE);
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
