/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * START and STOP block while begin and end probes run, and those wait for the reader when their ring is full:
 * each is called by a thread of its own, while the main loop goes on reading.
 *
 *   STARTING -> RUNNING -> STOPPING -> STOPPED
 *            -> FAILED
 */
#ifndef STAPIO_CONTROL_H
#define STAPIO_CONTROL_H

#include <pthread.h>
#include <stdint.h>

#include "stapio/module.h"

enum control_phase { CONTROL_STARTING, CONTROL_RUNNING, CONTROL_STOPPING, CONTROL_STOPPED, CONTROL_FAILED };

struct control {
	struct module *module;
	enum control_phase phase; /* the main thread's */
	struct start_options options;
	int done; /* eventfd: the thread has ended */
	pthread_t thread;
	int result; /* of the ioctl; the thread's until done is readable, as is error */
	char error[256];
};

/* All return 0 or -errno. */
int control_start(struct control *c, struct module *m, const struct start_options *o);
/* The module runs already: RUNNING. */
int control_attach(struct control *c, struct module *m);
int control_stop(struct control *c); /* in phase RUNNING */
/* c->done is readable: joins the thread and moves on to the next phase. Returns the ioctl's result. */
int control_finish(struct control *c);

#endif
