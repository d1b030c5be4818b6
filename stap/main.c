/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap: a script becomes a kernel module and runs. */
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <unistd.h>

#include "arch/arch.h"
#include "ast/program.h"
#include "base/color.h"
#include "base/diag.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/selfpath.h"
#include "lib/streams.h"
#include "stap/dialogue/dialogue.h"
#include "stap/doc/explain.h"
#include "stap/doc/readyscripts.h"
#include "stap/pass.h"
#include "stap/remote/remote.h"
#include "stap/run/bpfinstead.h"
#include "stap/run/cleaner.h"
#include "stap/service/service.h"
#include "stap/watch/monitor.h"

/*
 * The guard, where signal handlers can find it; everything else belongs to the session.
 */
static struct guard guard;

static void on_signal(int sig)
{
	cleaner_end(&guard);
	signal(sig, SIG_DFL);
	raise(sig);
}

static const int ending_signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/*
 * Installs handlers. Signals that nohup ignores stay ignored. Shells ignore SIGINT and
 * SIGQUIT for background jobs; these end such a job nevertheless. A file that becomes too
 * large for `ulimit -f` is an error like a full disk.
 */
static void take_signals(void)
{
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++)
		if (signal(ending_signals[i], on_signal) == SIG_IGN && ending_signals[i] == SIGHUP)
			signal(SIGHUP, SIG_IGN);
}

/*
 * Makes the temporary directory. A signal that comes before there is a guard stays
 * pending.
 */
static struct error *make_tmp_dir(struct session *s)
{
	struct error *err;
	sigset_t set, old;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++)
		sigaddset(&set, ending_signals[i]);
	sigprocmask(SIG_BLOCK, &set, &old);
	err = cleaner_start(s, &guard);
	if (!err) {
		s->guard = &guard;
		take_signals();
	}
	sigprocmask(SIG_SETMASK, &old, NULL);
	return err;
}

/*
 * Finds the directories. In the source tree (build/bin/stap, or below) the tree itself
 * holds tapset/ and runtime/; installed, PREFIX/share/stap does.
 */
static void find_dirs(struct session *s)
{
	char exe[PATH_MAX];
	char *slash;

	if (!selfpath_dir(exe))
		strcpy(exe, "/usr/local/bin/");
	*strrchr(exe, '/') = 0;
	s->bin_dir = arena_strdup(s->arena, exe);
	s->data_dir = arena_printf(s->arena, "%s/../share/stap", exe);
	while ((slash = strrchr(exe, '/')) != NULL) {
		*slash = 0;
		if (path_exists(arena_printf(s->arena, "%s/runtime/api.h", exe))) {
			s->data_dir = arena_strdup(s->arena, exe);
			break;
		}
	}
}

static const struct colors *find_colors(struct arena *a, const struct options *o)
{
	return colors_wanted(o, STDERR_FILENO) ? colors_parse(a, getenv("SYSTEMTAP_COLORS")) : NULL;
}

static struct error *choose_arch(struct session *s, const struct options *o)
{
	const char *name = o->architecture;

	if (!name)
		return NULL;
	s->arch = arch_named(name);
	if (!s->arch)
		return error_create(s->arena, ERROR_USAGE,
				    "-a: scripts are translated for %s, not '%s'",
				    arch_names(s->arena), name);
	if (o->runtime != RUNTIME_KERNEL && arch_is_foreign(s))
		return error_create(s->arena, ERROR_USAGE,
				    "-a %s: programs of %s are made for this machine", name,
				    options_runtime(o->runtime));
	return NULL;
}

/* Lets the tables of ready scripts whose names end in -top be refreshed in place. */
static void refresh_tables(struct session *s, struct options *o)
{
	size_t len = o->example ? strlen(o->example) : 0;

	if (len > 4 && !strcmp(o->example + len - 4, "-top") && !options_passed(o, "--top"))
		vec_push(s->arena, &o->run_args, "--top");
}

/* Gives a flame graph the script's name as its title, in place of the module's name. */
static void title_picture(struct session *s, struct options *o)
{
	const char *file = o->script_file;

	if (!o->to || strncmp(o->to, "flame:", strlen("flame:")) || strstr(o->to, ",title=") ||
	    o->module_name)
		return;
	if (!file || !strcmp(file, "-"))
		file = "a script on the command line";
	o->to = arena_printf(s->arena, "%s,title=%s", o->to, basename(file));
}

