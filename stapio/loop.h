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
#include "lib/sinkpipe.h"
#include "stapio/bulk.h"
#include "stapio/commands.h"
#include "stapio/confine.h"
#include "stapio/control.h"
#include "stapio/input.h"
#include "stapio/signals.h"
#include "stapio/target.h"
#include "trace/dictionary.h"
#include "trace/form/json.h"
#include "trace/form/streamform.h"
#include "trace/form/top.h"
#include "trace/merge.h"
#include "trace/output.h"
#include "trace/records.h"

struct books;
struct module;

#define LOOP_WAIT_MS 100 /* nothing happens: look anyway. -T says otherwise */

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
	struct top top;	      /* --top */
	struct bulk *bulk;    /* -b, or NULL */
	struct sinkpipe sink; /* --to */
	uint64_t *stored;     /* … what it has: of each probe, and last of none */
	struct streamform stream;
	struct json json;     /* --json */
	struct notify notify; /* systemd, if it has started this */
	uint64_t told;	      /* when it was told the state last, ns */
	struct confine confine;
	struct confine nowhere; /* for the thread of `control`, which makes no files */
	bool stop_wanted;
	int ready;     /* --ready, or -1 */
	bool leave;    /* -L: as soon as it runs */
	bool detached; /* the script goes on by itself */
	int wait_ms;
	bool gave_up; /* a second ^C: left before the end */
	bool broken;  /* the module's data made no sense, or an ioctl failed */
	bool called;  /* ctl was readable */
	/*
	 * the module's call is known and cannot be served now: it is left out of the
	 * next wait
	 */
	bool muted;
	bool held;	  /* all that there is waits for the horizon */
	uint64_t checked; /* when the module's state was looked at last, ns */
};

/* False: the module's output is for another reader. */
bool loop_run_reads(const struct run *r);
/* Sets what the sink has stored so far; none, where there is none. */
void loop_add_stored(struct run *r, struct books *b);
/* Returns when everything has been read, or at once when it cannot go on. */
void loop_run(struct run *r);

#endif
