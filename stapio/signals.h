/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals as events of the poll loop. SIGINT, SIGTERM and SIGHUP request an orderly end,
 * SIGQUIT requests that the script continues without stapio, SIGCHLD tells that a child
 * has ended, SIGUSR1 requests the books, and SIGUSR2 a new output file. They stay blocked
 * in every thread. staprun blocks them before it runs stapio, so that none is lost or
 * kills stapio during its start. Commands get them unblocked.
 */
#ifndef STAPIO_SIGNALS_H
#define STAPIO_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd;
	sigset_t old_mask;   /* of commands */
	pid_t parent;	     /* staprun */
	unsigned interrupts; /* SIGINTs so far: the second one requests a quick end */
	bool hurry;	     /* SIGINT from staprun, which was asked twice */
	bool stop;	     /* any of the three has come */
	bool child;	     /* SIGCHLD has come; the reader clears it */
	bool detach;	     /* SIGQUIT */
	bool books;	     /* SIGUSR1; the same */
	bool next_file;	     /* SIGUSR2; the same */
};

int signals_setup(struct signals *s); /* 0 or -errno */
void signals_read(struct signals *s);
/* Restores the signals in a forked child, before exec. */
void signals_restore(const struct signals *s);

#endif
