/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event of the Linux Kernel Event Trace, read from raw files of stap -b -M
 * (rawtrace.c) or from the files of 2006 and 2007 (bytetrace.c).
 */
#ifndef TRACE_SINK_LKET_EVENT_H
#define TRACE_SINK_LKET_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EVENT_FIELDS 64
#define EVENT_BYTES  65536 /* of strings */

enum event_type { EVENT_INT8, EVENT_INT16, EVENT_INT32, EVENT_INT64, EVENT_STRING, EVENT_TYPES };

struct event_field {
	const char *text; /* EVENT_STRING: len bytes in event.bytes */
	uint32_t len;
	enum event_type type;
	int64_t number;
};

struct event {
	uint64_t usec;		/* since 1970 */
	int32_t tid, pid, ppid; /* pid, ppid: -1 if the trace does not have them */
	uint8_t group, hook, cpu;
	unsigned nfields, nown; /* all fields; the hook's own, which come first */
	struct event_field fields[EVENT_FIELDS];
	size_t used;
	bool cut; /* it had more than fits in here */
	char bytes[EVENT_BYTES];
};

/* The head of a trace, before its first event. */
struct trace_header {
	unsigned header_len, major, minor, width;
	bool big_endian, has_timing;
	unsigned timing;
	uint32_t timebase;
};

/* Returns the size of a number of that type in bytes; 0: a string. */
unsigned event_width(enum event_type type);
void event_add_number(struct event *e, enum event_type type, int64_t number);
void event_add_string(struct event *e, const char *text, size_t len);

#endif
