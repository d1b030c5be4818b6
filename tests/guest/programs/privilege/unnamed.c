// SPDX-License-Identifier: GPL-2.0-or-later
/* unnamed PROGRAM ARG…: runs it without argv[0], and so without arguments; what is meant as arguments stands in the environment. */
#include <unistd.h>

int main(int argc, char **argv)
{
	char *none[] = { NULL };

	if (argc > 1)
		execve(argv[1], none, argv + 2);
	return 126;
}