/* `stap service` has a separate command line. */
static int serve(struct session *s, int argc, char **argv)
{
	int status = 0;
	struct error *err;

	find_dirs(s);
	err = service_main(s, argc, argv, &status);
	return err ? diag_fatal(s, err) : status;
}

static struct error *run_script(struct session *s, int *status)
{
	return s->options->remotes.count ? remote_run(s, status) : passes_run(s, status);
}

static const struct action {
	struct error *(*function)(struct session *s, int *status);
	enum { NO_ROOM, ROOM } room; /* ROOM: needs the temporary directory */
} actions[] = {
	[COMMAND_NONE] = { run_script, ROOM },
#define COMMAND(id, letter, name, arg, words, room, function, refusal, help)                       \
	[COMMAND_##id] = { function, room },
#include "base/commands.def"
#undef COMMAND
};

/* Determines the objects of the options. Nothing needs to be cleaned up at that point. */
static struct error *prepare(struct session *s, struct options *o)
{
	bool has_script = optioncommand_words(o->wanted) == COMMAND_SCRIPT;
	struct error *err = choose_arch(s, o);

	if (!err)
		err = options_check(s, o);
	if (!err && o->example && has_script)
		err = readyscripts_find(s, o->example, &o->script_file);
	refresh_tables(s, o);
	title_picture(s, o);
	if (!err && o->monitor && o->wanted == COMMAND_NONE)
		err = monitor_check(s);
	return err;
}

/* Does the work that needs a temporary directory. */
static struct error *work(struct session *s, const struct action *action, int *status)
{
	struct error *err = make_tmp_dir(s);

	if (err)
		return err;
	STAP_PROBE1(stap, pass0__end, s);
	err = action->function(s, status);
	if (err) {
		explain_reported(s);
		*status = diag_fatal(s, err);
	}
	STAP_PROBE1(stap, pass6, s);
	if (s->options->keep_tmp)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", s->tmp_dir);
	cleaner_end(&guard);
	STAP_PROBE1(stap, pass6__end, s);
	return NULL;
}

/* Performs the options of the command line, or of a dialogue's command. */
static int perform(struct session *s, struct options *o)
{
	const struct action *action = &actions[o->wanted];
	int status = 0;
	struct error *err;

	s->options = o;
	s->colors = find_colors(s->arena, o);
	err = prepare(s, o);
	if (!err)
		err = action->room == ROOM ? work(s, action, &status)
					   : action->function(s, &status);
	return err ? diag_fatal(s, err) : status;
}

/* Statuses of a run without a module: it cannot be built, or the kernel refuses it. */
enum { STATUS_ENVIRONMENT = 3, STATUS_REFUSED = 4 };

/*
 * The function of a row in commands.def. The dialogue performs commands as a command line
 * does.
 */
struct error *main_dialogue(struct session *s, int *status)
{
	return dialogue_talk(s, perform, status);
}

static int run(struct session *s, int argc, char **argv)
{
	struct options options;
	bool exit_now = false;
	struct error *err;
	int status;

	if (service_is_asked(argc, argv))
		return serve(s, argc, argv);
	err = options_parse(s, argc, argv, &options, &exit_now);
	if (!err)
		err = choose_arch(s, &options);
	if (err)
		return diag_fatal(s, err);
	if (exit_now)
		return 0;
	s->options = &options;
	STAP_PROBE1(stap, pass0, s);
	find_dirs(s);
	status = perform(s, &options);
	if (status == STATUS_ENVIRONMENT || status == STATUS_REFUSED)
		bpfinstead_say(s, argc, argv);
	return status;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct session s = { .arena = arena, .program = program_create(arena) };
	int status = streams_open() ? run(&s, argc, argv) : 1, error = streams_flush(stdout);

	if (error)
		fprintf(stderr, "stap: writing to standard output: %s\n", strerror(error));
	/* Do not repeat messages that could not be written. */
	if (error || streams_flush(stderr))
		status = status ? status : 1;
	arena_destroy(arena);
	return status;
}
