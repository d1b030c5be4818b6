/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of -c becomes a program and its words. wordexp(3) splits and expands them, so
 * that the command itself is the process that target() names. A text that only a shell
 * understands is the shell's; what is one command with redirections or substitutions has
 * `exec` put before it, and the command takes the shell's place.
 */
#ifndef LIB_COMMANDLINE_H
#define LIB_COMMANDLINE_H

#include <stdbool.h>

#define COMMANDLINE_SHELL "/bin/sh"

/* Everything belongs to the struct. */
struct commandline {
	char *path;	 /* the program to execute */
	char **words;	 /* its arguments, ended by NULL */
	char **assigned; /* "NAME=VALUE" for its environment, ended by NULL; or NULL */
	bool is_shells;	 /* the program is the shell */
};

/*
 * Takes a text apart. Nothing is run, and no file but directories is read. Returns 0 or
 * -ENOMEM.
 */
int commandline_init(struct commandline *c, const char *text);
void commandline_deinit(struct commandline *c);
/*
 * Returns the name of the program that the text runs, as it stands there and expanded, or
 * NULL where only the shell knows. The caller frees it.
 */
char *commandline_program(const char *text);

#endif
