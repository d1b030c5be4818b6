/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun's messages on stderr. The program is small, so a single option, -v, is enough.
 */
#ifndef STAPRUN_REPORT_H
#define STAPRUN_REPORT_H

#define SAY_LIKE __attribute__((format(printf, 1, 2)))

extern unsigned say_verbosity;
/* Sends messages to the system's log from now on. */
void report_to_log(void);
/* From now on, drops messages that stderr cannot take at once. */
void report_hurry(void);

void report_error(const char *fmt, ...) SAY_LIKE;   /* "ERROR: …" */
void report_hint(const char *fmt, ...) SAY_LIKE;    /* an indented line below an error */
void report_verbose(const char *fmt, ...) SAY_LIKE; /* "staprun: …", with -v */

#endif
