/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script's standard input. A script with input.char or input.line has a file
 * /proc/systemtap/MODULE/__stdin: each character that comes is written to it with a call
 * of its own, for one write is one hit.
 *
 * A terminal gives characters as they are typed, and does not show them, while the script
 * runs in its foreground; in the background nothing is read from it, and it is left as it
 * is. Keys of --top come in the same way when the script does not read them.
 */
#ifndef STAPIO_INPUT_H
#define STAPIO_INPUT_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct input {
	int file;    /* the module's; -1: there is none, or nothing more will come */
	pid_t group; /* our process group */
	bool is_terminal, changed;
	struct termios before;
	/* Takes a terminal's keys when the script does not read them; or NULL. */
	void (*key)(void *ctx, char key);
	void *key_ctx;
};

/* Prepares reading, before the filter of system calls. */
void input_init(struct input *in);
/* The module runs. */
void input_open(struct input *in, const char *module);
/* Returns the descriptor to poll for reading, or -1. */
int input_poll_fd(struct input *in);
void input_serve(struct input *in);
/* Gives the terminal back. */
void input_close(struct input *in);

#endif
