/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/remote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/filename.h"
#include "lib/streams.h"
#include "lib/subprocess.h"
#include "stap/pass.h"
#include "stap/remote/fleet.h"
#include "stap/remote/hostlines.h"
#include "stap/remote/hostmodules.h"
#include "stap/remote/hostmonitor.h"
#include "stap/remote/hostpage.h"
#include "stap/remote/hostrecords.h"
#include "stap/remote/hostset.h"
#include "stap/remote/hostsink.h"
#include "stap/remote/summary.h"
#include "stap/remote/talk.h"

#define SECOND FLEET_SECOND
/* The time that a user has to type a password. */
#define TYPING (120 * SECOND)
/* If more bytes of one machine wait, nothing is read from it. */
#define WAITING_MOST (16u << 20)
/* A clock is read this many times; the shortest round trip is the most accurate. */
#define CLOCK_ROUNDS 3

static bool is_connected(const struct host *h)
{
	return h->state >= HOST_ASKED && h->state <= HOST_RUNS;
}

/* True: no run begins before all machines have answered and have their modules. */
static bool all_or_none(const struct remote *r)
{
	const struct options *o = r->s->options;

	return o->remote_strict || o->last_pass == 4 || o->btf;
}

/* ---- signals ---- */

/*
 * Number of requests to end, and the signal of the last one: a handler can reach nothing
 * else.
 */
static volatile sig_atomic_t end_asked, end_signal;

static void on_signal(int sig)
{
	end_asked++;
	end_signal = sig;
}

/*
 * The inputs of the running machines. A handler tells them that stap still listens, even
 * while stap is blocked because nobody reads its output.
 */
static int *volatile listening;
static volatile size_t listening_count;

static void on_alarm(int sig)
{
	int error = errno;

	for (size_t i = 0; i < listening_count; i++)
		if (listening[i] >= 0 && write(listening[i], ".", 1) < 0)
			continue; /* the pipe is full, or the run has ended: nothing to do */
	errno = error;
}

/* Installs handlers. Signals are delivered only in turn(), and end its wait. */
static void take_signals(struct remote *r)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction alarm = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	unsigned third = r->s->options->remote_timeout / 3;
	struct itimerval every = { .it_interval.tv_sec = third,
				   .it_interval.tv_usec = third ? 0 : 300000 };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction act = { .sa_handler = on_signal }, was;

		if (!sigaction(signals[i], NULL, &was) && was.sa_handler == SIG_IGN)
			continue;
		sigaction(signals[i], &act, NULL);
		sigaddset(&set, signals[i]);
	}
	signal(SIGPIPE, SIG_IGN);
	sigprocmask(SIG_BLOCK, &set, &r->heard);
	listening = arena_array(r->s->arena, int, r->count);
	for (size_t i = 0; i < r->count; i++)
		listening[i] = -1;
	listening_count = r->count;
	sigaction(SIGALRM, &alarm, NULL);
	every.it_value = every.it_interval;
	setitimer(ITIMER_REAL, &every, NULL);
}

static void leave_signals(struct remote *r)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
	listening_count = 0;
	sigprocmask(SIG_SETMASK, &r->heard, NULL);
}

static void close_input(struct remote *r, struct host *h)
{
	listening[h - r->hosts] = -1;
	host_close_fd(&h->input);
}

/* ---- states of a machine ---- */

/* Leaves a machine out, and closes its connection. */
static void leave_out(struct remote *r, struct host *h, const char *why)
{
	listening[h - r->hosts] = -1;
	host_close(h);
	h->state = HOST_OUT;
	h->why = why;
}

/* Leaves out a machine that has not run, with a message, or ends everything. */
static void give_up(struct remote *r, struct host *h, const struct error *err)
{
	size_t len = strlen(h->uri);
	bool named = !strncmp(err->text, h->uri, len) && err->text[len] == ' ';

	leave_out(r, h, named ? err->text + len + 1 : err->text);
	if (r->ending || r->fatal)
		return;
	if (r->s->options->remote_strict || r->count == 1)
		r->fatal = error_create(r->s->arena, err->kind, "%s", err->text);
	else
		fprintf(stderr, "stap: %s; it is left out\n", err->text);
}

