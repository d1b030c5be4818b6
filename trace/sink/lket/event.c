/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "trace/sink/lket/event.h"

#include <string.h>

unsigned event_width(enum event_type type)
{
	static const unsigned widths[] = {
		[EVENT_INT8] = 1,  [EVENT_INT16] = 2,  [EVENT_INT32] = 4,
		[EVENT_INT64] = 8, [EVENT_STRING] = 0,
	};
	_Static_assert(sizeof(widths) / sizeof(widths[0]) == EVENT_TYPES, "a row for every type");

	return widths[type];
}

static struct event_field *add(struct event *e, enum event_type type)
{
	struct event_field *f = &e->fields[e->nfields];

	if (e->nfields == EVENT_FIELDS) {
		e->cut = true;
		return NULL;
	}
	e->nfields++;
	*f = (struct event_field){ .type = type };
	return f;
}

void event_add_number(struct event *e, enum event_type type, int64_t number)
{
	struct event_field *f = add(e, type);
	unsigned unused = 64 - 8 * event_width(type);

	if (f)
		f->number = (int64_t)((uint64_t)number << unused) >> unused;
}

void event_add_string(struct event *e, const char *text, size_t len)
{
	struct event_field *f = add(e, EVENT_STRING);

	if (!f)
		return;
	if (len > EVENT_BYTES - e->used) {
		len = EVENT_BYTES - e->used;
		e->cut = true;
	}
	memcpy(e->bytes + e->used, text, len);
	f->text = e->bytes + e->used;
	f->len = (uint32_t)len;
	e->used += len;
}
