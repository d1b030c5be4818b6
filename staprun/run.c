/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See run.h. */
#include "staprun/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/dburl.h"
#include "staprun/siblings.h"
#include "staprun/daemon.h"
#include "staprun/files.h"
#include "staprun/kmodule.h"
#include "staprun/options.h"
#include "staprun/privileges.h"
#include "staprun/report.h"

#define FDS_SIZE      65536
#define TWICE_NS      500000000u /* a request that comes sooner counts as the same */
#define HURRY_SECONDS 5

enum { EXIT_RUN_FAILED = 1, EXIT_RUN_KILLED = 128 /* plus the signal, as in shells */ };

static const int caught[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD };

/* A blocked signal arrives even if it is ignored: respect nohup(1). */
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
	// If SIGCHLD were ignored, the end of our child would never be reported.
	if (signal(SIGCHLD, SIG_DFL) != SIG_ERR && !sigprocmask(SIG_BLOCK, &s->caught, NULL))
		return true;
	report_error("blocking signals: %s", strerror(errno));
	return false;
}

bool run_unblock_signals(const struct run_signals *s)
{
	return !sigprocmask(SIG_UNBLOCK, &s->caught, NULL);
}

/* Runs stapio in the child. An error has been printed when this returns. */
static void become_stapio(const struct options *o, const struct files *f, const char *name,
			  char **environment, int ready)
{
	static char fds[FDS_SIZE], path[PATH_MAX], ready_text[32], looks[48];
	const char *argv[MAX_PASSED + 6] = { "stapio", fds };
	unsigned n = 2;

	if (ready >= 0) {
		snprintf(ready_text, sizeof(ready_text), "--ready=%d", ready);
		argv[n++] = ready_text;
	}
	if (files_format_looks(f, looks, sizeof(looks)))
		argv[n++] = looks;
	for (unsigned i = 0; i < o->npassed; i++)
		argv[n++] = o->passed[i];
	argv[n] = name;
	if (!siblings_find("stapio", path) || !privileges_drop())
		return;
	if (!files_format(f, fds, sizeof(fds)) || !files_keep(f) ||
	    (ready >= 0 && fcntl(ready, F_SETFD, 0))) {
		report_error("passing descriptors on failed");
		return;
	}
	// Signals stay blocked: stapio reads the pending ones when it is ready.
	execve(path, (char *const *)argv, environment);
	report_error("%s: %s", path, strerror(errno));
}

/*
 * Counts requests to end, by sender. A signal to a process group reaches this process,
 * and also stap, our parent, which passes it on: both together count once.
 */
struct asked {
	unsigned times[2]; /* from others, from our parent */
	uint64_t last[2];  /* ns; timeout(1) signals the process and then its group */
	bool hurry;
};

static void count_asked(struct asked *a, const siginfo_t *info)
{
	unsigned who = info->si_pid == getppid();
	uint64_t now = clock_now();

	if (a->times[who] && now - a->last[who] < TWICE_NS)
		return;
	a->times[who]++;
	a->last[who] = now;
	a->hurry |= a->times[who] > 1;
}

/*
 * Asks stapio to end: by SIGTERM, whichever signal came, or by SIGINT if it must hurry. A
 * terminal sends SIGINT to stapio as well, but not before stapio is forked; stapio counts
 * those by itself. No other signal has another meaning when it comes twice.
 */
static void pass_signal(pid_t child, const siginfo_t *info, struct asked *a)
{
	int n = info->si_signo;

	if (n == SIGCHLD)
		return;
	if (info->si_code != SI_KERNEL && (n == SIGINT || n == SIGTERM))
		count_asked(a, info);
	if (a->hurry)
		report_hurry();
	if (n == SIGINT || n == SIGTERM)
		n = a->hurry ? SIGINT : SIGTERM;
	kill(child, n);
}

/*
 * Returns stapio's status, as from waitpid(). Kills a stapio that must hurry and cannot,
 * because nobody reads its messages or it is stopped.
 */
static int wait_stapio(pid_t child, const struct run_signals *s)
{
	const struct timespec patience = { .tv_sec = HURRY_SECONDS };
	struct asked asked = { 0 };
	siginfo_t info;
	int status;

	for (;;) {
		pid_t pid = waitpid(child, &status, WNOHANG);
		int n;

		if (pid == child)
			return status;
		if (pid < 0 && errno != EINTR)
			return W_EXITCODE(EXIT_RUN_FAILED, 0);
		n = sigtimedwait(&s->caught, &info, asked.hurry ? &patience : NULL);
		if (n > 0)
			pass_signal(child, &info, &asked);
		else if (asked.hurry && errno == EAGAIN)
			kill(child, SIGKILL);
	}
}

bool run_is_interrupted(const struct run_signals *s)
{
	sigset_t pending, wanted = s->caught;

	sigdelset(&wanted, SIGCHLD);
	if (sigpending(&pending) || sigandset(&pending, &pending, &wanted) ||
	    sigisemptyset(&pending))
		return false;
	report_error("interrupted before the start");
	return true;
}

/*
 * Takes stapio's status, and counts the unread records, unless the script continues: then
 * the next reader gets them.
 */
static void take_status(struct run_end *end, struct files *f, const struct kmodule *m, int status)
{
	end->status = status;
	end->is_kept = kmodule_is_kept(m);
	if (WIFSIGNALED(status) && !end->is_kept)
		end->left = files_count_left(f);
}

int run_report(const struct run_end *end)
{
	int status = end->status, sig = WTERMSIG(status);

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	if (end->is_kept)
		report_error("stapio was killed by signal %d (%s)", sig, strsignal(sig));
	else
		report_error("stapio was killed by signal %d (%s); %" PRIu64 " records may be lost",
			     sig, strsignal(sig), end->left);
	return EXIT_RUN_KILLED + sig;
}

/* Hides the passwords in our arguments; stapio hides them in its own. */
static void hide_passwords(const struct options *o)
{
	for (unsigned i = 0; i < o->npassed; i++)
		free(dburl_cut_password((char *)(uintptr_t)o->passed[i]));
}

void run_stapio(const struct options *o, struct files *f, const struct kmodule *m,
		char **environment, const struct run_signals *s, int ready, struct run_end *ret)
{
	pid_t child;

	*ret = (struct run_end){ .status = W_EXITCODE(EXIT_RUN_FAILED, 0) };
	if (!run_is_interrupted(s)) {
		child = fork();
		if (child == 0) {
			become_stapio(o, f, m->name, environment, ready);
			_exit(EXIT_RUN_FAILED);
		}
		hide_passwords(o);
		// Now only stapio holds ctl: its end is the end of the run.
		files_close_control(f);
		if (ready >= 0) {
			close(ready);
			daemon_detach();
		}
		if (child < 0)
			report_error("fork: %s", strerror(errno));
		else if (privileges_reduce())
			take_status(ret, f, m, wait_stapio(child, s));
		else
			wait_stapio(child, s);
	}
	files_close_control(f);
	files_close_rings(f);
}
