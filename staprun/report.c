/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See report.h. */
#include "staprun/report.h"

#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <syslog.h>
#include <unistd.h>

unsigned say_verbosity;
static bool to_log, in_haste;

void report_to_log(void)
{
	openlog("staprun", LOG_PID, LOG_DAEMON);
	to_log = true;
}

void report_hurry(void)
{
	in_haste = true;
}

/*
 * False: stderr would block. If nobody reads the pipe, a process that must not wait would
 * hang for ever.
 */
static bool is_heard(void)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return !in_haste || poll(&p, 1, 0) == 1;
}

static void say(const char *prefix, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	if (to_log)
		syslog(LOG_DAEMON | LOG_WARNING, "%s%s", prefix, text);
	else if (is_heard())
		dprintf(STDERR_FILENO, "%s%s\n", prefix, text);
}

#define SAY(prefix)                                                                                \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		say(prefix, fmt, ap);                                                              \
		va_end(ap);                                                                        \
	} while (0)

void report_error(const char *fmt, ...)
{
	SAY("ERROR: ");
}

void report_hint(const char *fmt, ...)
{
	SAY("       ");
}

void report_verbose(const char *fmt, ...)
{
	if (say_verbosity)
		SAY("staprun: ");
}
