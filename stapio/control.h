/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * START and STOP block while begin and end probes run, and these wait for the reader when
 * their ring is full. So a thread calls them, while the main loop continues to read. The
 * same thread ends the script when its time is over or its target has ended, even if the
 * main loop is blocked, for example by a pipe that nobody reads.
 *
 *   STARTING -> RUNNING -> STOPPING -> STOPPED
 *            -> FAILED
 */
#ifndef STAPIO_CONTROL_H
#define STAPIO_CONTROL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/source/module.h"

enum control_phase {
	CONTROL_STARTING,
	CONTROL_RUNNING,
	CONTROL_STOPPING,
	CONTROL_STOPPED,
	CONTROL_FAILED
};

struct control {
	struct module *module;
	enum control_phase phase; /* as known to the main thread: control_look() */
	bool asked;		  /* to stop */
	struct start_options options;
	int target;		    /* a pidfd: the script ends with this process; or -1 */
	uint64_t timeout_ns;	    /* it ends this long after it has started; 0: never */
	void (*started)(void *ctx); /* in the thread, when probes are in place */
	void *ctx;
	int news; /* eventfd: the thread has entered another phase */
	int ask;  /* eventfd: it must stop the script, or leave it alone */
	pthread_t thread;
	_Atomic enum control_phase now; /* the thread's */
	/*
	 * The first thread to set it decides: the main thread leaves the script running,
	 * the other thread ends it.
	 */
	atomic_bool is_left;
	/*
	 * The result of START, then of STOP. The thread owns it in the phases STARTING
	 * and STOPPING.
	 */
	int result;
	char error[256];
};

/*
 * Starts the thread. Set target, timeout_ns, started and ctx first. `runs`: the module
 * was already started. Returns 0 or -errno.
 */
int control_start(struct control *c, struct module *m, bool runs);
/* Stops the script as soon as it runs. Further calls do nothing. */
void control_stop(struct control *c);
/* Lets the script continue when this process ends. False: it is being stopped. */
bool control_leave(struct control *c);
/* Updates c->phase, when c->news is readable. Returns the last ioctl's result. */
int control_look(struct control *c);

#endif