static void give_up_silent(struct remote *r, struct host *h, const char *said)
{
	give_up(r, h,
		error_create(r->s->arena, ERROR_ENVIRONMENT,
			     "%s cannot be asked for its kernel: %s", h->uri, said));
}

/* Leaves out a machine that had answered and was waiting for its module. */
static void give_up_lost(struct remote *r, struct host *h)
{
	give_up(r, h,
		error_create(r->s->arena, ERROR_ENVIRONMENT,
			     "%s lost its connection before its run%s%s", h->uri,
			     *h->said.text ? ": " : "", h->said.text));
}

static void connect_one(struct remote *r, struct host *h)
{
	bool few = r->count <= HOSTSET_FEW;
	struct error *err;

	h->deadline = fleet_now() + r->s->options->remote_timeout * SECOND + (few ? TYPING : 0);
	err = host_start(r->s, h, host_command(r->s, h, talk_command(r->s)), &r->heard);
	h->state = HOST_ASKED;
	if (err)
		give_up(r, h, err);
}

static void connect_more(struct remote *r)
{
	size_t at_once = 0;

	for (size_t i = 0; i < r->count; i++)
		at_once += r->hosts[i].state == HOST_ASKED || r->hosts[i].state == HOST_TIMED;
	for (size_t i = 0; i < r->count && !r->fatal && !r->ending; i++)
		if (r->hosts[i].state == HOST_WAITS && at_once++ < r->s->options->remote_fanout)
			connect_one(r, &r->hosts[i]);
}

static void ask_clock(struct host *h)
{
	talk_ask_clock(h);
	h->clock.sent = fleet_time();
}

/* Handles an answer about its clock. An answer without nanoseconds is ignored. */
static void take_clock(struct remote *r, struct host *h, const char *text)
{
	int64_t now = fleet_time(), trip = now - h->clock.sent;
	size_t digits = strspn(text, "0123456789");
	long long there = strtoll(text, NULL, 10);

	if (digits > 15 && digits < 20 && !text[digits] && trip > 0 &&
	    (!h->clock.trip || trip < h->clock.trip)) {
		h->clock.trip = trip;
		h->clock.offset = there - (h->clock.sent + trip / 2);
	}
	if (++h->clock.rounds < CLOCK_ROUNDS) {
		ask_clock(h);
		return;
	}
	h->state = HOST_READY;
	h->deadline = 0;
}

/* Returns what the staprun of an older stap cannot do. */
static const char *lacks_of_old(const struct remote *r)
{
	if (fleet_runs_program(r->s))
		return "runs no programs of --runtime=bpf";
	return r->page ? "sends no values" : "sends no records";
}

/* True: the machine's staprun cannot do what this run needs. */
static bool needs_programs(const struct remote *r, const struct host *h)
{
	return r->s->options->last_pass > 4 &&
	       (h->lacks_staprun || (h->is_old && (r->streams || fleet_runs_program(r->s))));
}

/* Sends our staprun to a machine without one. */
static struct error *lend_programs(struct remote *r, struct host *h)
{
	const char *has = h->is_old ? arena_printf(r->s->arena,
						   "the staprun of an older stap, "
						   "which %s",
						   lacks_of_old(r))
				    : "no staprun";
	struct error *err = arch_is_own(h->arch) ? hostprograms_read(r->s, h, &r->programs)
						 : hostprograms_foreign(r->s, h);

	h->programs = &r->programs;
	return err ? error_create(r->s->arena, err->kind, "%s has %s, and %s", h->uri, has,
				  err->text)
		   : NULL;
}

static void take_answer(struct remote *r, struct host *h, const char *text)
{
	struct error *err = host_answered(r->s, h, text);

	if (!err && fleet_runs_program(r->s) && !arch_is_own(h->arch))
		err = error_create(r->s->arena, ERROR_ENVIRONMENT,
				   "%s is a machine of the kind %s; programs of --runtime=bpf are "
				   "made for this machine's, %s",
				   h->uri, h->arch->name, arch_of(r->s)->name);
	if (!err && needs_programs(r, h))
		err = lend_programs(r, h);
	if (err) {
		give_up(r, h, err);
		return;
	}
	h->state = HOST_TIMED;
	ask_clock(h);
}

