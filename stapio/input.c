/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See input.h. */
#include "stapio/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trace/messages.h"

#define ROUND 512 /* characters to read before output is handled again */

void input_init(struct input *in)
{
	*in = (struct input){ .file = -1, .group = getpgrp(), .is_terminal = isatty(STDIN_FILENO) };
}

void input_open(struct input *in, const char *module)
{
	char path[128];

	snprintf(path, sizeof(path), "/proc/systemtap/%s/__stdin", module);
	in->file = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
	if (in->file < 0 && errno != ENOENT)
		message_warning("%s: %s: the script gets no input", path, strerror(errno));
}

static bool in_foreground(const struct input *in)
{
	return tcgetpgrp(STDIN_FILENO) == in->group;
}

/*
 * Sets the terminal up again: a shell that had it in the meantime has changed its
 * settings.
 */
static void take_terminal(struct input *in)
{
	struct termios now;

	if (tcgetattr(STDIN_FILENO, &now) || !(now.c_lflag & ICANON))
		return;
	in->before = now;
	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	/* ^C would discard keys that poll() has seen, and read() would wait. */
	now.c_lflag |= NOFLSH;
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	in->changed = !tcsetattr(STDIN_FILENO, TCSANOW, &now);
}

int input_poll_fd(struct input *in)
{
	if (in->file < 0 && !(in->key && in->is_terminal))
		return -1;
	if (!in->is_terminal)
		return STDIN_FILENO;
	if (!in_foreground(in))
		return -1;
	take_terminal(in);
	return STDIN_FILENO;
}

void input_serve(struct input *in)
{
	char text[ROUND];
	ssize_t n = read(STDIN_FILENO, text, sizeof(text));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	for (ssize_t i = 0; in->file < 0 && i < n; i++)
		in->key(in->key_ctx, text[i]);
	/*
	 * A skipped or failed hit is counted in the books: continue with the next
	 * character.
	 */
	for (ssize_t i = 0; in->file >= 0 && i < n; i++)
		if (write(in->file, &text[i], 1) < 0 && errno == EIO)
			n = 0;
	if (n <= 0)
		input_close(in);
}

void input_close(struct input *in)
{
	if (in->changed && in_foreground(in))
		tcsetattr(STDIN_FILENO, TCSANOW, &in->before);
	in->changed = false;
	in->key = NULL;
	if (in->file >= 0)
		close(in->file);
	in->file = -1;
}
