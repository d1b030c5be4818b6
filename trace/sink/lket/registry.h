/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knows each hook: its name, and the types and names of its fields, first by the
 * library's table, then by the registrations in the trace, which count.
 */
#ifndef TRACE_SINK_LKET_REGISTRY_H
#define TRACE_SINK_LKET_REGISTRY_H

#include "trace/sink/lket/event.h"

/* The meaning of an event for the names of processes. */
enum registry_role { ROLE_NONE, ROLE_SNAPSHOT, ROLE_FORK, ROLE_EXEC };

/* Numbers with a meaning in every trace: group 1. */
enum {
	GROUP_REGISTER = 1,
	REGISTER_SYSTEM = 1,
	REGISTER_USER = 2,
	REGISTER_USER_2007 = 3,
	REGISTER_TEXT = 5
};

/* Fields, as one registration names them. */
struct registry_fields {
	bool known;
	unsigned count;
	enum event_type types[EVENT_FIELDS];
	char *names[EVENT_FIELDS]; /* parts of `text` */
	char *text;
};

struct registry_hook {
	char *name; /* NULL: none */
	struct registry_fields own, user;
	enum registry_role role;
	bool reported;
};

struct registry {
	struct registry_hook *hooks[256][256]; /* NULL: nothing known */
};

/* Fills in the library's hooks. False: no memory. */
bool registry_init(struct registry *f);
void registry_deinit(struct registry *f);
/*
 * Returns what is known of the hook; it is made when there is nothing. NULL: no
 * memory.
 */
struct registry_hook *registry_of(struct registry *f, unsigned group, unsigned hook);
/*
 * Takes a registration: an event of group 1 with its four (or three) fields. NULL, or
 * what is wrong with it.
 */
const char *registry_add(struct registry *f, const struct event *e);

#endif
