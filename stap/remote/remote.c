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
#include <time.h>
#include <unistd.h>

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
#include "stap/remote/hostconnection.h"
#include "stap/remote/hostlines.h"
#include "stap/remote/hostmodules.h"
#include "stap/remote/hostmonitor.h"
#include "stap/remote/hostpage.h"
#include "stap/remote/hostrecords.h"
#include "stap/remote/hostset.h"
#include "stap/remote/hostsignals.h"
#include "stap/remote/hostsink.h"
#include "stap/remote/summary.h"

#define SECOND FLEET_SECOND
/* If more bytes of one machine wait, nothing is read from it. */
#define WAITING_MOST (16u << 20)

/* True: no run begins before all machines have answered and have their modules. */
static bool all_or_none(const struct remote *r)
{
	const struct options *o = r->s->options;

	return o->remote_strict || o->last_pass == 4 || o->btf;
}

static void connect_more(struct remote *r)
{
	size_t at_once = 0;

	for (size_t i = 0; i < r->count; i++)
		at_once += r->hosts[i].state == HOST_ASKED || r->hosts[i].state == HOST_TIMED;
	for (size_t i = 0; i < r->count && !r->fatal && !r->ending; i++)
		if (r->hosts[i].state == HOST_WAITS && at_once++ < r->s->options->remote_fanout)
			hostconnection_start(r, &r->hosts[i]);
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
			hostconnection_leave_out(r, h, NULL);
		else
			hostconnection_run(r, h);
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
			hostconnection_leave_out(r, h, NULL);
		hostconnection_close_input(r, h);
		if (hostsignals_asked() > 1 && h->pid > 0)
			kill(h->pid, SIGKILL);
		if (hostsignals_asked() > 1)
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
		hostconnection_leave_out(r, h, h->why);
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

		if (hostconnection_is_open(h) && h->deadline && h->deadline < now)
			hostconnection_give_up_silent(
				r, h, *h->said.text ? h->said.text : "no answer in time");
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
		add_wait(r, w, hostconnection_left_to_send(h) ? h->input : -1, POLLOUT);
		add_wait(r, w, hostsink_waits(h) ? h->sink.pipe.fd : -1, POLLOUT);
		open |= h->state < HOST_ENDED || hostsink_waits(h);
		if (hostconnection_is_open(h) && h->deadline)
			wait_at_most(w, h->deadline + 1);
		if (hostconnection_is_open(h) && h->output < 0)
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
		hostconnection_take_errors(r, h);
	if (fds[0].revents && h->output >= 0)
		hostconnection_take_output(r, h);
	if (fds[2].revents && h->input >= 0)
		hostconnection_send(r, h);
	if (fds[3].revents && hostsink_waits(h) && !hostsink_write(h))
		hostconnection_close_input(r, h); /* its end will report why */
	if (hostconnection_is_open(h) && h->output < 0 && host_has_ended(h))
		hostconnection_take_end(r, h);
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
	int asked = hostsignals_asked(), ready;
	sigset_t blocked;

	ready = ppoll(w->fds, w->count, w->until < 0 ? NULL : &t, &r->heard);
	/*
	 * ppoll() delivers no signals while a descriptor is ready, and in a busy run one
	 * always is.
	 */
	sigprocmask(SIG_SETMASK, &r->heard, &blocked);
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	/* The signal may have ended ssh as well: that is not an answer of the machine. */
	if (hostsignals_asked() != asked)
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
	else if (!*status && ran < r->count && !hostsignals_asked())
		*status = ran ? REMOTE_LEFT_OUT : 3;
	else if (!ran && hostsignals_asked())
		*status = 128 + hostsignals_last();
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
	hostsignals_take(&r);
	pump(&r);
	hostsignals_leave(&r);
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
