/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostsignals.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "stap/remote/fleet.h"

/* A handler can reach nothing else. */
static volatile sig_atomic_t end_asked, end_signal;

static void on_signal(int sig)
{
	end_asked++;
	end_signal = sig;
}

/*
 * The inputs of the running machines. A handler tells them that stap still listens, even
 * while stap is blocked because nobody reads its output.
 */
static int *volatile listening;
static volatile size_t listening_count;

static void on_alarm(int sig)
{
	int error = errno;

	for (size_t i = 0; i < listening_count; i++)
		if (listening[i] >= 0 && write(listening[i], ".", 1) < 0)
			continue; /* the pipe is full, or the run has ended: nothing to do */
	errno = error;
}

void hostsignals_take(struct remote *r)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction alarm = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	unsigned third = r->s->options->remote_timeout / 3;
	struct itimerval every = { .it_interval.tv_sec = third,
				   .it_interval.tv_usec = third ? 0 : 300000 };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction act = { .sa_handler = on_signal }, was;

		if (!sigaction(signals[i], NULL, &was) && was.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &act, NULL);
		sigaddset(&set, signals[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &r->heard);
	listening = arena_array(r->s->arena, int, r->count);
	for (size_t i = 0; i < r->count; i++)
		listening[i] = -1;
	listening_count = r->count;
	sigaction(SIGALRM, &alarm, NULL);
	every.it_value = every.it_interval;
	setitimer(ITIMER_REAL, &every, NULL);
}

void hostsignals_leave(struct remote *r)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	listening_count = 0;
	sigprocmask(SIG_SETMASK, &r->heard, NULL);
}

void hostsignals_listen(const struct remote *r, const struct host *h, int fd)
{
	listening[h - r->hosts] = fd;
}

int hostsignals_asked(void)
{
	return end_asked;
}

int hostsignals_last(void)
{
	return end_signal;
}
