/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of `staprun --json` as they come from several machines: records with their times,
 * and the books. They become text again, or, where --json was asked for, the same lines
 * with the machine's name. A line that is none of these is output as it is.
 */
#ifndef STAP_REMOTE_WIRE_H
#define STAP_REMOTE_WIRE_H

#include "stap/remote/fleet.h"

/* Takes a line with its end. */
void wire_take(struct remote *r, struct host *h, const char *line, size_t len);
/* The run begins. */
void wire_begin(struct remote *r, struct host *h);
/* The run has ended: what it left of a line is one. */
void wire_end(struct remote *r, struct host *h);

#endif
