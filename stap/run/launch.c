/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/run/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/session.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/dburl.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/subprocess.h"
#include "lib/vec.h"
#include "stap/run/cleaner.h"
#include "stap/run/guestneeds.h"
#include "stap/run/lastvalues.h"
#include "stap/run/slices.h"
#include "stap/watch/monitor.h"

#define NAME_MOST 120 /* bytes of the script's name */

static void push(struct session *s, run_args *args, const char *arg)
{
	vec_push(s->arena, args, arg ? arena_strdup(s->arena, arg) : NULL);
}

static void push_two(struct session *s, run_args *args, const char *a, const char *b)
{
	push(s, args, a);
	push(s, args, b);
}

/* Doubles percent signs: in the names of output files they begin conversions. */
static const char *doubled_percents(struct session *s, const char *path)
{
	char *ret = arena_alloc(s->arena, 2 * strlen(path) + 1), *to = ret;

	for (; *path; path++) {
		*to++ = *path;
		if (*path == '%')
			*to++ = *path;
	}
	*to = 0;
	return ret;
}

/*
 * Returns the pattern of an output file as an absolute path, whatever the working
 * directory will be.
 */
static const char *absolute(struct session *s, const char *pattern)
{
	char *cwd = *pattern == '/' ? NULL : getcwd(NULL, 0);
	const char *ret =
		cwd ? arena_printf(s->arena, "%s/%s", doubled_percents(s, cwd), pattern) : pattern;

	free(cwd);
	return ret;
}

/* Returns the directory below which all files of the pattern are. */
static const char *directory_of(struct session *s, const char *pattern)
{
	char *path = arena_strndup(s->arena, pattern, strlen(pattern)), *slash;
	size_t len = 0;

	for (const char *from = pattern; *from; from++) {
		if (*from == '%' && *++from != '%')
			break;
		path[len++] = *from;
	}
	path[len] = 0;
	slash = strrchr(path, '/');
	if (!slash)
		return ".";
	slash[slash == path] = 0;
	return path;
}

/*
 * Returns the script's name for the list of runs: its file, or the text of -e, cut to fit
 * into a parameter of a module.
 */
static const char *script_name(struct session *s)
{
	const struct options *o = s->options;
	char *ret = o->script_text ? arena_printf(s->arena, "-e %s", o->script_text)
				   : arena_strdup(s->arena, o->script_file ?: "");
	char *to = ret;

	for (const char *from = ret; *from && to < ret + NAME_MOST; from++) {
		bool is_space = (unsigned char)*from <= ' ' || *from == 0x7f;

		if (!is_space || (to > ret && to[-1] != ' '))
			*to++ = is_space ? ' ' : *from == '"' ? '\'' : *from;
	}
	*to = 0;
	return ret;
}

/* Adds the options that staprun and programs have in common. */
static void common_options(struct session *s, run_args *args)
{
	const struct options *o = s->options;

	if (o->no_warnings)
		push(s, args, "-w");
	if (o->color)
		push_two(s, args, "-C", o->color == COLOR_ALWAYS ? "always" : "never");
	if (o->timing)
		push(s, args, "-t");
	if (o->command)
		push_two(s, args, "-c", o->command);
	if (o->target_pid)
		push_two(s, args, "-x", arena_printf(s->arena, "%ld", o->target_pid));
}

void run_options(struct session *s, run_args *args)
{
	const struct options *o = s->options;

	for (unsigned i = 1; i < o->verbose; i++)
		push(s, args, "-v");
	common_options(s, args);
	if (o->strict)
		push(s, args, "--strict");
	if (o->seconds)
		push(s, args, arena_printf(s->arena, "--timeout=%ld", o->seconds));
	for (size_t i = 0; i < o->run_args.count; i++)
		push(s, args, o->run_args.data[i]);
}

/*
 * Returns --to with absolute paths, because the working directory of a guest differs.
 * NULL: there is no --to.
 */
static const char *absolute_to(struct session *s)
{
	static const char word[] = ",before=";
	const char *to = s->options->to, *where, *before;

	if (!to || dburl_is(to))
		return to;
	where = strchr(to, ':') + 1;
	before = strncmp(to, "flame:", where - to) ? NULL : strstr(where, word);
	if (!before)
		return arena_printf(s->arena, "%.*s%s", (int)(where - to), to, absolute(s, where));
	where = arena_printf(s->arena, "%.*s", (int)(before - where), where);
	return arena_printf(s->arena, "flame:%s%s%s", absolute(s, where), word,
			    absolute(s, before + strlen(word)));
}

/*
 * True: the output is one JSON object per record, so that a live page can draw its
 * slices.
 */
static bool is_json(const struct session *s)
{
	const struct options *o = s->options;

	return options_passed(o, "--json") ||
	       (o->page_fd && !o->to && !o->output && slices_are_printed(s->program));
}

