/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The script's standard input. A script with input.char or input.line has a file
 * /proc/systemtap/MODULE/__stdin. Each character of the input is written to it with a
 * separate call, because one write is one hit.
 *
 * While the script runs in the foreground of a terminal, the terminal delivers characters
 * as they are typed and does not echo them. In the background nothing is read from the
 * terminal, and its settings stay as they are. Keys of --top arrive in the same way,
 * unless the script reads them.
 */
#ifndef STAPIO_INPUT_H
#define STAPIO_INPUT_H

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

struct input {
	int file;    /* the module's file; -1: there is none, or the input has ended */
	pid_t group; /* our process group */
	bool is_terminal, changed;
	struct termios before;
	/* Takes the terminal's keys if the script does not read them; or NULL. */
	void (*key)(void *ctx, char key);
	void *key_ctx;
};

/* Prepares reading, before the filter of system calls. */
void input_init(struct input *in);
/* Called when the module runs. */
void input_open(struct input *in, const char *module);
/* Returns the descriptor to poll for reading, or -1. */
int input_poll_fd(struct input *in);
void input_serve(struct input *in);
/* Restores the terminal's settings. */
void input_close(struct input *in);

#endif
