/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See monitor.h. The run is examined from outside every few seconds, as --status does. A
 * separate thread reads its output, so that the screen never delays a script; also, a
 * program whose output nobody reads would not answer.
 */
#include "stap/watch/monitor.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/subprocess.h"
#include "stap/watch/monitorkeys.h"
#include "stap/watch/runs.h"
#include "stap/watch/screen.h"
#include "stap/watch/sockets.h"
#include "stap/watch/tail.h"

#define DRAW_EVERY_MS 100

/* Holds everything that is known at a moment, in its own arena. */
struct look {
	struct session session;
	struct runs runs;
};

struct monitor {
	struct session *s;
	const char *pattern; /* of the run, for runs_find() */
	pid_t process;
	int output;
	struct monitorkeys keys;
	struct tail tail;     /* under lock */
	pthread_mutex_t lock; /* the reading thread adds lines */
	struct look now, before;
	uint64_t next; /* when to look again */
};

struct error *monitor_check(struct session *s)
{
	if (!screen_is_there())
		return error_create(s->arena, ERROR_ENVIRONMENT,
				    "--monitor: this stap was built without ncurses; %s, then "
				    "build it again. stap --status shows the same",
				    remedy_command(s->arena, REMEDY_NCURSES, NULL));
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_create(s->arena, ERROR_USAGE,
				    "--monitor: standard input and output have to be a terminal; "
				    "stap --status tells programs the same");
	return screen_is_known() ? NULL
				 : error_create(s->arena, ERROR_USAGE,
						"--monitor: TERM names no terminal that is known "
						"here");
}

/* ---- examining the run ---- */

static void look_free(struct look *l)
{
	if (l->session.arena)
		arena_destroy(l->session.arena);
	*l = (struct look){ 0 };
}

static const struct run *run_of(const struct monitor *m)
{
	return m->now.runs.list.count ? &m->now.runs.list.data[0] : NULL;
}

static void look(struct monitor *m)
{
	look_free(&m->before);
	m->before = m->now;
	m->now = (struct look){ .session = *m->s };
	m->now.session.arena = arena_create();
	if (!(m->keys.screen.has_globals ? runs_find_values : runs_find)(&m->now.session,
									 m->pattern, &m->now.runs))
		runs_compare(&m->now.runs, &m->before.runs);
	m->next = clock_now() + m->s->options->monitor * UINT64_C(1000000000);
}

/* ---- switching probes ---- */

/* True: a program of --runtime=user has accepted the request. */
static bool ask_program(const struct run *r, const char *request)
{
	int fd = sockets_connect(r);
	bool ok = fd >= 0 && sockets_ask(fd, request);

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool ask_module(struct monitor *m, const struct run *r, const char *what)
{
	struct session *s = &m->now.session;
	const char *argv[] = { arena_printf(s->arena, "%s/staprun", s->bin_dir),
			       arena_printf(s->arena, "--switch=%s", what), r->name, NULL };
	struct process_result result;

	return !subprocess_run(s->arena, NULL, (char *const *)argv, true, &result) &&
	       !result.status;
}

static bool switch_probes(void *ctx, const char *which, bool on)
{
	struct monitor *m = ctx;
	const struct run *r = run_of(m);
	const char *what = arena_printf(m->s->arena, "%s:%s", which, on ? "on" : "off");

	m->next = 0;
	if (!r)
		return true;
	return r->address ? ask_program(r, arena_printf(m->s->arena, "switch %s", what))
			  : ask_module(m, r, what);
}

static bool find_probe(void *ctx, size_t index, bool *is_off)
{
	const struct run *r = run_of(ctx);

	if (!r || index >= r->probes.count)
		return false;
	*is_off = r->probes.data[index].is_off;
	return true;
}

static void end_run(void *ctx)
{
	kill(((struct monitor *)ctx)->process, SIGTERM);
}

static void look_at_others(void *ctx)
{
	((struct monitor *)ctx)->next = 0;
}

/* ---- the loop ---- */

static bool has_ended(pid_t process)
{
	siginfo_t info = { .si_pid = 0 };

	return waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid;
}

static void *read_output(void *ctx)
{
	struct monitor *m = ctx;
	char buf[65536];
	ssize_t n;

	while ((n = read(m->output, buf, sizeof(buf))) > 0 || (n < 0 && errno == EINTR)) {
		pthread_mutex_lock(&m->lock);
		if (n > 0)
			tail_add(&m->tail, buf, (size_t)n);
		pthread_mutex_unlock(&m->lock);
	}
	return NULL;
}

/* Starts the thread with all signals blocked, because signals are for the run. */
static bool start_reading(struct monitor *m, pthread_t *ret)
{
	sigset_t all, before;
	bool ok;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	ok = !pthread_create(ret, NULL, read_output, m);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return ok;
}

/*
 * Ends the thread after it has read the available output: commands left over from the
 * script may keep the pipe open.
 */
static void end_reading(struct monitor *m, pthread_t thread)
{
	struct pollfd p = { .fd = m->output, .events = POLLIN };

	while (poll(&p, 1, 0) > 0 && p.revents & POLLIN)
		nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	tail_end(&m->tail);
}

static void draw(struct monitor *m)
{
	const struct run *r = run_of(m);

	pthread_mutex_lock(&m->lock);
	screen_draw(m->s, &m->keys.screen, &r, r ? 1 : 0, &m->tail);
	pthread_mutex_unlock(&m->lock);
}

/* Waits for keys, and handles them. False: the run has ended. */
static bool serve(struct monitor *m)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	int key;

	if (poll(&p, 1, DRAW_EVERY_MS) < 0 && errno != EINTR)
		return false;
	while ((key = screen_key()) != SCREEN_NONE)
		monitorkeys_take(&m->keys, key);
	// The terminal has gone. Under nohup(1), the run does not learn this from SIGHUP.
	if (p.revents & (POLLHUP | POLLERR)) {
		kill(m->process, SIGTERM);
		return false;
	}
	return !has_ended(m->process);
}

static const char *run_pattern(struct session *s, const char *program, pid_t process)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
	size_t len = strlen(name);

	if (s->options->runtime != RUNTIME_KERNEL)
		return arena_printf(s->arena, "%d", (int)process);
	return arena_strndup(s->arena, name, len > 3 ? len - 3 : len); /* without .ko */
}

void monitor_show(struct session *s, const char *program, pid_t process, int output)
{
	struct monitor *m = arena_new(s->arena, struct monitor);
	pthread_t reader;

	*m = (struct monitor){ .s = s,
			       .pattern = run_pattern(s, program, process),
			       .process = process,
			       .output = output,
			       .lock = PTHREAD_MUTEX_INITIALIZER,
			       .keys = { .end = end_run,
					 .switch_probes = switch_probes,
					 .find = find_probe,
					 .change = look_at_others,
					 .ctx = m } };
	if (!start_reading(m, &reader) || !screen_open()) {
		kill(process, SIGTERM);
		return;
	}
	do {
		if (clock_now() >= m->next)
			look(m);
		draw(m);
	} while (serve(m));
	screen_close();
	end_reading(m, reader);
	tail_print(&m->tail);
	tail_free(&m->tail);
	look_free(&m->now);
	look_free(&m->before);
}
