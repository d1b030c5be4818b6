/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See bpfattach.h. The run gets the writing ends of two pipes, for its output and its
 * messages; it never gets a file or the terminal of this process, which may be root's,
 * while the run is another user's. uapi/status.h describes the requests.
 */
#include "staprun/bpfattach.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/command.h"
#include "lib/fullwrite.h"
#include "lib/heatcolor.h"
#include "lib/outfile.h"
#include "lib/printable.h"
#include "lib/sinkpipe.h"
#include "lib/streams.h"
#include "staprun/attach.h"
#include "staprun/bpfargs.h"
#include "staprun/bpfruns.h"
#include "staprun/caller.h"
#include "staprun/privileges.h"
#include "staprun/report.h"
#include "staprun/run.h"
#include "uapi/status.h"

#define PIPE_BYTES (1 << 20)
#define TWICE_NS   500000000u /* a request that comes sooner counts as the same */
#define ANSWER_MS  10000
#define NS	   1000000000u

enum { EXIT_OK, EXIT_FAILED, EXIT_LOST = 5 };

struct attached {
	const char *name;
	struct bpfruns_turn turn;
	int out; /* standard output, or the file of -o */
	const char *out_name;
	int pipes[2]; /* the ends that are read: output, messages; -1: closed */
	struct sinkpipe sink;
	const char *command, *merge, *to, *form, *color;
	long target;
	uint64_t end; /* of the clock, by --timeout; 0: never */
	bool books, verbose, no_warnings, strict, json;
	int signals, watch; /* descriptors; watch: of the process of -c or -x, or -1 */
	pid_t child;	    /* of -c; 0: it has ended */
	int hold;	    /* holds it */
	int child_status;
	bool child_ended;
	uint64_t asked;				 /* time of the request to end; 0: none */
	bool detaches, is_over, is_left, is_cut; /* the run goes on; it has been killed */
	bool reader_left, failed;
	int status, lost;
	unsigned long long given, unread; /* records: passed to the sink; nobody has read */
};

static bool is_foreign(const struct attached *a)
{
	return a->turn.peer.uid != getuid() && a->turn.peer.uid;
}

static void request(struct attached *a, const char *line)
{
	send(a->turn.fd, line, strlen(line), MSG_NOSIGNAL);
}

static void ask_to_stop(struct attached *a)
{
	if (!a->asked && !a->detaches)
		request(a, "stop\n");
	if (!a->asked)
		a->asked = clock_now();
}

/* ---- the options ---- */

static bool take_number(const char *text, long *ret)
{
	char *end;

	errno = 0;
	*ret = strtol(text, &end, 10);
	return !errno && end != text && !*end && *ret >= 0;
}

static bool take_timeout(struct attached *a, const char *text)
{
	long s;

	if (!take_number(text, &s) || s > 1000000000) {
		report_error("--timeout takes seconds, not '%s'", text);
		return false;
	}
	a->end = clock_now() + (uint64_t)s * NS + 1;
	return true;
}

static bool open_output(struct attached *a, const char *name)
{
	struct outfile f;
	int rc = outfile_open_waiting(&f, name, 0666, NULL);

	if (rc) {
		report_error("%s: %s", name, outfile_error(&f, rc));
		return false;
	}
	close(f.dir);
	a->out = f.fd;
	a->out_name = name;
	return true;
}

/* The words are those of the program's own options (runtime/user/main.c). */
static bool take_word(struct attached *a, int option)
{
	switch (option) {
	case 'o':
		return open_output(a, optarg);
	case 'c':
		a->command = optarg;
		return true;
	case 'x':
		if (take_number(optarg, &a->target) && a->target)
			return true;
		report_error("-x takes the number of a process, not '%s'", optarg);
		return false;
	case 'm':
		a->merge = optarg;
		return true;
	case 'k':
		a->to = optarg;
		return true;
	case 'j':
		a->json = true;
		return true;
	case 's':
		a->form = optarg;
		return true;
	case 'T':
		return take_timeout(a, optarg);
	case 't':
		a->books = true;
		return true;
	case 'v':
		a->verbose = true;
		return true;
	case 'w':
		a->no_warnings = true;
		return true;
	case 'S':
		a->strict = true;
		return true;
	case 'C':
		a->color = optarg;
		return true;
	default:
		return false;
	}
}

