/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostmonitor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "stap/remote/talk.h"
#include "stap/watch/monitorkeys.h"
#include "stap/watch/runs.h"
#include "stap/watch/runtext.h"
#include "stap/watch/tail.h"

#define DRAW_EVERY (FLEET_SECOND / 10)

/* A machine's books at two moments, each in its own arena. */
struct hostlook {
	struct session session;
	struct runs runs;
};

struct hostmonitor {
	struct remote *r;
	struct monitorkeys keys;
	struct tail tail;
	int errors, own_errors; /* the file in place of standard error; the original */
	off_t errors_at;	/* shown up to here */
	bool is_open;
	int64_t due;
	VEC(bool) off; /* probes that are switched off, by their index */
	struct hostlook *now, *before;
};

/* ---- switching probes ---- */

static void end_runs(void *ctx)
{
	raise(SIGTERM);
}

static void note_off(struct hostmonitor *m, size_t index, bool is_off)
{
	while (m->off.count <= index)
		vec_push(m->r->s->arena, &m->off, false);
	m->off.data[index] = is_off;
}

/* Returns the largest number of probes of a machine. */
static size_t count_probes(const struct hostmonitor *m)
{
	size_t ret = 0;

	for (size_t i = 0; i < m->r->count; i++)
		if (m->r->hosts[i].from.tables.probes.count > ret)
			ret = m->r->hosts[i].from.tables.probes.count;
	return ret;
}

static bool find_probe(void *ctx, size_t index, bool *is_off)
{
	struct hostmonitor *m = ctx;

	*is_off = index < m->off.count && m->off.data[index];
	return index < count_probes(m);
}

/* Sends the request to all machines that run. */
static bool switch_probes(void *ctx, const char *which, bool on)
{
	struct hostmonitor *m = ctx;
	int index = strcmp(which, "all") ? atoi(which) : -1;
	bool ok = true;

	for (size_t i = 0; i < m->r->count; i++)
		if (m->r->hosts[i].state == HOST_RUNS)
			ok &= talk_switch(&m->r->hosts[i], index, on);
	if (index >= 0) {
		note_off(m, (size_t)index, !on);
		return ok;
	}
	for (size_t i = count_probes(m); i-- > 0;)
		note_off(m, i, !on);
	return ok;
}

/* ---- contents of the screen ---- */

struct error *hostmonitor_init(struct remote *r)
{
	struct hostmonitor *m;

	if (!r->s->options->monitor)
		return NULL;
	m = r->monitor = arena_new(r->s->arena, struct hostmonitor);
	*m = (struct hostmonitor){
		.r = r,
		.keys = { .end = end_runs,
			  .switch_probes = switch_probes,
			  .find = find_probe,
			  .ctx = m },
		.errors = memfd_create("stap messages", MFD_CLOEXEC),
		.own_errors = -1,
		.now = arena_array(r->s->arena, struct hostlook, r->count),
		.before = arena_array(r->s->arena, struct hostlook, r->count),
	};
	if (m->errors < 0 || fcntl(m->errors, F_SETFL, O_APPEND))
		return error_errno(r->s->arena, "memfd_create");
	return NULL;
}

bool hostmonitor_takes(const struct remote *r)
{
	return r->monitor && !r->s->options->output;
}

void hostmonitor_put(struct remote *r, const char *text, size_t len)
{
	tail_add(&r->monitor->tail, text, len);
}

static void look_free(struct hostlook *l)
{
	if (l->session.arena)
		arena_destroy(l->session.arena);
	*l = (struct hostlook){ 0 };
}