/* Handles a line before the run. A login shell may greet first. */
static void take_talk(struct remote *r, struct host *h, char *line)
{
	line[strcspn(line, "\r\n")] = 0;
	if (h->state == HOST_ASKED && !strncmp(line, TALK_GREETING, strlen(TALK_GREETING)))
		take_answer(r, h, line + strlen(TALK_GREETING));
	else if (h->state == HOST_TIMED && !strncmp(line, TALK_CLOCK, strlen(TALK_CLOCK)))
		take_clock(r, h, line + strlen(TALK_CLOCK));
	else if (*line)
		printable_keep(&h->said, line, strlen(line));
}

/* The rest of a long greeting, or of a long message, is cut off. */
enum { TALK_MOST = 65536 };

static void take_answers(struct remote *r, struct host *h, const char *text, size_t len)
{
	for (; len && h->state < HOST_READY; text++, len--) {
		if (*text && h->line.len < TALK_MOST)
			strbuf_addc(&h->line, *text);
		if (*text != '\n')
			continue;
		take_talk(r, h, h->line.s);
		h->line.len = 0;
	}
}

/* ---- the end of a machine's run ---- */

static void note_status(struct remote *r, struct host *h, int status)
{
	static const char lost[] = "the connection was lost";

	h->status = status;
	h->state = HOST_ENDED;
	/* the status of ssh itself; a shell never returns it */
	if (status == 255) {
		h->why = *h->said.text ? arena_printf(r->s->arena, "%s: %s", lost, h->said.text)
				       : lost;
		h->status = REMOTE_LEFT_OUT;
		if (r->count > 1)
			fprintf(stderr, "stap: %s: %s\n", h->uri, h->why);
	} else if (status) {
		h->why = *h->said.text ? h->said.text : NULL;
	}
}

/* A machine that sends nonsense is ignored from then on. */
static void take_run(struct remote *r, struct host *h, const char *bytes, size_t len)
{
	if (!r->streams)
		hostlines_take(r, h, bytes, len);
	else if (!hostrecords_take(r, h, bytes, len))
		close_input(r, h);
}

static void take_output(struct remote *r, struct host *h)
{
	char chunk[65536];
	ssize_t n = read(h->output, chunk, sizeof(chunk));

	if (n > 0 && h->state == HOST_RUNS)
		take_run(r, h, chunk, (size_t)n);
	else if (n > 0)
		take_answers(r, h, chunk, (size_t)n);
	if (n > 0 || (n < 0 && errno == EINTR))
		return;
	host_close_fd(&h->output);
}

static void take_error_line(struct remote *r, struct host *h)
{
	size_t len = h->error_line.len;

	while (len && strchr("\r\n", h->error_line.s[len - 1]))
		len--;
	if (len)
		printable_keep(&h->said, h->error_line.s, len);
	if (h->state == HOST_RUNS)
		hostlines_say(r, h, h->error_line.s, len);
	h->error_line.len = 0;
}

/* Reads errors, but not so many at once that other machines have to wait. */
static void take_errors(struct remote *r, struct host *h)
{
	char chunk[65536];
	ssize_t n = read(h->errors, chunk, sizeof(chunk));

	for (ssize_t i = 0; i < n; i++) {
		strbuf_addc(&h->error_line, chunk[i]);
		if (chunk[i] == '\n' || h->error_line.len >= TALK_MOST)
			take_error_line(r, h);
	}
	if (n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN)))
		return;
	if (h->error_line.len)
		take_error_line(r, h);
	host_close_fd(&h->errors);
}

/*
 * Its output and its process have ended. Its errors may still be open: a connection that
 * ssh keeps for later use (ControlPersist) holds them.
 */
static void take_end(struct remote *r, struct host *h)
{
	bool ran = h->state == HOST_RUNS, had_answered = h->state == HOST_READY, whole = true;

	if (h->errors >= 0)
		take_errors(r, h);
	if (h->error_line.len)
		take_error_line(r, h);
	if (ran && r->streams)
		whole = hostrecords_end(r, h);
	if (ran)
		hostlines_end(r, h);
	if (h->line.len && !ran)
		take_talk(r, h, h->line.s);
	listening[h - r->hosts] = -1;
	host_close(h);
	if (ran)
		note_status(r, h, h->exit || whole ? h->exit : 1);
	else if (r->ending)
		leave_out(r, h, NULL);
	else if (had_answered)
		give_up_lost(r, h);
	else
		give_up_silent(r, h, *h->said.text ? h->said.text : "no answer");
}