static bool take_words(struct attached *a, const struct bpfargs *args)
{
	int option;

	optind = 0;
	while ((option = getopt((int)args->count, (char *const *)args->words,
				"o:c:x:tvwT:m:jk:C:Ss:")) != -1)
		if (!take_word(a, option))
			return false;
	if (a->form && (a->to || a->out != STDOUT_FILENO)) {
		report_error("--records cannot be combined with -o or --to");
		return false;
	}
	return true;
}

/* ---- the beginning ---- */

static void say_failed(const char *command)
{
	report_error("cannot run '%s': %s", command, strerror(errno));
}

/* Commands print to stderr where standard output is for data. */
static bool is_data(const struct attached *a)
{
	return a->json || a->to || a->form;
}

static void begin_command(const void *ctx)
{
	const struct attached *a = ctx;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (is_data(a) && a->out == STDOUT_FILENO)
		dup2(STDERR_FILENO, STDOUT_FILENO);
}

static bool find_target(struct attached *a)
{
	const struct command_child child = { begin_command, say_failed, a };

	if (!a->command && !a->target)
		return true;
	fflush(NULL);
	a->watch = a->command ? command_fork(a->command, &child, &a->hold)
			      : command_watch((pid_t)a->target);
	if (a->command && a->watch > 0) {
		a->child = a->watch;
		a->watch = command_watch(a->child);
	}
	if (a->watch >= 0)
		return true;
	report_error("-%c: %s", a->command ? 'c' : 'x', command_reason(a->watch));
	return false;
}

/* Starts the program for --to and --json. The pipe to it is the one for the output. */
static bool open_sink(struct attached *a, int *output)
{
	int rc = sinkpipe_start(&a->sink, a->merge, a->to, a->out);

	if (rc)
		report_error("--%s: %s", a->to ? "to" : "json", strerror(-rc));
	*output = a->sink.fd;
	return !rc;
}

static bool open_pipe(int *reads, int *writes)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC)) {
		report_error("pipe: %s", strerror(errno));
		return false;
	}
	fcntl(fds[1], F_SETPIPE_SZ, PIPE_BYTES); // as it is otherwise
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	*reads = fds[0];
	*writes = fds[1];
	return true;
}

static bool is_colored(const struct attached *a)
{
	if (a->color)
		return *a->color == 'a';
	return a->out == STDOUT_FILENO && heatcolor_is_shown(STDOUT_FILENO);
}

/* Sends the request with the pipes. */
static bool send_pipes(struct attached *a, const int fds[2])
{
	char line[STP_RUN_REQUEST_SIZE];
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(2 * sizeof(int))];
	} control = { .head = { .cmsg_len = CMSG_LEN(2 * sizeof(int)),
				.cmsg_level = SOL_SOCKET,
				.cmsg_type = SCM_RIGHTS } };
	const char *form = a->form ? a->form : a->json || a->to ? "data" : NULL;
	int n = snprintf(line, sizeof(line), "read -%s%s%s%s%s%s%s\n", a->books ? "b" : "",
			 a->verbose ? "v" : "", a->no_warnings ? "w" : "", is_data(a) ? "a" : "",
			 !is_data(a) && is_colored(a) ? "c" : "", form ? " " : "",
			 form ? form : "");
	struct iovec from = { line, (size_t)n };
	struct msghdr m = { .msg_iov = &from,
			    .msg_iovlen = 1,
			    .msg_control = control.bytes,
			    .msg_controllen = sizeof(control.bytes) };

	memcpy(CMSG_DATA(&control.head), fds, 2 * sizeof(int));
	return n < (int)sizeof(line) && sendmsg(a->turn.fd, &m, MSG_NOSIGNAL) == n;
}