void hostmonitor_look(struct remote *r, struct host *h)
{
	struct hostmonitor *m = r->monitor;
	struct hostlook *now = m ? &m->now[h - r->hosts] : NULL;
	struct run run = { .looked = clock_now(), .host = h->label, .state = STP_RUNNING };

	if (!m || !h->from.books.s)
		return;
	look_free(&m->before[h - r->hosts]);
	m->before[h - r->hosts] = *now;
	*now = (struct hostlook){ .session = *r->s };
	now->session.arena = arena_create();
	run.shown = run.name =
		runtext_printable(&now->session, h->from.module, strlen(h->from.module));
	run.script = r->s->options->script_file ?: "-e";
	run.started = ((int64_t)h->from.header.session - h->clock.offset) / FLEET_SECOND;
	runtext_read(&now->session, &run, h->from.books.s, h->from.books.len);
	run.state = STP_RUNNING;
	vec_push(now->session.arena, &now->runs.list, run);
	runs_compare(&now->runs, &m->before[h - r->hosts].runs);
}

/* Returns the machine's run as it is now, or NULL. */
static const struct run *run_of(const struct hostmonitor *m, size_t i)
{
	struct hostlook *l = &m->now[i];
	struct run *run = l->runs.list.count ? &l->runs.list.data[0] : NULL;

	if (run && m->r->hosts[i].state != HOST_RUNS)
		run->state = STP_STOPPED;
	for (size_t k = 0; run && k < run->probes.count; k++)
		run->probes.data[k].is_off = k < m->off.count && m->off.data[k];
	return run;
}

/* Shows the messages that have arrived. */
static void take_messages(struct hostmonitor *m)
{
	char text[4096];
	ssize_t n;

	fflush(stderr);
	while ((n = pread(m->errors, text, sizeof(text), m->errors_at)) > 0) {
		tail_add(&m->tail, text, (size_t)n);
		m->errors_at += n;
	}
}

/* True: nobody can be asked for a password any more, and at least one machine runs. */
static bool may_open(const struct remote *r)
{
	bool runs = false;

	for (size_t i = 0; i < r->count; i++) {
		if (r->hosts[i].state < HOST_READY)
			return false;
		runs |= r->hosts[i].state == HOST_RUNS;
	}
	return runs && !r->ending && !r->fatal;
}

static void open_screen(struct hostmonitor *m)
{
	fflush(stderr);
	m->own_errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (m->own_errors < 0 || !screen_open()) {
		raise(SIGTERM);
		return;
	}
	dup2(m->errors, STDERR_FILENO);
	m->is_open = true;
}

static void draw(struct hostmonitor *m)
{
	const struct run **runs = calloc(m->r->count, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; runs && i < m->r->count; i++) {
		runs[n] = run_of(m, i);
		n += runs[n] != NULL;
	}
	screen_draw(m->r->s, &m->keys.screen, runs, n, &m->tail);
	free(runs);
}

int64_t hostmonitor_draw(struct remote *r)
{
	struct hostmonitor *m = r->monitor;
	int64_t now = fleet_now();

	if (!m)
		return -1;
	if (!m->is_open && may_open(r))
		open_screen(m);
	if (!m->is_open)
		return -1;
	if (now >= m->due) {
		take_messages(m);
		draw(m);
		m->due = now + DRAW_EVERY;
	}
	return m->due;
}

void hostmonitor_keys(struct remote *r)
{
	int key;

	while (r->monitor->is_open && (key = screen_key()) != SCREEN_NONE)
		monitorkeys_take(&r->monitor->keys, key);
	r->monitor->due = 0;
}

int hostmonitor_input(const struct remote *r)
{
	return r->monitor && r->monitor->is_open ? STDIN_FILENO : -1;
}

void hostmonitor_close(struct remote *r)
{
	struct hostmonitor *m = r->monitor;

	if (!m)
		return;
	if (m->is_open) {
		take_messages(m);
		screen_close();
		dup2(m->own_errors, STDERR_FILENO);
	}
	tail_end(&m->tail);
	tail_print(&m->tail);
	tail_free(&m->tail);
	for (size_t i = 0; i < r->count; i++) {
		look_free(&m->now[i]);
		look_free(&m->before[i]);
	}
	host_close_fd(&m->errors);
	host_close_fd(&m->own_errors);
	r->monitor = NULL;
}
