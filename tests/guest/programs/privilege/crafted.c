// SPDX-License-Identifier: GPL-2.0-or-later
/* crafted again: runs itself with arguments that a reader of command lines might stumble over, one after the other, and tells the kernel lies about where they are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *self;

static void run(char **argv)
{
	pid_t pid = fork();

	if (pid == 0) {
		execv(self, argv);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

/* Some of it the kernel refuses; what it takes has to do no harm. */
static void lie(char **argv)
{
	unsigned long start = (unsigned long)argv[0], page = start & ~4095ul;
	static const unsigned long lengths[] = { 0, 1, 1ul << 20, 1ul << 31, 1ul << 32, 1ul << 46 };

	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		prctl(PR_SET_MM, PR_SET_MM_ARG_END, start + lengths[i], 0, 0);
		getppid();
	}
	prctl(PR_SET_MM, PR_SET_MM_ARG_START, page, 0, 0);
	getppid();
	memset(argv[0], 'x', strlen(argv[0]));
	for (unsigned i = 0; i < 100; i++)
		getppid();
}

int main(int argc, char **argv)
{
	static char *many[100002],
		*odd[] = { "crafted", "%s%n%x %p", "a b\tc\nd", "", "\xff\xfe\x1b[31m", NULL };
	char *large;

	if (argc < 2 || strcmp(argv[1], "again")) {
		lie(argv);
		return 0;
	}
	self = argv[0];
	run(odd);
	for (unsigned i = 0; i < 100001; i++)
		many[i] = "x";
	run(many);
	large = malloc(131072);
	memset(large, 'l', 131071);
	large[131071] = 0;
	run((char *[]){ "crafted", large, large, NULL });
	run((char *[]){ "", NULL });
	run((char *[]){ NULL });
	return 0;
}
