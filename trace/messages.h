/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints stapio's own messages to stderr. A caller that also writes the trace to a
 * terminal flushes it first, to keep the order.
 */
#ifndef TRACE_MESSAGES_H
#define TRACE_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>

#define PRINTF_LIKE __attribute__((format(printf, 1, 2)))

void message_setup(unsigned verbose, bool no_warnings);
/* Turns the colours of "ERROR:" and "WARNING:" ($SYSTEMTAP_COLORS) on or off. */
void message_color(bool on);
/*
 * Opens the log, before the process gives up the right to create sockets. Returns 0 or
 * -errno.
 */
int message_log_open(void);
/* Sends messages to the system's log from now on, or again to stderr. */
void message_to_log(bool to_log);
/* From now on, drops messages that stderr cannot take at once. */
void message_hurry(void);
/* Also sends errors and warnings to `put`: with --json, to the trace. */
void message_tee(void (*put)(void *ctx, const char *type, const char *text), void *ctx);
/* Calls `run` before each message, which can clear the line that the cursor is in. */
void message_before(void (*run)(void));
void message_error(const char *fmt, ...) PRINTF_LIKE;	/* "ERROR: …" */
void message_warning(const char *fmt, ...) PRINTF_LIKE; /* "WARNING: …", unless -w */
void message_verbose(const char *fmt, ...) PRINTF_LIKE; /* "stapio: …", with -v */
/* Prints text of the script, unchanged. prefix may be "". */
void message_text(const char *prefix, const char *text, size_t len, const char *suffix);
bool message_shows_warnings(void);
bool message_is_verbose(void);
/* True: a message was lost because stderr is closed or full. */
bool message_lost(void);

#endif