/* ---- the run of a machine ---- */

static size_t programs_len(const struct host *h)
{
	return h->programs ? h->programs->staprun + h->programs->stapio : 0;
}

/*
 * The module may be ready before the run: with --remote-strict all wait for the last one.
 */
static size_t left_to_send(const struct host *h)
{
	size_t behind = h->state == HOST_RUNS ? programs_len(h) + h->module_len : 0;

	return h->input < 0 ? 0 : h->to_send.len + behind - h->sent;
}

/*
 * Returns the next bytes to send and sets *len: the rest of the command, the programs or
 * the module.
 */
static const char *next_to_send(const struct host *h, size_t *len)
{
	size_t at = h->sent, programs = programs_len(h);

	if (at < h->to_send.len) {
		*len = h->to_send.len - at;
		return h->to_send.s + at;
	}
	at -= h->to_send.len;
	if (at < programs) {
		*len = programs - at;
		return h->programs->text + at;
	}
	at -= programs;
	*len = h->module_len - at;
	return h->module_text + at;
}

static void send_more(struct remote *r, struct host *h)
{
	size_t len;
	const char *from = next_to_send(h, &len);
	ssize_t n = write(h->input, from, len);

	if (n > 0)
		h->sent += (size_t)n;
	else if (n < 0 && errno != EINTR && errno != EAGAIN)
		close_input(r, h); /* the run has ended, and will report why */
	if (h->state == HOST_RUNS && h->input >= 0 && !left_to_send(h))
		listening[h - r->hosts] = h->input;
}

/* Returns the argument of --records, or NULL: the machine sends text. */
static const char *stream_of(const struct remote *r)
{
	const char *form = r->has_data ? "data" : "text";

	if (!r->streams)
		return NULL;
	if (r->page)
		return arena_printf(r->s->arena, "%s,1,values", form);
	return r->monitor ? arena_printf(r->s->arena, "%s,%u", form, r->s->options->monitor) : form;
}

static void start_run(struct remote *r, struct host *h)
{
	struct error *err = hostlines_open(r, h);

	if (err) {
		r->fatal = err;
		return;
	}
	talk_run(r->s, h, (size_t)(h - r->hosts), stream_of(r));
	h->state = HOST_RUNS;
	*h->said.text = 0;
	if (r->streams)
		hostrecords_open(r, h);
}

/* True: all machines that are not left out have their modules. */
static bool all_have_modules(const struct remote *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->hosts[i].state < HOST_READY ||
		    (r->hosts[i].state == HOST_READY && !r->hosts[i].module))
			return false;
	return true;
}

static void start_runs(struct remote *r)
{
	struct host *h;

	if (all_or_none(r) && !all_have_modules(r))
		return;
	for (h = r->hosts; h < r->hosts + r->count && !r->fatal && !r->ending; h++) {
		if (h->state != HOST_READY || !h->module)
			continue;
		if (r->s->options->last_pass == 4)
			leave_out(r, h, NULL);
		else
			start_run(r, h);
	}
}

/*
 * Ends the runs. At the first request they end cleanly, and their output still arrives;
 * the second request does not wait for that.
 */
static void end_runs(struct remote *r)
{
	r->ending = true;
	hostmodules_end(r);
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (h->state < HOST_RUNS)
			leave_out(r, h, NULL);
		close_input(r, h);
		if (end_asked > 1 && h->pid > 0)
			kill(h->pid, SIGKILL);
		if (end_asked > 1)
			hostsink_hurry(h);
	}
}

/* Leaves out the machines for whose kernel there is no module. */
static void drop_without_module(struct remote *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (h->state != HOST_READY || !h->why)
			continue;
		leave_out(r, h, h->why);
		if (r->s->options->remote_strict)
			end_runs(r);
	}
}

/* ---- the loop ---- */

