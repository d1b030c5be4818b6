/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text in which a module or a program describes its run: lines of uapi/status.h. */
#ifndef STAP_WATCH_RUNTEXT_H
#define STAP_WATCH_RUNTEXT_H

#include <stddef.h>

struct run;
struct session;

/* Adds the lines to the run. */
void runtext_read(struct session *s, struct run *r, const char *text, size_t len);
/* Returns the text without control characters for terminals. */
const char *runtext_printable(struct session *s, const char *text, size_t len);

#endif
