/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Warnings of a script that runs as a program, on stderr. */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "user/user.h"

static bool no_warnings; /* -w */

void user_silence_warnings(void)
{
	no_warnings = true;
}

bool user_warns(void)
{
	return !no_warnings;
}

void user_warning(const char *fmt, ...)
{
	va_list args;

	if (no_warnings)
		return;
	va_start(args, fmt);
	fputs("WARNING: ", stderr);
	vfprintf(stderr, fmt, args);
	fputc('\n', stderr);
	va_end(args);
}
