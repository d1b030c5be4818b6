/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ticks [LIBRARY]: runs until it is killed. On SIGUSR1 it loads the library, and calls that as well from then on. */
// cflags: -g -O1 -ldl
#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t load;

static void ask(int sig)
{
	(void)sig;
	load = 1;
}

__attribute__((noinline)) int tick(int n)
{
	__asm__ volatile("");
	return n + 1;
}

int main(int argc, char **argv)
{
	int (*plug)(int) = NULL;

	signal(SIGUSR1, ask);
	for (int n = 1;; n = tick(n)) {
		if (load && argc > 1 && !plug) {
			void *library = dlopen(argv[1], RTLD_NOW);

			plug = library ? (int (*)(int))dlsym(library, "plug") : NULL;
		}
		if (plug)
			plug(n);
		usleep(20000);
	}
}
