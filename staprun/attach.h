/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts that go on without a reader: -L, -F, SIGQUIT. */
#ifndef STAPRUN_ATTACH_H
#define STAPRUN_ATTACH_H

#include <stdbool.h>

/* Looking ends a run that has no reader and is not kept. */
enum attach_state {
	ATTACH_NONE,  /* it cannot be opened */
	ATTACH_READ,  /* somebody reads it */
	ATTACH_NEW,   /* it was never started */
	ATTACH_KEPT,  /* it goes on without a reader */
	ATTACH_ENDED, /* or is about to */
};
enum attach_state attach_find_state(const char *name);
/* Nobody need read the module's output: it is to stay when stapio has ended. */
bool attach_is_kept(const char *name);
/* Says how to get at it again. */
void attach_say(const char *name);
/* Ends the script, with its end probes, and says what nobody has read. The module can be removed then. */
bool attach_stop(const char *name);

#endif
