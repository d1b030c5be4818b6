/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See messages.h. A message is one write(), so that it is not torn by what other processes write to the same
 * terminal. */
#include "stapio/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct {
	bool verbose, no_warnings;
	void (*tee)(void *ctx, const char *type, const char *text);
	void *tee_ctx;
} setup;

void message_setup(unsigned verbose, bool no_warnings)
{
	setup.verbose = verbose > 0;
	setup.no_warnings = no_warnings;
}

void message_tee(void (*tee)(void *ctx, const char *type, const char *text), void *ctx)
{
	setup.tee = tee;
	setup.tee_ctx = ctx;
}

bool message_shows_warnings(void)
{
	return !setup.no_warnings;
}

// When stderr does not take it there is nobody left to tell.
static void put(const char *s, size_t len)
{
	while (len) {
		ssize_t n = write(STDERR_FILENO, s, len);
		if (n <= 0)
			return;
		s += n;
		len -= (size_t)n;
	}
}

/* type: for the tee, or NULL. */
static void say(const char *prefix, const char *type, const char *fmt, va_list ap)
{
	char line[1024];
	int n = snprintf(line, sizeof(line), "%s", prefix);
	int room = (int)sizeof(line) - n - 1;
	int m = vsnprintf(line + n, (size_t)room, fmt, ap);

	if (m >= room)
		m = room - 1;
	if (m < 0)
		m = 0;
	if (type && setup.tee)
		setup.tee(setup.tee_ctx, type, line + n);
	line[n + m] = '\n';
	put(line, (size_t)(n + m + 1));
}

#define SAY(prefix, type)                                                                                          \
	do {                                                                                                 \
		va_list ap;                                                                                  \
		va_start(ap, fmt);                                                                           \
		say(prefix, type, fmt, ap);                                                                        \
		va_end(ap);                                                                                  \
	} while (0)

void message_error(const char *fmt, ...)
{
	SAY("ERROR: ", "error");
}

void message_warning(const char *fmt, ...)
{
	if (!setup.no_warnings)
		SAY("WARNING: ", "warning");
}

void message_verbose(const char *fmt, ...)
{
	if (setup.verbose)
		SAY("stapio: ", NULL);
}

void message_text(const char *prefix, const char *text, size_t len, const char *suffix)
{
	char line[2048];
	size_t np = strlen(prefix), ns = strlen(suffix);

	if (np + len + ns > sizeof(line)) {
		put(prefix, np);
		put(text, len);
		put(suffix, ns);
		return;
	}
	memcpy(line, prefix, np);
	memcpy(line + np, text, len);
	memcpy(line + np + len, suffix, ns);
	put(line, np + len + ns);
}
