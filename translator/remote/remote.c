/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "remote/remote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/error.h"
#include "base/subprocess.h"
#include "base/session.h"
#include "base/options.h"
#include "base/remedy.h"
#include "kernel/kernel.h"
#include "pass.h"
#include "remote/host.h"
#include "user/outfile.h"
#include "user/streams.h"

struct remote {
	struct session *s;
	struct host *hosts;
	size_t count;
	int error; /* error of writing the machines' output: nobody takes any more */
};

/* ---- kernels and modules ---- */

static struct error *ask_kernels(struct remote *r)
{
	struct subprocess *asked = arena_array(r->s->arena, struct subprocess, r->count);
	struct error *first = NULL;

	for (size_t i = 0; i < r->count; i++) {
		struct error *err = subprocess_start(r->s->arena, NULL,
						     host_command(r->s, &r->hosts[i], HOST_ASK),
						     true, &asked[i]);

		if (err && !first)
			first = err->kind == ERROR_ABSENT
					? error_create(r->s->arena, ERROR_ENVIRONMENT,
						       "%s; %s", err->text,
						       remedy_command(r->s->arena, REMEDY_SSH,
								      NULL))
					: err;
	}
	for (size_t i = 0; i < r->count; i++) {
		struct process_result result;
		struct error *err =
			asked[i].pid ? subprocess_wait(r->s->arena, &asked[i], &result) : NULL;

		if (asked[i].pid && !err)
			err = host_answered(r->s, &r->hosts[i], result.status, result.output);
		if (err && !first)
			first = err;
	}
	return first;
}

/*
 * Builds in a process of its own: a session translates once. Writes the module's path,
 * unless it has reported an error.
 */
static void build_in_child(struct session *s, struct host *h, int to)
{
	struct options options = *s->options;
	const char *program = NULL;
	struct error *err = NULL;

	options.release = h->release;
	options.remote_signs = h->signs;
	s->options = &options;
	/* An error of opening the kernel is given in its place, by the passes. */
	if (!options.btf && !kernel_open(s) && kernel_lacks_btf(s))
		err = host_btf(s, h, &options.btf);
	if (!err)
		err = passes_build(s, &program);
	if (!err && write(to, program, strlen(program)) < 0)
		_exit(4);
	_exit(err ? diag_fatal(s, err) : 0);
}

/*
 * Builds the module for a kernel. *status other than 0: it could not be made, which was
 * reported.
 */
static struct error *build_for(struct session *s, struct host *h, int *status)
{
	struct subprocess p = { .input = -1, .program = "stap" };
	struct process_result result;
	struct error *err;
	int pipes[2];

	if (pipe2(pipes, O_CLOEXEC))
		return error_errno(s->arena, "pipe");
	fflush(NULL);
	p.pid = fork();
	if (p.pid == 0)
		build_in_child(s, h, pipes[1]);
	close(pipes[1]);
	p.output = pipes[0];
	if (p.pid < 0)
		return error_errno(s->arena, "fork");
	err = subprocess_wait(s->arena, &p, &result);
	h->module = result.output;
	*status = result.status;
	return err;
}

static bool same_kernel(const struct host *a, const struct host *b)
{
	return !strcmp(a->release, b->release) &&
	       (a->btf && b->btf ? !strcmp(a->btf, b->btf) : a->btf == b->btf);
}

/*
 * Has a kernel's module signed where one of its machines wants that: it suits the others.
 */
static void share_signs(struct remote *r, struct host *h)
{
	for (size_t i = 0; i < r->count; i++)
		h->signs |= r->hosts[i].signs && same_kernel(&r->hosts[i], h);
}

static struct error *build_modules(struct remote *r, int *status)
{
	struct error *err = NULL;
	size_t kernels = 0;

	for (size_t i = 0; !err && !*status && i < r->count; i++) {
		struct host *h = &r->hosts[i];

		for (size_t k = 0; k < i && !h->module; k++)
			if (same_kernel(&r->hosts[k], h))
				h->module = r->hosts[k].module;
		if (h->module)
			continue;
		if (kernels++ && r->s->options->module_name && r->s->options->last_pass == 4)
			return error_create(
				r->s->arena, ERROR_USAGE,
				"-m names one module, and the machines have several kernels");
		if (kernels > 1 && r->s->options->btf)
			return error_create(
				r->s->arena, ERROR_USAGE,
				"--btf describes one kernel, and the machines have several");
		share_signs(r, h);
		err = build_for(r->s, h, status);
		if (!err && !*status && r->s->options->last_pass == 4)
			puts(h->module);
	}
	return err;
}

