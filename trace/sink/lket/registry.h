/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Knows each hook: its name, and the types and names of its fields. They come from the
 * library's table, and from the registrations in the trace, which take precedence.
 */
#ifndef TRACE_SINK_LKET_REGISTRY_H
#define TRACE_SINK_LKET_REGISTRY_H

#include "trace/sink/lket/event.h"

/* The part that an event plays for the names of processes. */
enum registry_role { ROLE_NONE, ROLE_SNAPSHOT, ROLE_FORK, ROLE_EXEC };

/* Numbers that mean the same in every trace: group 1. */
enum {
	GROUP_REGISTER = 1,
	REGISTER_SYSTEM = 1,
	REGISTER_USER = 2,
	REGISTER_USER_2007 = 3,
	REGISTER_TEXT = 5
};

/* The fields that one registration names. */
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
/* Returns the entry of the hook, and creates it if there is none. NULL: no memory. */
struct registry_hook *registry_of(struct registry *f, unsigned group, unsigned hook);
/*
 * Takes a registration: an event of group 1 with its four (or three) fields. Returns NULL
 * or an error text.
 */
const char *registry_add(struct registry *f, const struct event *e);

#endif
