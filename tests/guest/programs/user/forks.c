/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions in a row, the second of which forks: each child becomes another program. */
// cflags: -g
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noipa)) int counted(int n)
{
	return n + 1;
}

__attribute__((noipa)) int forks(int n)
{
	pid_t child = fork();

	if (!child)
		execl("/bin/true", "true", (char *)NULL);
	waitpid(child, NULL, 0);
	return n + 2;
}

int main(void)
{
	for (int i = 0; i < 20; i++)
		if (forks(counted(i)) != i + 3)
			return 1;
	puts("all");
	return 0;
}
