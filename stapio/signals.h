/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Signals as events of the poll loop. SIGINT, SIGTERM and SIGHUP ask for an orderly end,
 * SIGQUIT for leaving the script to itself, SIGCHLD says that a child has ended, SIGUSR1
 * asks for the books, SIGUSR2 for a new output file. They stay blocked in every thread.
 * staprun blocks them before it runs stapio, so that none is lost or kills it on the way
 * here; commands get them unblocked.
 */
#ifndef STAPIO_SIGNALS_H
#define STAPIO_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

struct signals {
	int fd;
	sigset_t old_mask;   /* of commands */
	pid_t parent;	     /* staprun */
	unsigned interrupts; /* SIGINT so far: the second asks for haste */
	bool hurry;	     /* SIGINT from staprun, which has been asked twice */
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