static bool begin_reading(struct attached *a)
{
	static const char wanted[] = "reading\n";
	struct pollfd p = { .fd = a->turn.fd, .events = POLLIN };
	char answer[sizeof(wanted)] = "";
	bool sinks = a->json || a->to, ok;
	int fds[2] = { -1, -1 };

	if (!(sinks ? open_sink(a, &fds[0]) : open_pipe(&a->pipes[0], &fds[0])) ||
	    !open_pipe(&a->pipes[1], &fds[1]))
		return false;
	ok = send_pipes(a, fds) && poll(&p, 1, ANSWER_MS) > 0 &&
	     read(a->turn.fd, answer, sizeof(answer) - 1) > 0 && !strcmp(answer, wanted);
	close(fds[0]);
	close(fds[1]);
	if (!ok)
		report_error("program %s (process %d) does not answer", a->name,
			     (int)a->turn.peer.pid);
	return ok;
}

/* ---- copying ---- */

/* The output can no longer be written: the script ends. */
static void fail_output(struct attached *a)
{
	a->reader_left = errno == EPIPE && a->out == STDOUT_FILENO;
	if (!a->reader_left)
		report_error("writing %s: %s", a->out_name, strerror(errno));
	a->failed |= !a->reader_left;
	close(a->pipes[0]);
	a->pipes[0] = -1;
	ask_to_stop(a);
}

/* Passes on what one of the pipes has. False: it has nothing now. */
static bool copy(struct attached *a, unsigned which)
{
	static char buf[64u << 10];
	int to = which ? STDERR_FILENO : a->out;
	ssize_t n = a->pipes[which] < 0 ? -1 : read(a->pipes[which], buf, sizeof(buf));

	if (!n) {
		close(a->pipes[which]);
		a->pipes[which] = -1;
	}
	if (n <= 0)
		return false;
	if (is_foreign(a) && (which || isatty(to)))
		printable_make(buf, (size_t)n);
	if (!fullwrite(to, buf, (size_t)n) && !which)
		fail_output(a);
	return true;
}

/* ---- events ---- */

/* If stap-merge has ended before the run, the output can no longer be written. */
static void on_child(struct attached *a)
{
	int status;

	if (a->sink.pid && !a->sink.ended && waitpid(a->sink.pid, &status, WNOHANG) > 0 &&
	    sinkpipe_reaped(&a->sink, a->sink.pid, status) && status)
		ask_to_stop(a);
}

static void on_signal(struct attached *a)
{
	struct signalfd_siginfo info;

	if (read(a->signals, &info, sizeof(info)) != sizeof(info))
		return;
	if (info.ssi_signo == SIGCHLD)
		on_child(a);
	if (info.ssi_signo == SIGCHLD || info.ssi_signo == SIGUSR1 || info.ssi_signo == SIGUSR2)
		return;
	if (info.ssi_signo == SIGQUIT) {
		if (!a->asked && !a->detaches)
			request(a, "detach\n");
		a->detaches = true;
		return;
	}
	if (a->asked && info.ssi_signo != SIGHUP && clock_now() - a->asked > TWICE_NS) {
		report_error("interrupted again: unread output is lost");
		a->is_over = a->failed = true;
	}
	ask_to_stop(a);
}

/* Takes the answers of the run: the last one, or that it has gone. */
static void on_answer(struct attached *a)
{
	char line[128];
	ssize_t n = read(a->turn.fd, line, sizeof(line) - 1);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	line[n > 0 ? n : 0] = 0;
	a->is_over = true;
	if (sscanf(line, "end %d %d %llu %llu", &a->status, &a->lost, &a->given, &a->unread) >= 2)
		return;
	a->is_left = sscanf(line, "detached %llu", &a->given) == 1;
	a->is_cut = !a->is_left;
}

static void on_target_end(struct attached *a)
{
	close(a->watch);
	a->watch = -1;
	if (a->child && waitpid(a->child, &a->child_status, 0) == a->child) {
		a->child = 0;
		a->child_ended = true;
	}
	ask_to_stop(a);
}

static int left_ms(const struct attached *a)
{
	uint64_t now = clock_now(), left = a->end > now ? a->end - now : 0;

	if (!a->end || a->asked)
		return -1;
	return left / 1000000 < 60000 ? (int)(left / 1000000) + (left > 0) : 60000;
}

