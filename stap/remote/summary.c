/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/summary.h"

#include <inttypes.h>
#include <string.h>

#include "lib/printable.h"
#include "stap/remote/fleet.h"

/* A line of the table with its end and the 0. */
enum { LINE_ROOM = 512 };

static int name_width(const struct remote *r)
{
	size_t width = strlen("machine");

	for (size_t i = 0; i < r->count; i++)
		if (strlen(r->hosts[i].uri) > width)
			width = strlen(r->hosts[i].uri);
	return width < 40 ? (int)width : 40;
}

/* Writes by how much the machine's clock is ahead: "+1.250 ms". */
static void write_clock(const struct host *h, char ret[32])
{
	*ret = 0;
	if (h->clock.trip)
		snprintf(ret, 32, "%+.3f ms", (double)h->clock.offset / 1e6);
}

static void write_outcome(const struct host *h, char ret[32])
{
	if (!h->status)
		strcpy(ret, "ran");
	else
		snprintf(ret, 32, "status %d", h->status);
}

static void print_ran(const struct host *h, int width)
{
	char line[LINE_ROOM], outcome[32], clock[32];
	int n;

	write_outcome(h, outcome);
	write_clock(h, clock);
	n = snprintf(line, sizeof(line), "%-*s  %-10s", width, h->uri, outcome);
	if (n < LINE_ROOM && h->books.known)
		snprintf(line + n, sizeof(line) - (size_t)n,
			 " %12" PRId64 " %12" PRId64 " %12" PRId64 " %12" PRId64 "  %s",
			 h->books.hits, h->books.delivered, h->books.dropped, h->books.skipped,
			 clock);
	else if (n < LINE_ROOM)
		snprintf(line + n, sizeof(line) - (size_t)n, "  %s",
			 h->why ? h->why : "without books");
	printable_make(line, strlen(line));
	fprintf(stderr, "%s\n", line);
}

void summary_print(const struct remote *r)
{
	int width = name_width(r);
	size_t ran = 0;

	fprintf(stderr, "%-*s  %-10s %12s %12s %12s %12s  %s\n", width, "machine", "run", "hits",
		"delivered", "dropped", "skipped", "clock");
	for (size_t i = 0; i < r->count; i++) {
		const struct host *h = &r->hosts[i];

		ran += h->state == HOST_ENDED && !h->status;
		if (h->state == HOST_ENDED)
			print_ran(h, width);
		else
			fprintf(stderr, "%-*s  %-10s  %s\n", width, h->uri, "left out",
				h->why ? h->why : "the end was asked for");
	}
	fprintf(stderr, "%zu of %zu machines ran\n", ran, r->count);
}
