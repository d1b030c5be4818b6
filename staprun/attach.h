/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that go on without a reader: -L, -F, SIGQUIT. */
#ifndef STAPRUN_ATTACH_H
#define STAPRUN_ATTACH_H

#include <stdbool.h>

struct kmodule;

/* Says how to get at it again. */
void attach_say(const struct kmodule *m);
/*
 * Ends the script, with its end probes, and says how much of its output nobody has read.
 * The module can be removed then.
 */
bool attach_stop(const struct kmodule *m);

#endif