/* ---- the machines' output ---- */

/*
 * Writes output. Once the reader is gone, or the disk full, the rest is read and dropped
 * until the runs have ended.
 */
static void put(struct remote *r, const char *text, size_t len)
{
	if (!r->error && fwrite(text, 1, len, stdout) != len)
		r->error = errno;
}

static void put_prefix(struct remote *r, size_t id)
{
	char text[32];
	int len = snprintf(text, sizeof(text), "%zu: ", id);

	put(r, text, (size_t)len);
}

#define LINE_MOST (16u << 20)

/*
 * Writes output by lines, so that each line is of one machine; the output of one machine
 * alone is written as it comes. A line that is longer than LINE_MOST is cut there, so
 * that a machine that never ends its line does not take all memory here.
 */
static void put_output(struct remote *r, size_t id, const char *text, size_t len)
{
	struct host *h = &r->hosts[id];

	if (r->count == 1 && !r->s->options->remote_prefix) {
		put(r, text, len);
		return;
	}
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) + 1 : len;

		strbuf_add(&h->line, text, n);
		text += n;
		len -= n;
		if (!end && h->line.len < LINE_MOST)
			break;
		if (!end)
			strbuf_addc(&h->line, '\n');
		if (r->s->options->remote_prefix)
			put_prefix(r, id);
		put(r, h->line.s, h->line.len);
		h->line.len = 0;
	}
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void take_output(struct remote *r, size_t id)
{
	struct host *h = &r->hosts[id];
	char chunk[65536];
	ssize_t n = read(h->output, chunk, sizeof(chunk));

	if (n > 0)
		put_output(r, id, chunk, (size_t)n);
	if (n > 0 || (n < 0 && errno == EINTR))
		return;
	if (h->line.len)
		put_output(r, id, "\n", 1);
	close_fd(&h->output);
}

static void send_module(struct host *h)
{
	ssize_t n = write(h->input, h->left, h->left_len);

	if (n > 0) {
		h->left += n;
		h->left_len -= (size_t)n;
	} else if (n < 0 && errno != EINTR && errno != EAGAIN) {
		close_fd(&h->input); /* the run has ended, and will say why */
	}
}

/* ---- the run ---- */

/* Number of requests for the end; a handler can reach nothing but this. */
static volatile sig_atomic_t end_asked;

static void on_signal(int sig)
{
	end_asked++;
}

/* Installs handlers. Signals are let in only during poll(), which returns for them. */
static void take_signals(sigset_t *old)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
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
	sigprocmask(SIG_BLOCK, &set, old);
}

/*
 * Ends the runs. At the first request they end in order, and their output still arrives;
 * at the second nobody waits for that.
 */
static void end_runs(struct remote *r)
{
	for (size_t i = 0; i < r->count; i++) {
		close_fd(&r->hosts[i].input);
		if (end_asked > 1 && r->hosts[i].output >= 0)
			kill(r->hosts[i].pid, SIGKILL);
	}
}

/*
 * Returns the reader of the output, to notice that it has gone: a pipe is not waited for
 * until somebody prints again.
 */
static int reader_of(const struct remote *r)
{
	struct stat st;

	if (r->error || fstat(STDOUT_FILENO, &st) ||
	    !(S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		return -1;
	return STDOUT_FILENO;
}

/*
 * Fills in what to wait for: two files of each machine, and the reader. False: all has
 * been read.
 */
static bool set_up_wait(struct remote *r, struct pollfd *fds)
{
	bool open = false;

	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];

		fds[2 * i] = (struct pollfd){ .fd = h->output, .events = POLLIN };
		fds[2 * i + 1] =
			(struct pollfd){ .fd = h->left_len ? h->input : -1, .events = POLLOUT };
		open |= h->output >= 0;
	}
	fds[2 * r->count] = (struct pollfd){ .fd = reader_of(r) };
	return open;
}

