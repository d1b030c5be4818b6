/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See cleaner.h. stap and its children hold one end of a socket; when reading the other
 * end returns its end, all of them are gone. PR_SET_PDEATHSIG alone would not do: it does
 * not survive a set-uid staprun, and removes nothing.
 */
#include "stap/run/cleaner.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "base/tmpdir.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"

enum { GUARD_END = 0 }; /* a message of stap; any other number is the process of the run */

enum { TRIES = 50, PAUSE_NS = 100000000 };

/* The answer about the directory. */
struct answer {
	bool is_made;
	enum error_kind kind;
	char text[PATH_MAX]; /* its name, or the error */
};

/*
 * Detaches from stap. The other name protects this process from a kill of stap by name.
 */
static void step_aside(int fd)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	prctl(PR_SET_NAME, "stap-guard");
	subprocess_leave(fd);
	if (chdir("/"))
		return; /* then it still holds a directory */
}

static void make_directory(struct session *s, int fd)
{
	static struct answer answer;
	const char *dir;
	struct error *err = tmpdir_of(s, &dir);

	answer.is_made = !err;
	answer.kind = err ? err->kind : ERROR_RUN;
	strncpy(answer.text, err ? err->text : dir, sizeof(answer.text) - 1);
	send(fd, &answer, sizeof(answer), MSG_NOSIGNAL); /* stap is gone: reading shows it */
}

/* Waits until stap has ended, normally or not. */
static void await_end(int fd)
{
	int run = -1;
	pid_t what;
	ssize_t n;

	while ((n = recv(fd, &what, sizeof(what), 0)) > 0 || (n < 0 && errno == EINTR)) {
		if (n > 0 && what == GUARD_END)
			return;
		if (n > 0)
			run = pidfd_open(what, 0);
	}
	if (run >= 0)
		pidfd_send_signal(run, SIGTERM, NULL, 0);
}

/*
 * Removes the directory. A compiler that did not get the signal may still be writing
 * there.
 */
static void remove_directory(const char *dir)
{
	path_remove_tree(dir);
	for (int i = 0; path_exists(dir) && i < TRIES; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
		path_remove_tree(dir);
	}
}

static void __attribute__((noreturn)) guard_main(struct session *s, int fd)
{
	step_aside(fd);
	make_directory(s, fd);
	await_end(fd);
	if (s->tmp_dir && !s->options->keep_tmp)
		remove_directory(s->tmp_dir);
	_exit(0);
}

static struct error *receive_answer(struct session *s, int fd)
{
	struct answer answer;
	ssize_t n;

	while ((n = recv(fd, &answer, sizeof(answer), 0)) < 0 && errno == EINTR)
		;
	if (n != sizeof(answer))
		return error_create(
			s->arena, ERROR_ENVIRONMENT,
			"the process that looks after the temporary directory was killed");
	if (!answer.is_made)
		return error_create(s->arena, answer.kind, "%s", answer.text);
	s->tmp_dir = arena_strdup(s->arena, answer.text);
	return NULL;
}

struct error *cleaner_start(struct session *s, struct guard *ret)
{
	struct error *err;
	int fds[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds))
		return error_errno(s->arena, "socketpair");
	ret->fd = fds[1];
	ret->pid = fork();
	if (ret->pid == 0) {
		close(fds[1]);
		guard_main(s, fds[0]);
	}
	close(fds[0]);
	if (ret->pid < 0)
		return error_errno(s->arena, "fork");
	err = receive_answer(s, ret->fd);
	if (err)
		cleaner_end(ret);
	return err;
}

static void tell(const struct guard *g, pid_t what)
{
	while (send(g->fd, &what, sizeof(what), MSG_NOSIGNAL) < 0 && errno == EINTR)
		;
}

void cleaner_watch(const struct guard *g)
{
	tell(g, getpid());
	close(g->fd);
}

void cleaner_end(const struct guard *g)
{
	tell(g, GUARD_END);
	close(g->fd);
	while (waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
}
