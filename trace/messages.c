/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See messages.h. A message is one write(), so that output of other processes to the same
 * terminal does not end up in the middle of it.
 */
#include "trace/messages.h"

#include <errno.h>
#include <paths.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

static struct {
	bool verbose, no_warnings, to_log, color, lost, in_haste;
	int log; /* a socket; 0: none */
	void (*tee)(void *ctx, const char *type, const char *text);
	void *tee_ctx;
	void (*before)(void);
} setup;

void message_setup(unsigned verbose, bool no_warnings)
{
	setup.verbose = verbose > 0;
	setup.no_warnings = no_warnings;
}

void message_color(bool on)
{
	setup.color = on;
}

int message_log_open(void)
{
	const struct sockaddr_un log = { .sun_family = AF_UNIX, .sun_path = _PATH_LOG };

	setup.log = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	return setup.log < 0 || connect(setup.log, (const struct sockaddr *)&log, sizeof(log))
		       ? -errno
		       : 0;
}

void message_to_log(bool to_log)
{
	setup.to_log = to_log;
}

/*
 * Writes a message in the format of syslog(3), which itself would open a new socket when
 * this one fails.
 */
static void put_log(const char *prefix, const char *text, int len)
{
	char line[2048], when[32];
	time_t now = time(NULL);
	struct tm tm;
	int n;

	if (!localtime_r(&now, &tm) || !strftime(when, sizeof(when), "%h %e %T", &tm))
		*when = 0;
	n = snprintf(line, sizeof(line), "<%d>%s stapio[%d]: %s%.*s", LOG_DAEMON | LOG_WARNING,
		     when, (int)getpid(), prefix, len, text);
	if (n >= (int)sizeof(line))
		n = sizeof(line) - 1;
	if (setup.log <= 0 || send(setup.log, line, (size_t)n, MSG_NOSIGNAL) < 0)
		setup.lost = true;
}

void message_hurry(void)
{
	setup.in_haste = true;
}

/*
 * The SGR code for "error" or "warning"; $SYSTEMTAP_COLORS looks like
 * "error=01;31:warning=00;33:…".
 */
static void color_of(const char *type, char ret[32])
{
	const char *s = getenv("SYSTEMTAP_COLORS");
	size_t len = strlen(type);

	snprintf(ret, 32, "%s", *type == 'e' ? "01;31" : "00;33");
	for (; s && *s; s = strchr(s, ':') ? strchr(s, ':') + 1 : NULL) {
		if (!strncmp(s, type, len) && s[len] == '=')
			snprintf(ret, 32, "%.*s", (int)strspn(s + len + 1, "0123456789;"),
				 s + len + 1);
	}
}

/* Returns the prefix of a message for the terminal. */
static const char *colored(const char *prefix, char buf[64])
{
	const char *type = !strcmp(prefix, "ERROR: ")	  ? "error"
			   : !strcmp(prefix, "WARNING: ") ? "warning"
							  : NULL;
	char sgr[32];

	if (!setup.color || !type)
		return prefix;
	color_of(type, sgr);
	snprintf(buf, 64, "\033[%sm%.*s\033[0m ", sgr, (int)strlen(prefix) - 1, prefix);
	return buf;
}

void message_tee(void (*tee)(void *ctx, const char *type, const char *text), void *ctx)
{
	setup.tee = tee;
	setup.tee_ctx = ctx;
}

void message_before(void (*run)(void))
{
	setup.before = run;
}

bool message_shows_warnings(void)
{
	return !setup.no_warnings;
}

bool message_is_verbose(void)
{
	return setup.verbose;
}

bool message_lost(void)
{
	return setup.lost;
}

/*
 * True: the failure is temporary. Waits for a terminal that somebody has made
 * non-blocking.
 */
static bool is_passing(void)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return errno == EINTR || (errno == EAGAIN && !setup.in_haste && poll(&p, 1, -1) > 0);
}

static bool is_heard(void)
{
	struct pollfd p = { .fd = STDERR_FILENO, .events = POLLOUT };

	return !setup.in_haste || poll(&p, 1, 0) == 1;
}

// When stderr does not accept the text there is nobody left to tell: the exit status
// reports it.
static void put(const char *s, size_t len)
{
	if (setup.before)
		setup.before();
	while (len && is_heard()) {
		ssize_t n = write(STDERR_FILENO, s, len);

		if (n < 0 && is_passing())
			continue;
		if (n <= 0)
			break;
		s += n;
		len -= (size_t)n;
	}
	if (len)
		setup.lost = true;
}

/* type: for the tee, or NULL. */
static void say(const char *prefix, const char *type, const char *fmt, va_list ap)
{
	char line[1024], buf[64];
	int n = snprintf(line, sizeof(line), "%s", colored(prefix, buf));
	int room = (int)sizeof(line) - n - 1;
	int m = vsnprintf(line + n, (size_t)room, fmt, ap);

	if (m >= room)
		m = room - 1;
	if (m < 0)
		m = 0;
	if (type && setup.tee)
		setup.tee(setup.tee_ctx, type, line + n);
	if (setup.to_log) {
		put_log(prefix, line + n, m);
		return;
	}
	line[n + m] = '\n';
	put(line, (size_t)(n + m + 1));
}

#define SAY(prefix, type)                                                                          \
	do {                                                                                       \
		va_list ap;                                                                        \
		va_start(ap, fmt);                                                                 \
		say(prefix, type, fmt, ap);                                                        \
		va_end(ap);                                                                        \
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
	char line[2048], buf[64];
	size_t np, ns = strlen(suffix);

	if (setup.to_log) {
		put_log(prefix, text, (int)len);
		return;
	}
	prefix = colored(prefix, buf);
	np = strlen(prefix);

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
