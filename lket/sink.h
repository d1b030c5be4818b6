/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sinks take events. Each has a row in convert.c's table; to add one: a file, a
 * declaration here, a row there, and the option in main.c that gives it a name.
 */
#ifndef LKET_SINK_H
#define LKET_SINK_H

#include "lket/event.h"

struct books;
struct convert;

struct sink_ops {
	bool takes_registrations; /* they are events for it, too */
	/* The functions return false after they have reported what is wrong. */
	bool (*begin)(struct convert *c, void **ret);
	bool (*event)(struct convert *c, void *sink, const struct event *e);
	/* After the last event, and also after an error. books: NULL, there are none. */
	bool (*end)(struct convert *c, void *sink, const struct books *books);
};

extern const struct sink_ops text_sink, bytes_sink, sqlite_sink;

#endif