/* values: a descriptor that the values of globals go to, or -1. */
static void push_staprun(struct session *s, run_args *args, const char *module, int values)
{
	push(s, args, arena_printf(s->arena, "%s/staprun", s->bin_dir));
	if (s->options->output)
		push_two(s, args, "-o", absolute(s, s->options->output));
	if (s->options->to)
		push_two(s, args, "--to", absolute_to(s));
	push(s, args, arena_printf(s->arena, "--script=%s", script_name(s)));
	if (values >= 0)
		push(s, args, arena_printf(s->arena, "--values=%d", values));
	if (is_json(s) && !options_passed(s->options, "--json"))
		push(s, args, "--json");
	run_options(s, args);
	push(s, args, module);
}

/* True: -M leaves files in the current directory, unless -o names another. */
static bool leaves_files(const struct options *o)
{
	return options_passed(o, "-M");
}

/* Lets the guest write the files of --to into this machine's directory. */
static void share_sink(struct session *s, run_args *args)
{
	const char *to = absolute_to(s);

	if (to && !dburl_is(to))
		push_two(s, args, "--share", directory_of(s, strchr(to, ':') + 1));
}

/*
 * Adds the guest's options. The guest sees this machine's files copy-on-write:
 * directories for output files are shared.
 */
static void push_guest(struct session *s, run_args *args)
{
	const struct options *o = s->options;

	push(s, args, arena_printf(s->arena, "%s/stap-vm", s->bin_dir));
	push_two(s, args, "--release", s->kernel->release);
	if (*s->kernel->root)
		push_two(s, args, "--kernels", s->kernel->root);
	if (o->disk_mb)
		push(s, args, arena_printf(s->arena, "--disk=%u", o->disk_mb));
	if (o->network)
		push(s, args, "--network");
	share_sink(s, args);
	if (o->output || leaves_files(o))
		push_two(s, args, "--share",
			 directory_of(s, absolute(s, o->output ? o->output : "x")));
	push(s, args, "--");
}

/*
 * The process that on_signal() passes signals on to; a handler can reach nothing else.
 */
static volatile pid_t child_of_signal;

static void on_signal(int sig)
{
	if (child_of_signal > 0)
		kill(child_of_signal, sig);
}

/*
 * Signals passed on to the child, which ends cleanly on any of them; this process waits
 * for that. ^C on the terminal reaches the child by itself (a second copy would mean "do
 * not wait"), unless only this process was sent the signal: then it is passed on like the
 * others.
 */
static const int passed_signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2 };

static void on_interrupt(int sig, siginfo_t *info, void *context)
{
	if (info->si_code == SI_USER || info->si_code == SI_TKILL)
		on_signal(sig);
}

/* True: the signal is ignored, as under nohup; the child ignores it as well. */
static bool is_ignored(int sig)
{
	struct sigaction act;

	return !sigaction(sig, NULL, &act) && act.sa_handler == SIG_IGN;
}

/*
 * Installs handlers and blocks the signals until there is a child. Before this call they
 * end stap.
 */
static void take_signals(sigset_t *blocked, sigset_t *before)
{
	sigemptyset(blocked);
	for (size_t i = 0; i < sizeof(passed_signals) / sizeof(passed_signals[0]); i++)
		if (!is_ignored(passed_signals[i]))
			sigaddset(blocked, passed_signals[i]);
	sigprocmask(SIG_BLOCK, blocked, before);
	for (size_t i = 0; i < sizeof(passed_signals) / sizeof(passed_signals[0]); i++) {
		struct sigaction act = { .sa_handler = on_signal };

		if (!sigismember(blocked, passed_signals[i]))
			continue;
		if (passed_signals[i] == SIGINT || passed_signals[i] == SIGQUIT)
			act = (struct sigaction){ .sa_sigaction = on_interrupt,
						  .sa_flags = SA_SIGINFO };
		sigaction(passed_signals[i], &act, NULL);
	}
}

/*
 * Passes on signals that came before the child existed: it has not even seen those of the
 * terminal.
 */
static void pass_waiting(pid_t child, const sigset_t *blocked)
{
	static const struct timespec now;
	int sig;

	while ((sig = sigtimedwait(blocked, NULL, &now)) > 0)
		kill(child, sig);
}

/* Gives the output and the keys to the screen of --monitor. */
static void give_streams(int output)
{
	int null = open("/dev/null", O_RDONLY);

	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
	    dup2(output, STDERR_FILENO) < 0)
		_exit(4);
}

/* Descriptors of a run: for its output, for the values of its globals; -1: none. */
struct run_ends {
	int output, values;
};

