/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See signals.h. */
#include "stapio/signals.h"

#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

static const int caught[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD };
static const int ignored[] = { SIGPIPE, SIGXFSZ };

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/*
 * True: the signal stays ignored, as nohup(1) wants. (An ignored SIGINT does not: shells
 * ignore it for every background job, and `kill -INT` must end a trace there too. A
 * blocked signal arrives even if it is ignored, so it has to be left out of the mask.)
 */
static bool is_nohup(int n)
{
	struct sigaction sa;

	return n == SIGHUP && !sigaction(n, NULL, &sa) && sa.sa_handler == SIG_IGN;
}

int signals_setup(struct signals *s)
{
	sigset_t set;

	*s = (struct signals){ .fd = -1, .parent = getppid() };
	sigemptyset(&set);
	for (unsigned i = 0; i < COUNT(caught); i++) {
		if (!is_nohup(caught[i]))
			sigaddset(&set, caught[i]);
	}
	for (unsigned i = 0; i < COUNT(ignored); i++)
		signal(ignored[i], SIG_IGN);
	// If SIGCHLD were ignored, the kernel would reap children before stapio sees
	// them.
	signal(SIGCHLD, SIG_DFL);
	if (sigprocmask(SIG_BLOCK, &set, &s->old_mask))
		return -errno;
	for (unsigned i = 0; i < COUNT(caught); i++)
		sigdelset(&s->old_mask, caught[i]);
	s->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return s->fd < 0 ? -errno : 0;
}

void signals_read(struct signals *s)
{
	struct signalfd_siginfo info;

	while (read(s->fd, &info, sizeof(info)) == sizeof(info)) {
		int n = (int)info.ssi_signo;

		s->child |= n == SIGCHLD;
		s->next_file |= n == SIGUSR2;
		s->books |= n == SIGUSR1;
		s->detach |= n == SIGQUIT;
		s->stop |= n == SIGINT || n == SIGTERM || n == SIGHUP;
		s->interrupts += n == SIGINT;
		s->hurry |= n == SIGINT && info.ssi_pid == (uint32_t)s->parent;
	}
}

void signals_restore(const struct signals *s)
{
	for (unsigned i = 0; i < COUNT(ignored); i++)
		signal(ignored[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &s->old_mask, NULL);
}
