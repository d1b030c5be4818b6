/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostmerge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stap/remote/hostlines.h"

struct queued {
	struct queued *next;
	int64_t time, arrived;
	size_t len;
	char text[];
};

void hostmerge_add(struct remote *r, struct host *h, int64_t time, const char *text, size_t len)
{
	struct queued *q = malloc(sizeof(*q) + len);

	if (!q) {
		r->error = ENOMEM;
		return;
	}
	/* The order of one machine's lines is that in which they come. */
	if (time < h->seen)
		time = h->seen;
	h->seen = time;
	*q = (struct queued){ .time = time, .arrived = fleet_now(), .len = len };
	memcpy(q->text, text, len);
	if (!h->first)
		h->last = &h->first;
	*h->last = q;
	h->last = &q->next;
	h->queued += sizeof(*q) + len;
}

static void write_first(struct remote *r, struct host *h)
{
	struct queued *q = h->first;

	h->first = q->next;
	h->queued -= sizeof(*q) + q->len;
	hostlines_put(r, h, q->text, q->len);
	free(q);
}

/*
 * Returns the machine with the earliest line; *open is the earliest time up to which
 * those are known that run and have no line here.
 */
static struct host *earliest(struct remote *r, int64_t *open)
{
	struct host *ret = NULL;

	*open = INT64_MAX;
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (h->first && (!ret || h->first->time < ret->first->time))
			ret = h;
		if (!h->first && h->state == HOST_RUNS && h->output >= 0 && h->seen < *open)
			*open = h->seen;
	}
	return ret;
}

int64_t hostmerge_write(struct remote *r)
{
	int64_t now = fleet_now(), open;
	struct host *h;

	while ((h = earliest(r, &open)) != NULL) {
		int64_t due = h->first->arrived + HOSTMERGE_WAIT;

		if (h->first->time > open && due > now)
			return due;
		write_first(r, h);
	}
	return -1;
}