static void serve(struct remote *r, const struct pollfd *fds)
{
	for (size_t i = 0; i < r->count; i++) {
		if (fds[2 * i].revents)
			take_output(r, i);
		if (fds[2 * i + 1].revents)
			send_module(&r->hosts[i]);
	}
	if (fds[2 * r->count].revents & POLLERR)
		r->error = EPIPE;
}

static void pump(struct remote *r, const sigset_t *heard)
{
	struct pollfd *fds = arena_array(r->s->arena, struct pollfd, 2 * r->count + 1);
	bool ended = false;

	while (set_up_wait(r, fds)) {
		if (!r->error && fflush(stdout))
			r->error = errno;
		if (r->error && !ended) {
			end_runs(r);
			ended = true;
		} else if (ppoll(fds, 2 * r->count + 1, NULL, heard) < 0) {
			end_runs(r);
		} else {
			serve(r, fds);
		}
	}
	sigprocmask(SIG_SETMASK, heard, NULL);
}

/* True: the reader of standard output has gone, as with `| head`. */
static bool reader_left(const struct remote *r)
{
	return r->error == EPIPE && !r->s->options->output;
}

/* Reports an error of writing. False: some output was lost that somebody waits for. */
static bool report_output(struct remote *r)
{
	if (!r->error && fflush(stdout))
		r->error = errno;
	if (!r->error)
		return true;
	__fpurge(stdout);
	clearerr(stdout);
	if (reader_left(r))
		return true;
	fprintf(stderr, "stap: writing %s: %s; what the runs have printed since is lost\n",
		r->s->options->output ? r->s->options->output : "to standard output",
		strerror(r->error));
	return false;
}

static void wait_for_all(struct remote *r, int *status)
{
	for (size_t i = 0; i < r->count; i++) {
		struct subprocess p = { .pid = r->hosts[i].pid,
					.input = -1,
					.output = -1,
					.program = r->hosts[i].uri };
		struct process_result result = { 0 };

		close_fd(&r->hosts[i].input);
		if (subprocess_wait(r->s->arena, &p, &result) || !result.status || reader_left(r))
			continue;
		fprintf(stderr, "stap: the run on %s ended with status %d\n", p.program,
			result.status);
		if (!*status)
			*status = result.status;
	}
}

/* Opens the file of -o, which takes the place of stdout. */
static struct error *open_output(struct remote *r)
{
	const char *name = r->s->options->output;
	struct outfile f;
	int rc = outfile_open(&f, name, 0666);

	if (rc)
		return error_create(r->s->arena, ERROR_ENVIRONMENT, "%s: %s", name,
				    outfile_error(&f, rc));
	close(f.dir);
	fflush(stdout);
	if (dup2(f.fd, STDOUT_FILENO) < 0)
		return error_errno(r->s->arena, "%s", name);
	close(f.fd);
	return NULL;
}

static struct error *run_all(struct remote *r, int *status)
{
	struct error *err = r->s->options->output ? open_output(r) : NULL;
	sigset_t heard;

	if (err)
		return err;
	take_signals(&heard);
	for (size_t i = 0; !err && i < r->count; i++)
		err = host_start(r->s, &r->hosts[i], i, &heard);
	if (err)
		return err; /* the runs that have begun end with stap: their input closes */
	pump(r, &heard);
	wait_for_all(r, status);
	if (!report_output(r))
		*status = 1;
	else if (reader_left(r) && !*status)
		*status = STREAMS_READER_LEFT;
	return NULL;
}

struct error *remote_run(struct session *s, int *status)
{
	const struct options *o = s->options;
	struct remote r = { .s = s,
			    .count = o->remotes.count,
			    .hosts = arena_array(s->arena, struct host, o->remotes.count) };
	struct error *err = NULL;

	if (o->last_pass < 4)
		return passes_run(s, status);
	for (size_t i = 0; !err && i < r.count; i++)
		err = host_parse(s, o->remotes.data[i], &r.hosts[i]);
	if (!err)
		err = ask_kernels(&r);
	if (!err)
		err = build_modules(&r, status);
	if (!err && !*status && o->last_pass == 5)
		err = run_all(&r, status);
	return err;
}
