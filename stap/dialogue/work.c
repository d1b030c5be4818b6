/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dialogue's commands do their work in children. Each child begins with the library and
 * the kernel's facts that the session has read; its additions to them end with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "ast/program.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "lib/streams.h"
#include "lib/subprocess.h"
#include "sem/tapset.h"
#include "stap/dialogue/dialogue.h"
#include "stap/pass.h"

/* ---- the state that children begin with ---- */

/*
 * Copies the options, without those that do not affect the translation of scripts, to
 * *ret. Padding is copied as well, because the result is compared byte by byte.
 */
static void reduce(const struct options *o, struct options *ret)
{
	memcpy(ret, o, sizeof(*ret));
	ret->wanted = COMMAND_NONE;
	ret->last_pass = 0;
	ret->verbose = 0;
	ret->keep_tmp = ret->timing = ret->strict = false;
	ret->seconds = ret->target_pid = 0;
	ret->monitor = ret->buffer_mb = 0;
	ret->list = ret->list_vars = false;
	ret->no_warnings = false;
	ret->wanted_word = ret->output = ret->command = ret->to = ret->module_name = NULL;
	ret->script_text = ret->script_file = NULL;
	ret->values_fd = 0;
	memset(&ret->globals, 0, sizeof(ret->globals));
	memset(&ret->run_args, 0, sizeof(ret->run_args));
}

bool work_is_same_world(const struct options *a, const struct options *b)
{
	struct options one, other;

	reduce(a, &one);
	reduce(b, &other);
	return !memcmp(&one, &other, sizeof(one));
}

/* Points whose resolution reads the types, functions, events and system calls. */
#define FIRST_POINTS                                                                               \
	"probe kernel.function(\"vfs_read\").return ?, kernel.trace(\"sched:sched_switch\") ?, "   \
	"syscall.read ? { }"

/*
 * Reads the kernel's facts. A failure here happens again in the children, which report
 * it. Everything else that these points leave in the session is dropped: it must not
 * affect later scripts.
 */
static void open_kernel(struct session *w)
{
	struct session before = *w;
	struct options o = *w->options;

	if (o.runtime != RUNTIME_KERNEL || kernel_open(w))
		return;
	before.kernel = w->kernel;
	before.arch = w->arch;
	o.last_pass = 2;
	o.script_text = FIRST_POINTS;
	w->options = &o;
	w->quiet = true;
	passes_check(w);
	before.debuginfo = w->debuginfo; /* the kernel's alone: programs may change */
	*w = before;
}

void work_warm(struct dialogue *d)
{
	struct session *w = &d->warm;

	if (d->warm_arena)
		arena_destroy(d->warm_arena);
	d->warm_arena = arena_create();
	*w = *d->s;
	w->arena = d->warm_arena;
	w->program = program_create(w->arena);
	w->options = &d->options;
	/*
	 * The kernel of another architecture is opened by the command that asks for it.
	 */
	if (d->options.architecture)
		return;
	open_kernel(w);
	w->program = program_create(w->arena);
	tapset_open(w);
	tapset_parse_ahead(w);
	if (w->errors) {
		w->tapset = NULL;
		w->macros = NULL;
		w->errors = 0;
	}
}

/* ---- children ---- */

static const int ending_signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
enum { SIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]) };

/* The child that handlers pass signals on to. */
static volatile pid_t child;
static volatile sig_atomic_t was_interrupted;

/* ^C on the terminal reaches the child by itself. */
static void on_interrupt(int sig, siginfo_t *info, void *context)
{
	was_interrupted = 1;
	if ((info->si_code == SI_USER || info->si_code == SI_TKILL) && child > 0)
		kill(child, sig);
}

static void default_signals(const sigset_t *before)
{
	struct sigaction act;

	for (int i = 0; i < SIGNALS; i++)
		if (!sigaction(ending_signals[i], NULL, &act) && act.sa_handler != SIG_IGN)
			signal(ending_signals[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
}

/* Does the work in the child, which gets SIGTERM if the session is killed. */
static void __attribute__((noreturn))
become_worker(struct dialogue *d, const struct options *wanted, const sigset_t *before, int output)
{
	struct options o = *wanted;
	struct session s = d->warm;
	int null = d->lines.is_terminal && output < 0 ? -1 : open("/dev/null", O_RDWR | O_CLOEXEC);
	int status;

	prctl(PR_SET_PDEATHSIG, SIGTERM);
	default_signals(before);
	if (null >= 0 && dup2(null, STDIN_FILENO) < 0)
		_exit(3);
	if (output >= 0 && (dup2(output, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0))
		_exit(3);
	if (!work_is_same_world(&d->options, &o)) {
		s.kernel = NULL;
		s.tapset = NULL;
		s.macros = NULL;
		s.arch = d->s->arch;
	}
	s.tmp_dir = NULL;
	status = d->perform(&s, &o);
	if ((streams_flush(stdout) | streams_flush(stderr)) && !status)
		status = 1;
	_exit(status);
}

/* Starts a child. -1: that failed, which was reported. */
static pid_t start(struct dialogue *d, const struct options *o, int output)
{
	sigset_t set, before;
	pid_t pid;

	sigemptyset(&set);
	for (int i = 0; i < SIGNALS; i++)
		sigaddset(&set, ending_signals[i]);
	fflush(NULL);
	sigprocmask(SIG_BLOCK, &set, &before);
	pid = fork();
	if (pid == 0)
		become_worker(d, o, &before, output);
	child = pid;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0)
		fprintf(stderr, "stap: fork: %s\n", strerror(errno));
	return pid;
}

int work_do(struct dialogue *d, const struct options *o)
{
	struct sigaction act = { .sa_sigaction = on_interrupt,
				 .sa_flags = SA_SIGINFO | SA_RESTART };
	struct sigaction before[2];
	int status = 3;
	pid_t pid;

	was_interrupted = 0;
	if (d->lines.is_terminal) {
		sigaction(SIGINT, &act, &before[0]);
		sigaction(SIGQUIT, &act, &before[1]);
	}
	pid = start(d, o, -1);
	if (pid > 0)
		status = subprocess_end(pid);
	child = 0;
	if (d->lines.is_terminal) {
		sigaction(SIGINT, &before[0], NULL);
		sigaction(SIGQUIT, &before[1], NULL);
		if (was_interrupted)
			putchar('\n');
	}
	return status < 0 ? 1 : status;
}

const char *work_ask(struct dialogue *d, const struct options *o)
{
	struct strbuf out;
	char part[4096];
	ssize_t n;
	int fds[2];
	pid_t pid;

	strbuf_init(&out, d->s->arena);
	if (pipe2(fds, O_CLOEXEC))
		return out.s;
	pid = start(d, o, fds[1]);
	close(fds[1]);
	while (pid > 0 && ((n = read(fds[0], part, sizeof(part))) > 0 || (n < 0 && errno == EINTR)))
		if (n > 0)
			strbuf_add(&out, part, (size_t)n);
	close(fds[0]);
	if (pid > 0)
		subprocess_end(pid);
	child = 0;
	return out.s;
}