static void wait_events(struct attached *a)
{
	struct pollfd p[] = {
		{ .fd = a->pipes[0], .events = POLLIN }, { .fd = a->pipes[1], .events = POLLIN },
		{ .fd = a->turn.fd, .events = POLLIN },	 { .fd = a->signals, .events = POLLIN },
		{ .fd = a->watch, .events = POLLIN },	 { .fd = a->out },
	};
	int n;

	if (a->out != STDOUT_FILENO || a->pipes[0] < 0)
		p[5].fd = -1;
	n = poll(p, sizeof(p) / sizeof(p[0]), left_ms(a));

	if (a->end && clock_now() >= a->end)
		ask_to_stop(a);
	if (n <= 0)
		return;
	for (unsigned i = 0; i < 2; i++)
		if (p[i].revents)
			copy(a, i);
	if (p[2].revents)
		on_answer(a);
	if (p[3].revents)
		on_signal(a);
	if (p[4].revents)
		on_target_end(a);
	if (p[5].revents & POLLERR && a->pipes[0] >= 0) {
		errno = EPIPE;
		fail_output(a);
	}
}

/* ---- the end ---- */

static void finish_command(struct attached *a)
{
	char how[128];
	bool was_held = command_let_go(&a->hold, false);

	if (a->child_ended && command_failed(a->child_status, how, sizeof(how))) {
		dprintf(STDERR_FILENO, "WARNING: %s\n", how);
		a->failed = true;
	}
	if (!a->child || a->detaches)
		return;
	if (!was_held)
		kill(a->child, SIGTERM);
	command_reap_soon(a->child, &a->child_status);
}

/* Reports the records that the sink was given and has not stored. */
static void finish_sink(struct attached *a)
{
	char text[160];
	bool ok;

	if (!a->sink.pid)
		return;
	ok = sinkpipe_finish(&a->sink);
	a->reader_left |= a->out == STDOUT_FILENO && sinkpipe_reader_left(&a->sink);
	if (a->reader_left)
		return;
	a->failed |= !ok;
	if (!sinkpipe_explain(&a->sink, a->given, sinkpipe_stored_all(&a->sink), text,
			      sizeof(text)))
		return;
	report_error("%s: %s", a->to ? a->to : "--json", text);
	a->failed = true;
}

static int finish(struct attached *a)
{
	for (unsigned i = 0; i < 2; i++)
		while (copy(a, i))
			;
	finish_command(a);
	finish_sink(a);
	if (a->out != STDOUT_FILENO && close(a->out)) {
		report_error("writing %s: %s", a->out_name, strerror(errno));
		a->failed = true;
	}
	if (a->is_cut) {
		report_error("program %s (process %d) has been killed", a->name,
			     (int)a->turn.peer.pid);
		return EXIT_FAILED;
	}
	if (a->is_left)
		attach_say(a->name);
	if (a->unread)
		dprintf(STDERR_FILENO, "WARNING: %s: the output of %llu hits was not read\n",
			a->name, a->unread);
	if (a->reader_left)
		return STREAMS_READER_LEFT;
	if (a->failed || a->status)
		return a->failed ? EXIT_FAILED : a->status;
	return a->strict && a->lost ? EXIT_LOST : EXIT_OK;
}

static int read_run(struct attached *a, const struct run_signals *signals)
{
	a->signals = signalfd(-1, &signals->caught, SFD_CLOEXEC);
	signal(SIGPIPE, SIG_IGN);
	if (a->signals < 0 || !find_target(a) || !begin_reading(a)) {
		a->failed = true;
		finish_command(a);
		return EXIT_FAILED;
	}
	command_let_go(&a->hold, true);
	while (!a->is_over)
		wait_events(a);
	return finish(a);
}

int bpfattach_run(const struct options *o, const char *name, const struct caller *c,
		  char **environment, const struct run_signals *signals)
{
	static struct bpfargs args;
	struct attached a = { .name = name,
			      .out = STDOUT_FILENO,
			      .out_name = "stdout",
			      .pipes = { -1, -1 },
			      .watch = -1,
			      .hold = -1 };

	if (o->values) {
		report_error("--values: not with -A for programs of --runtime=bpf; "
			     "stap --globals %s prints them while it runs",
			     name);
		return EXIT_FAILED;
	}
	if (!bpfargs_make_reader(&args, o, name) || !bpfruns_attach(name, c, &a.turn) ||
	    !privileges_drop())
		return EXIT_FAILED;
	environ = environment;
	return take_words(&a, &args) ? read_run(&a, signals) : EXIT_FAILED;
}
