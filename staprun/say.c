/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See say.h. */
#include "staprun/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

unsigned say_verbosity;

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	dprintf(STDERR_FILENO, "%s%s\n", prefix, text);
}

#define SAY(prefix)                                                                                          \
	do {                                                                                                 \
		va_list ap;                                                                                  \
		va_start(ap, fmt);                                                                           \
		say(prefix, fmt, ap);                                                                        \
		va_end(ap);                                                                                  \
	} while (0)

void say_error(const char *fmt, ...)
{
	SAY("ERROR: ");
}

void say_hint(const char *fmt, ...)
{
	SAY("       ");
}

void say_verbose(const char *fmt, ...)
{
	if (say_verbosity)
		SAY("staprun: ");
}
