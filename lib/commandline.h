/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the text of -c into a program and its arguments. wordexp(3) splits and expands
 * the text, so that the command itself is the process that target() names. Text that only
 * a shell understands is given to the shell. If such text is one command with
 * redirections or substitutions, `exec` is put before it, and the command replaces the
 * shell.
 */
#ifndef LIB_COMMANDLINE_H
#define LIB_COMMANDLINE_H

#include <stdbool.h>

#define COMMANDLINE_SHELL "/bin/sh"

/* The struct owns all its members. */
struct commandline {
	char *path;	 /* the program to execute */
	char **words;	 /* its arguments, ended by NULL */
	char **assigned; /* "NAME=VALUE" for its environment, ended by NULL; or NULL */
	bool is_shells;	 /* the program is the shell itself */
};

/*
 * Parses a text. It runs nothing and reads nothing but directories. Returns 0 or -ENOMEM.
 */
int commandline_init(struct commandline *c, const char *text);
void commandline_deinit(struct commandline *c);
/*
 * Returns the name of the program that the text runs, as the text has it after expansion,
 * or NULL if only the shell knows it. The caller frees it.
 */
char *commandline_program(const char *text);

#endif
