/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that continue without a reader: -L, -F, SIGQUIT. */
#ifndef STAPRUN_ATTACH_H
#define STAPRUN_ATTACH_H

#include <stdbool.h>

struct kmodule;

/* Prints how to attach to it again. */
void attach_say(const char *name);
/*
 * Ends the script, with its end probes, and reports the amount of unread output. Then the
 * module can be removed.
 */
bool attach_stop(const struct kmodule *m);

#endif
