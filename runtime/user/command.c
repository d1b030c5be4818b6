/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See command.h. */
#define _GNU_SOURCE /* strsignal */
#include "user/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_WORDS 256

int command_exec_shell(const char *command)
{
	return execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

/* The target is then the program itself, whatever /bin/sh is. */
int command_exec(const char *command)
{
	char *words[MAX_WORDS + 1], *copy, *save = NULL;
	unsigned n = 0;

	if (strpbrk(command, "|&;<>()$`\\\"'*?[]#~=%!{}\n"))
		return command_exec_shell(command);
	copy = strdup(command);
	if (!copy)
		return -1;
	for (char *w = strtok_r(copy, " \t", &save); w && n < MAX_WORDS; w = strtok_r(NULL, " \t", &save))
		words[n++] = w;
	words[n] = NULL;
	if (!n || n == MAX_WORDS)
		return command_exec_shell(command);
	execvp(words[0], words);
	/* A builtin, such as `exit 3`, is the shell's. */
	return errno == ENOENT && !strchr(words[0], '/') ? command_exec_shell(command) : -1;
}

bool command_failed(int status, char *ret, unsigned long size)
{
	if (WIFSIGNALED(status))
		snprintf(ret, size, "the command was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else if (WEXITSTATUS(status))
		snprintf(ret, size, "the command ended with exit status %d", WEXITSTATUS(status));
	return WIFSIGNALED(status) || WEXITSTATUS(status);
}
