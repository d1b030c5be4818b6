/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/watch/runtext.h"

#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "lib/printable.h"
#include "stap/watch/runs.h"
#include "stap/watch/values.h"
#include "uapi/status.h"

#define MOST_PROBES (1u << 20)

const char *runtext_printable(struct session *s, const char *text, size_t len)
{
	return printable_line(arena_strndup(s->arena, text, len));
}

/* Takes the number before the next tab, and moves *at past the tab. */
static uint64_t take_number(const char **at, const char *end)
{
	const char *tab = memchr(*at, '\t', (size_t)(end - *at));
	uint64_t n = strtoull(*at, NULL, 10);

	*at = tab ? tab + 1 : end;
	return n;
}

static const char *take_word(struct session *s, const char **at, const char *end)
{
	const char *tab = memchr(*at, '\t', (size_t)(end - *at));
	const char *ret = runtext_printable(s, *at, (size_t)((tab ? tab : end) - *at));

	*at = tab ? tab + 1 : end;
	return ret;
}

static void read_script(struct session *s, struct run *r, const char *at, const char *end)
{
	r->script = runtext_printable(s, at, (size_t)(end - at));
}

static void read_owner(struct session *s, struct run *r, const char *at, const char *end)
{
	r->owner = (uid_t)take_number(&at, end);
}

static void read_pid(struct session *s, struct run *r, const char *at, const char *end)
{
	r->pid = (pid_t)take_number(&at, end);
}

static void read_name(struct session *s, struct run *r, const char *at, const char *end)
{
	r->name = arena_strndup(s->arena, at, (size_t)(end - at));
}

static void read_kept(struct session *s, struct run *r, const char *at, const char *end)
{
	r->is_kept = take_number(&at, end);
}

static void read_state(struct session *s, struct run *r, const char *at, const char *end)
{
	r->state = (unsigned)take_number(&at, end);
}

static void read_started(struct session *s, struct run *r, const char *at, const char *end)
{
	r->started = (int64_t)take_number(&at, end);
}

static struct run_probe *probe_at(struct session *s, struct run *r, uint64_t index)
{
	while (index < MOST_PROBES && r->probes.count <= index)
		vec_push_long(s->arena, &r->probes, (struct run_probe){ .point = "" });
	return index < MOST_PROBES ? &r->probes.data[index] : NULL;
}

static void read_point(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));

	if (p)
		p->point = runtext_printable(s, at, (size_t)(end - at));
}

static void read_off(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));

	if (p)
		p->is_off = true;
}

static void add_sums(struct run_sums *to, const struct run_sums *more)
{
	to->hits += more->hits;
	to->delivered += more->delivered;
	to->dropped += more->dropped;
	to->skipped += more->skipped;
	to->ns += more->ns;
}

/* INDEX CPU HITS DELIVERED DROPPED SKIPPED POINT */
static void read_probe(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));
	struct run_sums sums = { .ns = 0 };

	take_word(s, &at, end);
	sums.hits = take_number(&at, end);
	sums.delivered = take_number(&at, end);
	sums.dropped = take_number(&at, end);
	sums.skipped = take_number(&at, end);
	if (!p)
		return;
	if (!*p->point)
		p->point = runtext_printable(s, at, (size_t)(end - at));
	add_sums(&p->sums, &sums);
	add_sums(&r->sums, &sums);
}

static void read_time(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));
	const struct run_sums sums = { .ns = take_number(&at, end) };

	if (!p)
		return;
	add_sums(&p->sums, &sums);
	add_sums(&r->sums, &sums);
}

static void read_reason(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_count c = { .name = take_word(s, &at, end) };

	c.count = take_number(&at, end);
	vec_push(s->arena, &r->reasons, c);
}

static void read_contended(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_count c = { .name = take_word(s, &at, end) };

	c.count = take_number(&at, end);
	vec_push(s->arena, &r->contended, c);
}

static const struct {
	const char *key;
	bool is_of_modules; /* for a program, the kernel reports it */
	void (*read)(struct session *s, struct run *r, const char *at, const char *end);
} lines[] = {
	{ "name", true, read_name },
	{ "owner", true, read_owner },
	{ "pid", true, read_pid },
	{ "kept", false, read_kept },
	{ "state", false, read_state },
	{ "started", false, read_started },
	{ "script", false, read_script },
	{ "point", false, read_point },
	{ "probe", false, read_probe },
	{ "skipped", false, read_reason },
	{ "contended", false, read_contended },
	{ "off", false, read_off },
	{ "time", false, read_time },
};

static void read_line(struct session *s, struct run *r, const char *at, const char *end)
{
	const char *tab = memchr(at, '\t', (size_t)(end - at));

	for (size_t i = 0; tab && i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strlen(lines[i].key) == (size_t)(tab - at) &&
		    !memcmp(lines[i].key, at, (size_t)(tab - at)) &&
		    !(lines[i].is_of_modules && r->address))
			lines[i].read(s, r, tab + 1, end);
}

void runtext_read(struct session *s, struct run *r, const char *text, size_t len)
{
	const char *end = text + len, *eol;

	r->answers = true;
	for (const char *at = text; at < end; at = eol + 1) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		read_line(s, r, at, eol);
	}
	values_read(s, r, text, len);
}
