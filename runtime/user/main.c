/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script as a program:
 *
 *   PROGRAM [-o FILE] [-m STAP-MERGE -j | -k KIND:WHERE] [-c COMMAND | -x PID]
 *           [-s text|data[,S[,values]]] [-r N:URI] [-t] [-v] [-S] [-T SECONDS]
 *           [-n SCRIPT] [-g N] [-E N] [-R N] [-L] [-f drop|overwrite] [NAME=VALUE…]
 *
 * NAME=VALUE sets a scalar global; -c runs a command, and -x names a process: target()
 * returns its pid, and its end ends the script; -t prints the books on stderr, -v
 * repeated warnings, -S makes the exit status 5 if hits were lost; -k makes stap-merge
 * convert the output to data, -j to lines of JSON; -s writes the records as they are, for
 * another machine, as --records of staprun(8); -r sets remote_id() and remote_uri(); -T
 * ends the run after SECONDS; -n is the script's name in stap --status; -g: the values of
 * globals go to descriptor N at the end, by uapi/globals.h, and the books after them, by
 * uapi/status.h. staprun gives -E, the descriptor of commands' environment, and -R: a
 * byte goes to that descriptor when the script runs, and the program continues in the
 * background, where its messages go to the system's log; and -G, the descriptor of the
 * control group that the run is about. -L: nobody reads the output
 * until staprun -A attaches, and the ring keeps the newest, or with -f drop the oldest;
 * the other options about the output only say whether it will be data. Exit status: 0, 1
 * after an error of the script or when the command failed, 2 for wrong arguments.
 * SIGINT, SIGTERM and SIGHUP end the run cleanly.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "core/session.h"
#include "lib/command.h"
#include "lib/dburl.h"
#include "lib/heatcolor.h"
#include "lib/notify.h"
#include "lib/outfile.h"
#include "lib/sinkpipe.h"
#include "lib/streams.h"
#include "trace/books.h"
#include "trace/form/streamform.h"
#include "trace/messages.h"
#include "uapi/zone.h"
#include "user/bpfcgroup.h"
#include "user/rights.h"
#include "user/user.h"

#define LONGEST_MS   60000	/* ms of one wait */
#define HELD_MS	     1		/* wait of records for the horizon */
#define EXIT_LOST    5		/* with -S */
#define MOST_SECONDS 1000000000 /* thirty years: their nanoseconds fit */

static void usage(const char *program)
{
	fprintf(stderr,
		"Usage: %s [-o FILE] [-m STAP-MERGE -j | -k KIND:WHERE] [-c COMMAND | -x PID] "
		"[-s FORM] [-r N:URI] [-t] [-v] [-T SECONDS] [-n SCRIPT] [-g N] "
		"[-C always|never] [-L] [-f drop|overwrite] [NAME=VALUE...]\n",
		program);
}

static bool parse_long(const char *text, int64_t *ret)
{
	char *end;

	errno = 0;
	*ret = text[0] == '-' ? strtoll(text, &end, 0) : (int64_t)strtoull(text, &end, 0);
	return !errno && end != text && !*end;
}

static const struct stp_global *global_named(const char *name, size_t len)
{
	for (uint32_t i = 0; i < stp_script.nglobals; i++)
		if (strlen(stp_script.globals[i].name) == len &&
		    !memcmp(stp_script.globals[i].name, name, len))
			return &stp_script.globals[i];
	return NULL;
}

static void set_string(const struct stp_global *g, const char *value)
{
	struct stp_str *place = g->place;

	strscpy(g->storage, value, stp_script.limits.string);
	*place = (struct stp_str){ g->storage, (uint32_t)strlen(g->storage) };
}