/* Executes the run, in the child. */
static void become_run(struct session *s, char **argv, const sigset_t *before,
		       const struct run_ends *ends)
{
	if (ends->output >= 0)
		give_streams(ends->output);
	if (ends->values >= 0)
		fcntl(ends->values, F_SETFD, 0);
	for (size_t i = 0; i < sizeof(passed_signals) / sizeof(passed_signals[0]); i++)
		if (!is_ignored(passed_signals[i]))
			signal(passed_signals[i], SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, before, NULL);
	cleaner_watch(s->guard);
	execv(argv[0], argv);
	fprintf(stderr, "stap: cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 3 : 4);
}

static struct error *run_child(struct session *s, char **argv, const char *program, int values,
			       int *status)
{
	pid_t pid;
	sigset_t blocked, before;
	int output[2] = { -1, -1 };

	if (s->options->monitor && pipe2(output, O_CLOEXEC))
		return error_errno(s->arena, "pipe");
	fflush(NULL);
	take_signals(&blocked, &before);
	pid = fork();
	if (pid == 0)
		become_run(s, argv, &before, &(struct run_ends){ output[1], values });
	if (pid > 0)
		pass_waiting(pid, &blocked);
	child_of_signal = pid;
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (output[1] >= 0)
		close(output[1]);
	if (pid < 0)
		return error_errno(s->arena, "fork");
	if (output[0] >= 0) {
		monitor_show(s, program, pid, output[0]);
		close(output[0]);
	}
	*status = subprocess_end(pid);
	if (*status < 0)
		*status = 1;
	child_of_signal = 0;
	return NULL;
}

/* True: staprun is set-uid root. Then it decides which user may load which module. */
static bool staprun_is_for_users(struct session *s)
{
	struct stat st;

	return !stat(arena_printf(s->arena, "%s/staprun", s->bin_dir), &st) && st.st_uid == 0 &&
	       st.st_mode & S_ISUID;
}

/*
 * True: the run is a module, or its program needs staprun: for a control group, to be
 * left behind, or for rights that this user does not have.
 */
static bool is_for_staprun(struct session *s)
{
	const struct options *o = s->options;

	if (o->runtime != RUNTIME_BPF)
		return o->runtime == RUNTIME_KERNEL;
	return options_passed(o, "--cgroup") || options_passed(o, "--container") ||
	       options_passed(o, "-F") || (geteuid() && staprun_is_for_users(s));
}

/* Lets stap-merge convert the program's records to data: for --to, or JSON. */
static void push_program_form(struct session *s, run_args *args)
{
	const char *to = s->options->to;

	if (!to && !is_json(s))
		return;
	push_two(s, args, "-m", arena_printf(s->arena, "%s/stap-merge", s->bin_dir));
	if (to)
		push_two(s, args, "-k", to);
	else
		push(s, args, "-j");
}

static void push_user_program(struct session *s, run_args *args, const char *program, int values)
{
	const struct options *o = s->options;

	push(s, args, program);
	if (o->verbose > 1)
		push(s, args, "-v");
	common_options(s, args);
	if (o->output)
		push_two(s, args, "-o", o->output);
	if (o->strict)
		push(s, args, "-S");
	push_program_form(s, args);
	push_two(s, args, "-n", script_name(s));
	if (values >= 0)
		push_two(s, args, "-g", arena_printf(s->arena, "%d", values));
	if (o->seconds)
		push_two(s, args, "-T", arena_printf(s->arena, "%ld", o->seconds));
}

/* Refuses runs that are impossible on this machine. */
static struct error *check_machine(struct session *s)
{
	const struct options *o = s->options;

	if (o->runtime != RUNTIME_KERNEL)
		return NULL;
	if (arch_is_foreign(s))
		return error_create(s->arena, ERROR_USAGE,
				    "no module for %s runs here; stop at -p4 and use staprun "
				    "there, or stap-vm --arch %s --root DIR",
				    arch_of(s)->name, arch_of(s)->name);
	if (o->vm)
		return NULL;
	if (!s->kernel->is_running)
		return error_create(
			s->arena, ERROR_USAGE,
			"this machine does not run kernel %s; "
			"stop at -p4 and use staprun there, or run it in a guest with --vm",
			s->kernel->release);
	if (geteuid() && !staprun_is_for_users(s))
		return error_create(s->arena, ERROR_RUN,
				    "loading a module needs "
				    "root; try --vm, which runs it in a guest, or --runtime=user");
	return NULL;
}

struct error *run_program(struct session *s, const char *program, int *status)
{
	const struct options *o = s->options;
	struct error *err = check_machine(s);
	run_args args = { 0 };
	int values;

	if (err)
		return err;
	if (o->page_hosts_fd)
		close(o->page_hosts_fd); // there are no other machines
	values = lastvalues_open(s);
	if (o->vm) {
		guestneeds_note(s);
		push_guest(s, &args);
	}
	if (!is_for_staprun(s))
		push_user_program(s, &args, program, values);
	else
		push_staprun(s, &args, program, values);
	push(s, &args, NULL);
	err = run_child(s, args.data, program, values, status);
	lastvalues_keep(s, values);
	return err;
}
