/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of a terminal: ^C between the poll that saw a key and the read of it does not make
 * the read wait.
 */
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "unit.h"

#include "stapio/input.c"

static int interrupts, keys;

static void on_interrupt(int sig)
{
	interrupts++;
}

static void on_key(void *ctx, char key)
{
	keys++;
}

/* Runs in a session of its own, whose terminal is the other end of master. */
static void in_session(int master)
{
	struct pollfd fd = { .events = POLLIN };
	struct input in;

	input_init(&in);
	in.key = on_key;
	CHECK(in.is_terminal);
	fd.fd = input_poll_fd(&in);
	CHECK_LONG(fd.fd, STDIN_FILENO);
	signal(SIGINT, on_interrupt);
	CHECK_LONG(write(master, "a", 1), 1);
	CHECK_LONG(poll(&fd, 1, 10000), 1);
	CHECK_LONG(write(master, "\003", 1), 1);
	for (int i = 0; !interrupts && i < 10000; i++)
		usleep(1000);
	CHECK_LONG(interrupts, 1);
	alarm(10);
	input_serve(&in);
	CHECK_LONG(keys, 1);
	input_close(&in);
}

static void discarded_key(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), status;
	pid_t pid;

	CHECK(!grantpt(master) && !unlockpt(master));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		setsid();
		dup2(open(ptsname(master), O_RDWR), STDIN_FILENO);
		ioctl(STDIN_FILENO, TIOCSCTTY, 0);
		in_session(master);
		fflush(stdout);
		_exit(unit_failures != 0);
	}
	CHECK_LONG(waitpid(pid, &status, 0), pid);
	CHECK_LONG(status, 0);
	close(master);
}

int main(void)
{
	RUN(discarded_key);
	return unit_end();
}
