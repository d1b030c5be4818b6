// SPDX-License-Identifier: GPL-2.0-or-later
/* Has children that have ended and are not waited for, and one that sleeps. Closes descriptor -7 again and again: half a minute at most, or until it is ended. */
#include <sys/types.h>
#include <unistd.h>

#define ZOMBIES 40
#define NAPS	600

static void nap(void)
{
	usleep(50000);
}

int main(void)
{
	pid_t parent = getpid();

	if (!fork())
		while (getppid() == parent)
			nap();
	for (int i = 0; i < ZOMBIES && getpid() == parent; i++)
		if (!fork())
			_exit(0);
	for (int i = 0; i < NAPS && getpid() == parent; i++) {
		nap();
		close(-7);
	}
}