/* Sets a global by NAME=VALUE. False with a message. */
static bool set_global(const char *setting)
{
	const char *value = strchr(setting, '=');
	const struct stp_global *g =
		value ? global_named(setting, (size_t)(value - setting)) : NULL;

	if (!g) {
		fprintf(stderr, "ERROR: %s: %s\n", setting,
			value ? "no such global" : "not NAME=VALUE");
		return false;
	}
	if (g->is_array || g->type == STP_STATS) {
		fprintf(stderr, "ERROR: %s: only scalar globals can be set\n", setting);
		return false;
	}
	if (g->type == STP_STRING) {
		set_string(g, value + 1);
		return true;
	}
	if (parse_long(value + 1, g->place))
		return true;
	fprintf(stderr, "ERROR: %s: not a number\n", setting);
	return false;
}

static void on_signal(int number)
{
	user_reader_stop();
}

static bool is_nohup(void)
{
	struct sigaction act;

	return !sigaction(SIGHUP, NULL, &act) && act.sa_handler == SIG_IGN;
}

/*
 * Blocks the signals: they are delivered only while user_timers_run() waits. A signal
 * that comes before the script has begun stays pending.
 */
static void take_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i] != SIGHUP || !is_nohup())
			sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (sigismember(&set, numbers[i]))
			sigaction(numbers[i], &act, NULL);
	signal(SIGPIPE, SIG_IGN);
	/* It starts a new file for modules; the file of this program stays. */
	signal(SIGUSR2, SIG_IGN);
}

static void print_line(void *ctx, const char *text)
{
	fputs(text, ctx);
}

/* Returns NULL, or an error text. */
static const char *read_books(struct books *ret)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	*ret = (struct books){ 0 };
	if (!f)
		return strerror(errno);
	stp_books_write(print_line, f);
	if (fclose(f)) {
		free(text);
		return strerror(ENOMEM);
	}
	return books_parse(ret, text, stp_script.nprobes);
}

static void print_books(bool wanted)
{
	struct stp_status s;
	struct books books;
	const char *wrong;

	stp_books_status(&s);
	wrong = read_books(&books);
	if (wrong)
		fprintf(stderr, "ERROR: %s\n", wrong);
	else if (wanted)
		books_print(&books);
	else
		books_warn(&books, message_warning);
	books_deinit(&books);
	if (wanted)
		user_drain_print(stderr);
	if (s.errors || s.skipped > s.errors)
		message_warning("Number of errors: %llu, skipped probes: %llu",
				(unsigned long long)s.errors,
				(unsigned long long)(s.skipped - s.errors));
}

/* True: output or hits were lost. */
static bool is_lossy(void)
{
	struct stp_status s;

	stp_books_status(&s);
	return s.dropped || s.skipped;
}

/*
 * Returns the milliseconds until the time `end` of port_monotonic_ns(): 0 is over, -1 is
 * never (end is 0).
 */
static int left_ms(uint64_t end)
{
	uint64_t now = end ? port_monotonic_ns() : 0;
	uint64_t left = end > now ? (end - now) / 1000000 + 1 : 0;

	return !end ? -1 : left < LONGEST_MS ? (int)left : LONGEST_MS;
}

