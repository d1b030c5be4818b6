/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See run.h. */
#define _GNU_SOURCE /* environ */
#include "staprun/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "staprun/attach.h"
#include "staprun/daemon.h"
#include "staprun/debugfs.h"
#include "staprun/image.h"
#include "staprun/options.h"
#include "staprun/privileges.h"
#include "staprun/say.h"

#define FDS_SIZE 65536

enum { EXIT_RUN_FAILED = 1 };

static const int caught[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD };

/* A blocked signal arrives even when it is ignored: nohup(1) stands. */
static bool is_nohup(int n)
{
	struct sigaction sa;

	return n == SIGHUP && !sigaction(n, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

bool run_block_signals(struct run_signals *s)
{
	sigemptyset(&s->caught);
	for (unsigned i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
		if (!is_nohup(caught[i]))
			sigaddset(&s->caught, caught[i]);
	}
	// Ignored, our child would never be reported.
	if (signal(SIGCHLD, SIG_DFL) != SIG_ERR && !sigprocmask(SIG_BLOCK, &s->caught, NULL))
		return true;
	say_error("blocking signals: %s", strerror(errno));
	return false;
}

/* A hard link to a set-uid staprun may stand in any directory; beside it may stand anything. */
static bool is_trusted_place(const char *path)
{
	char dir[PATH_MAX];
	int fd;

	if (!getuid())
		return true;
	snprintf(dir, sizeof(dir), "%s", path);
	*strrchr(dir, '/') = 0;
	fd = image_open_root_dir(*dir ? dir : "/");
	if (fd >= 0)
		close(fd);
	else
		say_error("%s: others than root may write there: what it holds is not run", dir);
	return fd >= 0;
}

/* stapio stands beside staprun, or in ../libexec/stap. */
static bool find_stapio(char path[PATH_MAX])
{
	static const char *const places[] = { "stapio", "../libexec/stap/stapio" };
	ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 64);

	if (n <= 0 || n == PATH_MAX - 64) {
		say_error("/proc/self/exe cannot be read");
		return false;
	}
	path[n] = 0;
	char *base = strrchr(path, '/') + 1;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		strcpy(base, places[i]);
		if (!access(path, X_OK))
			return is_trusted_place(path);
	}
	*base = 0;
	say_error("stapio is neither in %s nor in %s../libexec/stap", path, path);
	return false;
}

/* The child. Whatever goes wrong has been printed when it returns. */
static void become_stapio(const struct options *o, const struct files *f, const char *name,
			  char **environment, int ready)
{
	static char fds[FDS_SIZE], path[PATH_MAX], ready_text[32];
	const char *argv[MAX_PASSED + 5] = { "stapio", fds };
	unsigned n = 2;

	if (ready >= 0) {
		snprintf(ready_text, sizeof(ready_text), "--ready=%d", ready);
		argv[n++] = ready_text;
	}
	for (unsigned i = 0; i < o->npassed; i++)
		argv[n++] = o->passed[i];
	argv[n] = name;
	if (!find_stapio(path) || !privileges_drop())
		return;
	if (!files_format(f, fds, sizeof(fds)) || !files_keep(f) || (ready >= 0 && fcntl(ready, F_SETFD, 0))) {
		say_error("passing descriptors on failed");
		return;
	}
	// Signals stay blocked: what has come by then, stapio reads when it can.
	execve(path, (char *const *)argv, environment);
	say_error("%s: %s", path, strerror(errno));
}

/*
 * A terminal sends SIGINT to stapio as well, but not to one that is not forked yet: whoever sent it, it goes on, as SIGTERM, for a second SIGINT would make
 * stapio hurry. Nothing else has another meaning when it comes twice.
 */
static void pass_signal(pid_t child, int n)
{
	if (n != SIGCHLD)
		kill(child, n == SIGINT ? SIGTERM : n);
}

/* Its status, as from waitpid(). */
static int wait_stapio(pid_t child, const struct run_signals *s)
{
	int status;

	for (;;) {
		int n;
		pid_t pid = waitpid(child, &status, WNOHANG);

		if (pid == child)
			return status;
		if (pid < 0 && errno != EINTR)
			return W_EXITCODE(EXIT_RUN_FAILED, 0);
		n = sigwaitinfo(&s->caught, NULL);
		if (n > 0)
			pass_signal(child, n);
	}
}

bool run_is_interrupted(const struct run_signals *s)
{
	sigset_t pending, wanted = s->caught;

	sigdelset(&wanted, SIGCHLD);
	if (sigpending(&pending) || sigandset(&pending, &pending, &wanted) || sigisemptyset(&pending))
		return false;
	say_error("interrupted before the start");
	return true;
}

static int exit_status(struct files *f, const char *name, int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	// What a script that goes on has written is for its next reader.
	if (attach_is_kept(name)) {
		say_error("stapio was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
		return EXIT_RUN_FAILED;
	}
	say_error("stapio was killed by signal %d (%s); %" PRIu64 " records may be lost", WTERMSIG(status),
		  strsignal(WTERMSIG(status)), files_count_left(f));
	return EXIT_RUN_FAILED;
}

int run_stapio(const struct options *o, struct files *f, const char *name, char **environment,
	       const struct run_signals *s, int ready)
{
	int ret = EXIT_RUN_FAILED;
	pid_t child;

	if (!run_is_interrupted(s)) {
		child = fork();
		if (child == 0) {
			become_stapio(o, f, name, environment, ready);
			_exit(EXIT_RUN_FAILED);
		}
		// Now stapio alone holds ctl: its end is the run's end.
		files_close_control(f);
		if (ready >= 0) {
			close(ready);
			daemon_detach();
		}
		if (child < 0)
			say_error("fork: %s", strerror(errno));
		else if (privileges_reduce())
			ret = exit_status(f, name, wait_stapio(child, s));
		else
			ret = exit_status(f, name, wait_stapio(child, s)) | EXIT_RUN_FAILED;
	}
	files_close_control(f);
	files_close_rings(f);
	return ret;
}