static struct error *several_kernels(const struct remote *r)
{
	const struct options *o = r->s->options;

	if (r->groups.count > 1 && o->module_name && o->last_pass == 4)
		return error_create(r->s->arena, ERROR_USAGE,
				    "-m names one module, and the machines have several kernels");
	if (r->groups.count > 1 && o->btf)
		return error_create(r->s->arena, ERROR_USAGE,
				    "--btf describes one kernel, and the machines have several");
	return NULL;
}

static bool all_answered(const struct remote *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (r->hosts[i].state < HOST_READY)
			return false;
	return true;
}

/* Takes all steps that are possible now. */
static void advance(struct remote *r)
{
	connect_more(r);
	if (!all_or_none(r) || all_answered(r)) {
		hostmodules_group(r);
		if (!r->fatal)
			r->fatal = several_kernels(r);
		if (!r->fatal && !r->ending)
			hostmodules_start(r);
	}
	hostmodules_give(r);
	drop_without_module(r);
	start_runs(r);
}

static void end_silent(struct remote *r, int64_t now)
{
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		if (is_connected(h) && h->deadline && h->deadline < now)
			give_up_silent(r, h, *h->said.text ? h->said.text : "no answer in time");
	}
}

/*
 * Returns the descriptor of standard output if it is a pipe, to notice at once that its
 * reader has gone, before anything is printed.
 */
static int reader_of(const struct remote *r)
{
	struct stat st;

	if (r->error || (r->streams && !r->has_text) || fstat(STDOUT_FILENO, &st) ||
	    !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return -1;
	return STDOUT_FILENO;
}

/*
 * Descriptors to wait for: four of each machine, one of each group, the reader, the keys
 * and the page.
 */
struct wait {
	struct pollfd *fds;
	size_t count, room;
	int64_t until; /* -1: without limit */
};

static void add_wait(struct remote *r, struct wait *w, int fd, short events)
{
	if (w->count == w->room) {
		size_t was = w->room * sizeof(*w->fds);

		w->room = w->room ? 2 * w->room : 64;
		w->fds = arena_grow(r->s->arena, w->fds, was, w->room * sizeof(*w->fds));
	}
	w->fds[w->count++] = (struct pollfd){ .fd = fd, .events = events };
}

static void wait_at_most(struct wait *w, int64_t until)
{
	if (until >= 0 && (w->until < 0 || until < w->until))
		w->until = until;
}

/* True: input from the machine is read, because not too much of it is queued. */
static bool has_room(const struct remote *r, const struct host *h)
{
	return !r->streams || (hostrecords_waiting(r, h) < WAITING_MOST &&
			       bytequeue_len(&h->sink.out) < WAITING_MOST);
}

/* Fills in the descriptors to wait for. False: all runs are over. */
static bool set_up_wait(struct remote *r, struct wait *w)
{
	bool open = false;
	short events;
	int page;

	w->count = 0;
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		add_wait(r, w, has_room(r, h) ? h->output : -1, POLLIN);
		add_wait(r, w, h->errors, POLLIN);
		add_wait(r, w, left_to_send(h) ? h->input : -1, POLLOUT);
		add_wait(r, w, hostsink_waits(h) ? h->sink.pipe.fd : -1, POLLOUT);
		open |= h->state < HOST_ENDED || hostsink_waits(h);
		if (is_connected(h) && h->deadline)
			wait_at_most(w, h->deadline + 1);
		if (is_connected(h) && h->output < 0)
			wait_at_most(w, fleet_now() + FLEET_SECOND / 50);
	}
	vec_each(&r->groups, i)
		add_wait(r, w, r->groups.data[i].output, POLLIN);
	add_wait(r, w, reader_of(r), 0);
	add_wait(r, w, hostmonitor_input(r), POLLIN);
	page = hostpage_waits(r, &events);
	add_wait(r, w, page, events);
	return open;
}

static void serve_host(struct remote *r, struct host *h, const struct pollfd *fds)
{
	if (fds[1].revents && h->errors >= 0)
		take_errors(r, h);
	if (fds[0].revents && h->output >= 0)
		take_output(r, h);
	if (fds[2].revents && h->input >= 0)
		send_more(r, h);
	if (fds[3].revents && hostsink_waits(h) && !hostsink_write(h))
		close_input(r, h); /* its end will report why */
	if (is_connected(h) && h->output < 0 && host_has_ended(h))
		take_end(r, h);
}

