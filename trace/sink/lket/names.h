/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows processes and their names, from the snapshot, fork and execve. */
#ifndef TRACE_SINK_LKET_NAMES_H
#define TRACE_SINK_LKET_NAMES_H

#include "trace/sink/lket/event.h"
#include "trace/sink/lket/registry.h"

struct name {
	int32_t tid, pid, ppid; /* pid, ppid: -1 not known */
	char *text;		/* NULL: not known */
};

struct names {
	void *tree; /* of tsearch(3) */
};

/* Learns from an event of that role. False: no memory. */
bool names_learn(struct names *n, enum registry_role role, const struct event *e);
/* Fills in the event's pid and ppid if the trace does not have them. */
void names_fill(const struct names *n, struct event *e);
/* Returns the name of the event's process, or "?" if it is unknown. */
const char *names_of(const struct names *n, const struct event *e);
/* Calls fn for each process that has a name. */
void names_each(const struct names *n, void (*fn)(void *ctx, int32_t pid, const char *text),
		void *ctx);
void names_deinit(struct names *n);

#endif