/* Returns the shorter wait; -1 is without an end. */
static int earlier(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/*
 * Returns how long the script may run before it must end, in milliseconds; -1: for ever;
 * 0: it has ended. A run without a reader does not end by itself.
 */
static int goes_on(uint64_t end)
{
	int left = stp_session_state() == STP_RUNNING ? left_ms(end) : 0;

	if (!left && user_reader_is_awaited()) {
		stp_session_request_exit();
		return LONGEST_MS;
	}
	return left;
}

/* Runs the script until it must end, at most for `seconds` (0: without a limit). */
static void serve(int64_t seconds, struct notify *n)
{
	uint64_t end = seconds ? port_monotonic_ns() + (uint64_t)seconds * 1000000000u : 0;
	bool held = user_drain(false);
	int left;

	while ((left = goes_on(end)) != 0) {
		notify_alive(n);
		left = earlier(earlier(left, notify_wait_ms(n)), user_drain_look_ms());
		if (stp_session_state() == STP_RUNNING)
			user_timers_run(held ? HELD_MS : user_wait_ms(left));
		else
			user_control_wait(left);
		held = user_drain(false);
		user_drain_look();
	}
}

struct arguments {
	int out;
	const char *out_name; /* in messages */
	FILE *values;	      /* of globals, at the end; NULL: nobody asks */
	int ready;	      /* somebody waits there until the script runs; 0: nobody */
	int cgroup;	      /* directory of the only group that the run is about; 0: all */
	const char *command, *merge, *to;
	const char *color; /* "always" or "never"; NULL: on a terminal */
	struct sinkpipe sink;
	struct streamform_request stream;
	struct user_output output;
	int64_t target, seconds;
	bool books, verbose, no_warnings, json, strict, is_stream;
	bool leave, drops, overwrites; /* -L, -f drop, -f overwrite */
	bool aside; /* standard output is only for data: commands print to stderr */
};

/* Finds or starts the process of -x or -c. False with a message. */
static bool find_target(struct arguments *a)
{
	int rc = a->command  ? user_target_run(a->command, &a->target, a->aside)
		 : a->target ? user_target_attach(a->target)
			     : 0;

	if (rc)
		fprintf(stderr, "ERROR: -%c: %s\n", a->command ? 'c' : 'x', command_reason(rc));
	return rc == 0;
}

/* Starts the program for -j and -k. False with a message. */
static bool open_sink(struct arguments *a)
{
	int rc;

	if ((!a->json && !a->to) || a->leave)
		return true;
	rc = sinkpipe_start(&a->sink, a->merge ? a->merge : "stap-merge", a->to, a->out);
	a->out = a->sink.fd;
	a->out_name = a->to ? a->to : "--json";
	if (rc)
		fprintf(stderr, "ERROR: -%c: %s\n", a->json ? 'j' : 'k', strerror(-rc));
	return !rc;
}

static void write_values(const struct arguments *a)
{
	if (!a->values)
		return;
	if (stp_script.snapshot_reader)
		stp_script.snapshot_reader->write(print_line, a->values);
	stp_about_write(print_line, a->values);
	stp_books_write(print_line, a->values);
	fclose(a->values);
}

/* Returns the number of a descriptor that commands do not get; -1: it is not one. */
static int take_descriptor(const char *text)
{
	int64_t fd;

	if (!parse_long(text, &fd) || fd <= STDERR_FILENO || fd > INT_MAX ||
	    fcntl((int)fd, F_SETFD, FD_CLOEXEC))
		return -1;
	return (int)fd;
}

/* Opens the descriptor that the text names, and keeps it from commands. */
static FILE *open_values(const char *text)
{
	int fd = take_descriptor(text);

	return fd < 0 ? NULL : fdopen(fd, "w");
}

/* Tells the starter that the script runs, and leaves the terminal to it. */
static void go_to_background(int ready)
{
	while (write(ready, "", 1) < 0 && errno == EINTR)
		;
	close(ready);
	user_reader_background();
}

/* True: rows of heat maps are in colours, as in stapio. */
static bool is_colored(const struct arguments *a)
{
	if (a->color)
		return *a->color == 'a';
	return a->out == STDOUT_FILENO && heatcolor_is_shown(STDOUT_FILENO);
}

/* Returns the target's number as handlers see it; -1: it has ended. */
static int64_t target_number(const struct arguments *a)
{
#ifdef STP_BPF
	return bpftasks_number(a->target);
#else
	return a->target;
#endif
}

/* Restricts the run to a control group. False with a message. */
static bool take_cgroup(const struct arguments *a)
{
#ifdef STP_BPF
	return bpfcgroup_begin(a->cgroup);
#else
	return true;
#endif
}

/* Runs begin. Returns false with a message. */
static bool start(const struct arguments *a)
{
	char error[256] = "";
	int64_t target = target_number(a);

	if (target < 0)
		snprintf(error, sizeof(error), "process %lld has ended", (long long)a->target);
	else if (!stp_session_start(target, error, sizeof(error)))
		return true;
	fprintf(stderr, "ERROR: %s\n", error);
	return false;
}

/* True: the ring keeps the newest output. */
static bool overwrites(const struct arguments *a)
{
	return a->overwrites || (a->leave && !a->drops);
}

/* Creates the session and prepares its output. False with a message. */
static bool create(struct arguments *a)
{
	bool as_data = a->json || a->to;
	struct stp_start how = { .as_data = as_data || a->stream.is_data,
				 .on_full = overwrites(a) ? STP_OVERWRITE : STP_DROP,
				 .zone = zone_local() };

	if (stp_session_create()) {
		fprintf(stderr, "ERROR: out of memory\n");
		return false;
	}
	a->output = (struct user_output){ a->leave ? -1 : a->out,
					  a->out_name,
					  as_data && !a->leave ? &a->sink : NULL,
					  a->is_stream ? &a->stream : NULL,
					  a->aside,
					  !as_data && !a->is_stream && is_colored(a) };
	user_drain_init(&a->output);
	stp_session_prepare(&how);
	return true;
}

/*
 * The run continues without a reader. If the script has ended by now, or could not start,
 * it is the one who started it that reads the output.
 */
static void leave_it(struct arguments *a)
{
	if (!a->leave)
		return;
	if (stp_session_state() == STP_RUNNING) {
		user_reader_leave();
		user_target_leave(); /* as stapio does when it leaves a module */
		return;
	}
	a->leave = false;
	a->output.fd = a->out;
	if (!user_drain_attach(&a->output))
		abort();
}

/* Ends the output, and prints the books. Returns true after an error. */
static bool end_output(const struct arguments *a)
{
	bool books = a->books || user_reader_wants_books(), failed;

	if (!user_drain_is_read())
		return user_drain_end();
	if (a->is_stream) /* which has warnings about the books, too */
		print_books(books);
	failed = user_drain_end();
	if (!a->is_stream)
		print_books(books);
	return failed;
}

/* Ends the run. Returns the exit status. */
static int finish(struct arguments *a, bool failed)
{
	struct user_end end = { 0 };

	stp_session_stop(true);
	if (!user_drain_is_read())
		end.unread = user_drain_unread();
	user_drain(true);
	write_values(a);
	failed |= user_target_finish();
	failed |= stp_session_failed() || user_drain_failed();
	failed |= end_output(a);
	end.lost = is_lossy();
	end.status = failed			? 1
		     : end.lost && a->strict	? EXIT_LOST
		     : user_drain_reader_left() ? STREAMS_READER_LEFT
						: 0;
	end.given = user_drain_given();
	user_drain_free();
	fflush(NULL);
	user_control_end(&end);
	user_control_close();
	stp_session_destroy();
	return end.status;
}

static int run(struct arguments *a)
{
	struct notify notify;
	bool failed;

	notify_open(&notify);
	if (!create(a))
		return 1;
	take_signals();
	user_control_open();
	failed = !take_cgroup(a) || !start(a);
	if (!failed) {
		message_verbose("probes are in place");
		notify_say(&notify, "READY=1");
	}
	leave_it(a);
	/* The output of begin must come before the command's. */
	while (a->command && user_drain(false))
		port_sleep_ms(HELD_MS);
	if (a->ready && !failed)
		go_to_background(a->ready);
	if (stp_session_state() == STP_RUNNING)
		user_target_release(true);
	serve(a->seconds, &notify);
	notify_say(&notify, "STOPPING=1");
	return finish(a, failed);
}

/* Opens -o. A FIFO waits for its reader, as in stapio. False with a message. */
static bool open_output(struct arguments *a, const char *name)
{
	struct outfile f;
	int rc = outfile_open_waiting(&f, name, 0666, NULL);

	if (rc) {
		fprintf(stderr, "ERROR: %s: %s\n", name, outfile_error(&f, rc));
		return false;
	}
	close(f.dir);
	a->out = f.fd;
	a->out_name = name;
	return true;
}

#define REMOTE_MOST 500

/* Sets remote_id() and remote_uri(), from N:URI. The text must be in the arena. */
static bool set_remote(const char *text)
{
	static char uri[REMOTE_MOST + 1];
	char *end;

	errno = 0;
	stp_remote_id = strtol(text, &end, 10);
	if (errno || end == text || *end != ':' || strlen(end + 1) > REMOTE_MOST) {
		fprintf(stderr, "ERROR: -r %s: not N:URI, of %d bytes at most\n", text,
			REMOTE_MOST);
		return false;
	}
	strcpy(uri, end + 1);
	stp_remote_uri = uri;
	return true;
}

static bool set_stream(struct arguments *a, const char *text)
{
	a->is_stream = streamform_parse(text, &a->stream);
	if (!a->is_stream)
		fprintf(stderr, "ERROR: %s\n", STREAMFORM_WRONG);
	return a->is_stream;
}

/* Takes an option. False: it is wrong, and a message was printed. */
static bool take_option(struct arguments *a, int option, const char *program)
{
	switch (option) {
	case 'o':
		return open_output(a, optarg);
	case 'c':
		a->command = optarg;
		return true;
	case 'm':
		a->merge = optarg;
		return true;
	case 'k':
		a->to = optarg;
		dburl_hide_password(optarg);
		return true;
	case 'g':
		a->values = open_values(optarg);
		if (!a->values)
			fprintf(stderr, "ERROR: -g %s: not a descriptor\n", optarg);
		return a->values != NULL;
	case 'E':
		return rights_take_environment(take_descriptor(optarg)) || (usage(program), false);
	case 'R':
		a->ready = take_descriptor(optarg);
		return a->ready > 0 || (usage(program), false);
#ifdef STP_BPF
	case 'G':
		a->cgroup = take_descriptor(optarg);
		return a->cgroup > 0 || (usage(program), false);
#endif
	case 'j':
		a->json = true;
		return true;
	case 's':
		return set_stream(a, optarg);
	case 'r':
		return set_remote(optarg);
	case 't':
		a->books = true;
		return true;
	case 'n':
		stp_script_text = optarg;
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
	case 'L':
		a->leave = true;
		return true;
	case 'f':
		a->drops = !strcmp(optarg, "drop");
		a->overwrites = !strcmp(optarg, "overwrite");
		return a->drops || a->overwrites || (usage(program), false);
	case 'C':
		a->color = optarg;
		return !strcmp(optarg, "always") || !strcmp(optarg, "never") ||
		       (usage(program), false);
	default:
		if ((option == 'x' && parse_long(optarg, &a->target)) ||
		    (option == 'T' && parse_long(optarg, &a->seconds) && a->seconds > 0 &&
		     a->seconds <= MOST_SECONDS))
			return true;
		usage(program);
		return false;
	}
}

/*
 * Starts the processes that the run needs. That comes before bpfload_start(): a copy of
 * the process would lack the arena, which has its data.
 */
static bool prepare(struct arguments *a)
{
	a->aside = (a->json || a->is_stream) && a->out == STDOUT_FILENO;
	if (!find_target(a) || !open_sink(a))
		return false;
#ifdef STP_BPF
	return bpfload_start(a->verbose);
#endif
	return true;
}

int main(int argc, char **argv)
{
	struct arguments a = { .out = STDOUT_FILENO, .out_name = "stdout" };
	int option;

	rights_keep();
	/* It may have been executed by a descriptor, and be called by that. */
	prctl(PR_SET_NAME, program_invocation_short_name);
	if (!streams_open())
		return 1;
	while ((option = getopt(argc, argv, "o:c:x:tvwT:m:jk:n:g:C:E:G:R:Ss:r:Lf:")) != -1)
		if (!take_option(&a, option, argv[0]))
			return option == 'o' ? 1 : 2;
	for (; optind < argc; optind++)
		if (!set_global(argv[optind]))
			return 2;
	if (a.is_stream && (a.to || a.out != STDOUT_FILENO)) {
		fprintf(stderr, "ERROR: --records cannot be combined with -o or --to\n");
		return 2;
	}
	a.json &= !a.is_stream; /* the other machine makes it of the records */
	message_setup(a.verbose, a.no_warnings);
	return prepare(&a) ? run(&a) : 1;
}
