/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a script, from START to the last record: waits for events (the module has output
 * or has changed its state, a signal, a child's end, START or STOP has returned, the
 * output's reader has gone), reads, merges, and decides when to stop.
 */
#ifndef STAPIO_LOOP_H
#define STAPIO_LOOP_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/notify.h"
#include "stapio/commands.h"
#include "stapio/confine.h"
#include "stapio/control.h"
#include "stapio/input.h"
#include "stapio/runform.h"
#include "stapio/signals.h"
#include "stapio/target.h"
#include "trace/dictionary.h"
#include "trace/merge.h"
#include "trace/output.h"
#include "trace/records.h"

struct module;

#define LOOP_WAIT_MS 100 /* the longest wait without an event; -T sets another */

struct run {
	struct module *module;
	const char *name; /* its */
	char host[HOST_NAME_MAX + 1];
	struct signals signals;
	struct control control;
	struct merge merge;
	struct output output;
	struct tables tables;
	struct records records;
	struct commands commands;
	struct target target;
	struct input input;
	const struct runform_ops *form;
	const struct runform_ops *joined; /* the final form of files of -b, or the same */
	struct notify notify;		  /* systemd, if it has started this process */
	uint64_t told;			  /* when it was last notified of the state, ns */
	struct confine confine;
	struct confine nowhere; /* for the thread of `control`, which creates no files */
	bool stop_wanted;
	int ready;     /* --ready, or -1 */
	bool leave;    /* -L: as soon as it runs */
	bool detached; /* the script continues by itself */
	int wait_ms;
	bool gave_up; /* a second ^C: ended early */
	bool broken;  /* the module's data made no sense, or an ioctl failed */
	bool called;  /* ctl was readable */
	/* the module's event cannot be handled now: it is left out of the next wait */
	bool muted;
	bool held;	  /* all available records wait for the horizon */
	uint64_t checked; /* when the module's state was last checked, ns */
};

/* Reads from a ring of the module; an operation of merge_ops. */
ssize_t loop_read(void *run, unsigned ring, void *buf, size_t size);
/* Waits until an output takes more; an operation of output.h. */
bool loop_wait(void *run, int fd);
/* Returns when everything has been read, or at once if it cannot continue. */
void loop_run(struct run *r);

#endif
