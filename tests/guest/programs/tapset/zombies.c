// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has a thread that has ended, children that have and are not waited for, and one that sleeps.
 * Closes descriptor -7 again and again, for half a minute at most.
 */
#include <pthread.h>
#include <sys/types.h>
#include <unistd.h>

#define ZOMBIES 40
#define NAPS	600

static void nap(void)
{
	usleep(50000);
}

static void *end(void *unused)
{
	return unused;
}

int main(void)
{
	pid_t parent = getpid();
	pthread_t thread;

	if (pthread_create(&thread, NULL, end, NULL) || pthread_join(thread, NULL))
		return 1;
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