static void serve(struct remote *r, const struct wait *w)
{
	const struct pollfd *fds = w->fds;

	for (size_t i = 0; i < r->count; i++, fds += 4)
		serve_host(r, &r->hosts[i], fds);
	for (size_t i = 0; i < r->groups.count; i++, fds++)
		if (fds->revents && r->groups.data[i].output >= 0)
			hostmodules_take(r, &r->groups.data[i]);
	if (fds->revents & POLLERR)
		r->error = EPIPE;
	if (fds[1].revents & (POLLHUP | POLLERR))
		raise(SIGHUP);
	else if (fds[1].revents)
		hostmonitor_keys(r);
	if (fds[2].revents)
		hostpage_serve(r);
}

/* Waits for events and handles them. */
static void turn(struct remote *r, struct wait *w)
{
	int64_t now = fleet_now(), left = w->until > now ? w->until - now : 0;
	struct timespec t = { left / SECOND, left % SECOND };
	int asked = end_asked, ready;
	sigset_t blocked;

	ready = ppoll(w->fds, w->count, w->until < 0 ? NULL : &t, &r->heard);
	/*
	 * ppoll() delivers no signals while a descriptor is ready, and in a busy run one
	 * always is.
	 */
	sigprocmask(SIG_SETMASK, &r->heard, &blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	/* The signal may have ended ssh as well: that is not an answer of the machine. */
	if (end_asked != asked)
		end_runs(r);
	else if (ready >= 0)
		serve(r, w);
	end_silent(r, fleet_now());
}

static void pump(struct remote *r)
{
	struct wait w = { 0 };

	for (;;) {
		if (!r->ending && !r->fatal)
			advance(r);
		w.until = r->streams ? hostrecords_write(r) : -1;
		hostlines_flush(r);
		wait_at_most(&w, hostmonitor_draw(r));
		hostpage_tell(r);
		if ((r->error || r->fatal) && !r->ending)
			end_runs(r);
		if (!set_up_wait(r, &w))
			break;
		turn(r, &w);
	}
	if (r->streams)
		hostrecords_write(r);
	hostlines_flush(r);
	hostmonitor_close(r);
	hostpage_close(r);
}

/* ---- the whole ---- */

/* True: the reader of standard output has gone, as with `| head`. */
static bool reader_left(const struct remote *r)
{
	return r->error == EPIPE && !r->s->options->output;
}

/* Reports a write error. False: output was lost whose reader has not gone. */
static bool report_output(struct remote *r)
{
	hostlines_close(r);
	if (r->series_failed || !r->error)
		return !r->series_failed;
	__fpurge(stdout);
	clearerr(stdout);
	if (reader_left(r))
		return true;
	fprintf(stderr, "stap: writing %s: %s; later output of the runs is lost\n",
		r->error_file ? r->error_file : "to standard output", strerror(r->error));
	return false;
}

static void report_runs(struct remote *r, int *status)
{
	size_t ran = 0;

	if (reader_left(r))
		return;
	for (size_t i = 0; i < r->count; i++) {
		const struct host *h = &r->hosts[i];

		ran += h->state == HOST_ENDED;
		if (h->state != HOST_ENDED || !h->status)
			continue;
		fprintf(stderr, "stap: the run on %s ended with status %d\n", h->uri, h->status);
		if (!*status)
			*status = h->status;
	}
	if (r->count > 1 && ran)
		summary_print(r);
	if (!ran && r->modules_status)
		*status = r->modules_status;
	else if (!*status && ran < r->count && !end_asked)
		*status = ran ? REMOTE_LEFT_OUT : 3;
	else if (!ran && end_asked)
		*status = 128 + end_signal;
}

/* Leaves a copy of the module here for -m NAME, if the machines share one module. */
static struct error *keep_module(struct remote *r)
{
	struct module_group *only = r->groups.data;
	const char *path;
	struct error *err;

	if (!r->s->options->module_name || !r->groups.count || r->s->options->page_hosts_fd)
		return NULL;
	if (r->groups.count > 1) {
		fprintf(stderr, "stap: -m leaves no module here: "
				"the machines have several kernels\n");
		return NULL;
	}
	if (only->state != MODULE_MADE)
		return NULL;
	path = only->path.s;
	err = passes_keep(r->s, &path);
	strbuf_init(&only->path, r->s->arena);
	strbuf_adds(&only->path, path);
	return err;
}

/* Prints the paths of the modules, for -p4. */
static void print_modules(struct remote *r, int *status)
{
	*status = r->modules_status;
	vec_each(&r->groups, i)
		if (r->groups.data[i].state == MODULE_MADE)
			puts(r->groups.data[i].path.s);
	for (size_t i = 0; i < r->count; i++)
		if (!r->hosts[i].module && !*status)
			*status = r->groups.count ? REMOTE_LEFT_OUT : 3;
}

/* Two machines must not share a file. */
static struct error *check_names(const struct remote *r)
{
	for (size_t i = 0; r->file_each && i < r->count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(r->hosts[i].name, r->hosts[k].name))
				return error_create(r->s->arena, ERROR_USAGE,
						    "-o %s: %s and %s would have one file",
						    r->s->options->output, r->hosts[k].uri,
						    r->hosts[i].uri);
	return NULL;
}

/* Checks that ssh exists before it is run for every machine. */
static struct error *check_ssh(const struct remote *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->hosts[i].shell.data[0], "ssh") &&
		    !subprocess_find(r->s->arena, "ssh"))
			return error_create(r->s->arena, ERROR_ENVIRONMENT,
					    "cannot run ssh: there is none; %s",
					    remedy_command(r->s->arena, REMEDY_SSH, NULL));
	return NULL;
}

