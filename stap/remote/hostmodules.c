/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/remote/hostmodules.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/options.h"
#include "base/remedy.h"
#include "base/session.h"
#include "base/tmpdir.h"
#include "kernel/fetch.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"
#include "stap/pass.h"
#include "stap/remote/fleet.h"

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_kernel(const struct host *a, const struct host *b)
{
	return a->arch == b->arch && !strcmp(a->release, b->release) && same_text(a->btf, b->btf) &&
	       same_text(a->build, b->build);
}

/*
 * Returns the machine's group. A signed module also suits machines that do not require a
 * signature. If an unsigned build has begun, a signed one is made in addition.
 */
static struct module_group *group_of(struct remote *r, const struct host *h)
{
	vec_each(&r->groups, i) {
		struct module_group *g = &r->groups.data[i];

		if (fleet_runs_program(r->s))
			return g;
		if (!same_kernel(g->host, h))
			continue;
		if (h->signs && !g->signs && g->state == MODULE_WAITS)
			g->signs = true;
		if (g->signs || !h->signs)
			return g;
	}
	return NULL;
}

void hostmodules_group(struct remote *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct module_group g = {
			.host = &r->hosts[i], .signs = r->hosts[i].signs, .output = -1, .errors = -1
		};

		if (r->hosts[i].state != HOST_READY || group_of(r, &r->hosts[i]))
			continue;
		strbuf_init(&g.path, r->s->arena);
		vec_push(r->s->arena, &r->groups, g);
	}
}

static void reset_signals(const struct remote *r)
{
	static const int taken[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGPIPE };

	for (size_t i = 0; i < sizeof(taken) / sizeof(taken[0]); i++)
		signal(taken[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &r->heard, NULL);
}

/* Gives the group its own directory: builds run in parallel. */
static struct error *make_place(struct session *s, const struct remote *r,
				const struct module_group *g)
{
	const char *tmp;
	struct error *err = tmpdir_of(s, &tmp);

	if (err)
		return err;
	s->tmp_dir = arena_printf(s->arena, "%s/kernel%zu", tmp, (size_t)(g - r->groups.data));
	return path_make_dirs(s->arena, s->tmp_dir, 0700);
}

/* Lets the session translate for the group's kernel. */
static void name_kernel(struct session *s, const struct module_group *g, struct options *options)
{
	s->arch = g->host->arch;
	options->release = g->host->release;
	options->remote_signs = g->signs;
	s->options = options;
	remedy_target(g->host->os_release);
	/* This takes a while, so its messages are shown at once. */
	fetch_headers(s, options->release);
}

/* Builds, and writes the module's path, unless it has reported an error. */
static void build_in_child(struct remote *r, const struct module_group *g, int to)
{
	struct session *s = r->s;
	struct options options = *s->options;
	const char *program = NULL;
	struct error *err;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	reset_signals(r);
	for (size_t i = 0; i < r->count; i++)
		host_close_fd(&r->hosts[i].input); /* its end means that stap has gone */
	if (!fleet_runs_program(r->s))
		name_kernel(s, g, &options);
	if (g->errors >= 0)
		dup2(g->errors, STDERR_FILENO);
	err = make_place(s, r, g);
	/* The passes report an error from opening the kernel. */
	if (!err && !fleet_runs_program(r->s) && !options.btf && !kernel_open(s) &&
	    kernel_lacks_btf(s))
		err = host_btf(s, g->host, &options.btf);
	if (!err)
		err = passes_build(s, &program);
	if (!err && write(to, program, strlen(program)) < 0)
		_exit(4);
	_exit(err ? diag_fatal(s, err) : 0);
}

/* The messages of several kernels come one after another, from one file each. */
static void start(struct remote *r, struct module_group *g)
{
	int pipes[2];

	g->state = MODULE_IS_MADE;
	g->errors = memfd_create("messages", MFD_CLOEXEC);
	if (pipe2(pipes, O_CLOEXEC)) {
		r->fatal = error_errno(r->s->arena, "pipe");
		return;
	}
	fflush(NULL);
	g->pid = fork();
	if (g->pid == 0)
		build_in_child(r, g, pipes[1]);
	close(pipes[1]);
	g->output = pipes[0];
	if (g->pid < 0)
		r->fatal = error_errno(r->s->arena, "fork");
}

void hostmodules_start(struct remote *r)
{
	long room = sysconf(_SC_NPROCESSORS_ONLN);

	vec_each(&r->groups, i)
		room -= r->groups.data[i].state == MODULE_IS_MADE;
	vec_each(&r->groups, i) {
		if (r->groups.data[i].state == MODULE_WAITS && room-- > 0 && !r->fatal)
			start(r, &r->groups.data[i]);
	}
}

static void say_messages(struct module_group *g)
{
	char chunk[4096];
	off_t at = 0;
	ssize_t n;

	while (g->errors >= 0 && (n = pread(g->errors, chunk, sizeof(chunk), at)) > 0) {
		fwrite(chunk, 1, (size_t)n, stderr);
		at += n;
	}
	host_close_fd(&g->errors);
}

void hostmodules_take(struct remote *r, struct module_group *g)
{
	char chunk[4096];
	ssize_t n = read(g->output, chunk, sizeof(chunk));
	struct error *err;

	if (n > 0)
		strbuf_add(&g->path, chunk, (size_t)n);
	if (n > 0 || (n < 0 && errno == EINTR))
		return;
	host_close_fd(&g->output);
	g->status = subprocess_end(g->pid);
	g->pid = 0;
	say_messages(g);
	err = g->status ? NULL : path_read(r->s->arena, g->path.s, &g->text, &g->len);
	if (err)
		r->fatal = err;
	g->state = g->status || err ? MODULE_FAILED : MODULE_MADE;
	if (g->status && !r->modules_status)
		r->modules_status = g->status;
}

void hostmodules_give(struct remote *r)
{
	for (size_t i = 0; i < r->count; i++) {
		struct host *h = &r->hosts[i];
		struct module_group *g = h->state == HOST_READY ? group_of(r, h) : NULL;

		if (!g || h->module)
			continue;
		if (g->state == MODULE_MADE) {
			h->module = g->path.s;
			h->module_text = g->text;
			h->module_len = g->len;
		} else if (g->state == MODULE_FAILED) {
			h->why = fleet_runs_program(r->s)
					 ? "no program could be made"
					 : arena_printf(r->s->arena,
							"no module could be made for kernel %s",
							h->release);
		}
	}
}

void hostmodules_end(struct remote *r)
{
	vec_each(&r->groups, i) {
		struct module_group *g = &r->groups.data[i];

		if (g->pid > 0) {
			kill(g->pid, SIGTERM);
			subprocess_end(g->pid);
			g->pid = 0;
		}
		host_close_fd(&g->output);
		host_close_fd(&g->errors);
		if (g->state == MODULE_IS_MADE || g->state == MODULE_WAITS)
			g->state = MODULE_FAILED;
	}
}