/* Each machine needs three descriptors, and its sink two more. */
static void allow_files(const struct remote *r)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > 6 * r->count + 100)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/*
 * Chooses the form of the output. Streams of records are used for several machines, and
 * for data; with -F and -M the records stay on the machines.
 */
static struct error *set_up_output(struct remote *r)
{
	bool left = options_passed(r->s->options, "-F");
	bool kept = options_passed(r->s->options, "-M");
	struct error *err;

	r->file_each = r->s->options->output && !left && filename_has_host(r->s->options->output);
	r->streams = (r->count > 1 || r->s->options->to || r->s->options->monitor ||
		      r->s->options->page_hosts_fd) &&
		     !left && !kept;
	r->user_json = r->streams && options_passed(r->s->options, "--json");
	r->has_data = r->user_json || r->s->options->to;
	r->has_text = !r->s->options->to || r->user_json || r->s->options->output;
	r->is_open = left; /* the file is on the machine, and no output arrives */
	r->on_terminal = !r->s->options->output && isatty(STDOUT_FILENO);
	err = check_names(r);
	if (!err)
		err = hostlines_init(r);
	if (!err)
		err = hostmonitor_init(r);
	if (!err)
		err = hostpage_init(r);
	if (!err && r->s->options->to)
		err = hostsink_init(r);
	return err ? err : r->streams ? hostrecords_init(r) : NULL;
}

struct error *remote_run(struct session *s, int *status)
{
	struct remote r = { .s = s };
	host_list hosts = { 0 };
	struct error *err;

	if (s->options->last_pass < 4)
		return passes_run(s, status);
	err = hostset_read(s, &hosts);
	r.hosts = hosts.data;
	r.count = hosts.count;
	if (!err)
		err = set_up_output(&r);
	if (!err)
		err = check_ssh(&r);
	if (err)
		return err;
	allow_files(&r);
	take_signals(&r);
	pump(&r);
	leave_signals(&r);
	err = r.fatal ? r.fatal : keep_module(&r);
	if (err)
		return err;
	if (s->options->last_pass == 4) {
		print_modules(&r, status);
		return NULL;
	}
	report_runs(&r, status);
	if (!hostsink_finish(&r) && !*status)
		*status = 1;
	hostrecords_deinit(&r);
	if (!report_output(&r))
		*status = 1;
	else if (reader_left(&r) && !*status)
		*status = STREAMS_READER_LEFT;
	return NULL;
}
