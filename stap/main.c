/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap: a script becomes a kernel module and runs. */
#define _GNU_SOURCE
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sdt.h>
#include <unistd.h>

#include "arch/arch.h"
#include "ast/program.h"
#include "lib/arena.h"
#include "base/color.h"
#include "base/diag.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/selfpath.h"
#include "base/session.h"
#include "build/cache.h"
#include "build/makekey.h"
#include "stap/dialogue/dialogue.h"
#include "stap/doc/doc.h"
#include "stap/doc/explain.h"
#include "stap/doc/readyscripts.h"
#include "stap/doctor/doctor.h"
#include "stap/run/cleaner.h"
#include "stap/run/exporter.h"
#include "stap/lsp/lsp.h"
#include "base/options.h"
#include "pass.h"
#include "stap/remote/remote.h"
#include "stap/service/service.h"
#include "sem/listing.h"
#include "sem/tapset.h"
#include "lib/streams.h"
#include "stap/watch/monitor.h"
#include "stap/watch/watch.h"

/* The guard, for signal handlers to find; everything else hangs on the session. */
static struct guard guard;

static void on_signal(int sig)
{
	cleaner_end(&guard);
	signal(sig, SIG_DFL);
	raise(sig);
}

static const int ending_signals[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };

/*
 * Installs handlers. What nohup has set aside stays so; SIGINT and SIGQUIT, which shells
 * set aside for a job in the background, end that job all the same when somebody sends
 * them. A file that becomes too large for `ulimit -f` is an error like a full disk.
 */
static void take_signals(void)
{
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(ending_signals) / sizeof(ending_signals[0]); i++)
		if (signal(ending_signals[i], on_signal) == SIG_IGN && ending_signals[i] == SIGHUP)
			signal(SIGHUP, SIG_IGN);
}

/* Makes the temporary directory. A signal that comes before there is a guard waits. */
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
	if (o->runtime == RUNTIME_USER && arch_is_foreign(s))
		return error_create(s->arena, ERROR_USAGE,
				    "-a %s: programs of --runtime=user are made for this machine",
				    name);
	return NULL;
}

static int dump(struct session *s)
{
	tapset_open(s);
	dump_program(s);
	return 0;
}

static int document(struct session *s)
{
	tapset_open(s);
	return doc_show(s, s->options->doc) ? 0 : 1;
}

/* Has the tables of the ready scripts whose names end in -top refreshed in place. */
static void refresh_tables(struct session *s, struct options *o)
{
	size_t len = o->example ? strlen(o->example) : 0;

	if (len > 4 && !strcmp(o->example + len - 4, "-top") && !options_passed(o, "--top"))
		vec_push(s->arena, &o->run_args, "--top");
}

/* `stap service`: a command line of its own. */
static int serve(struct session *s, int argc, char **argv)
{
	int status = 0;
	struct error *err;

	find_dirs(s);
	err = service_main(s, argc, argv, &status);
	return err ? diag_fatal(s, err) : status;
}

/* Does what needs a temporary directory, which is there. */
static struct error *work(struct session *s, struct options *o, int *status)
{
	struct error *err = NULL;

	if (o->status)
		err = watch_status(s, status);
	else if (o->stop)
		err = watch_stop(s, status);
	else if (o->interactive)
		*status = dialogue_run(s);
	else if (o->language_server)
		*status = lsp_serve(s);
	else if (o->doctor_thing)
		err = doctor_tell(s, o->doctor_thing);
	else if (o->doctor)
		*status = doctor_run(s);
	else if (o->clean_cache)
		err = build_cache_clean(s);
	else if (o->make_key)
		err = makekey_run(s, o->key_dir);
	else
		err = o->remotes.count ? remote_run(s, status) : passes_run(s, status);
	return err;
}

/* Chooses what the options are about; then nothing needs to be cleaned up yet. */
static struct error *prepare(struct session *s, struct options *o)
{
	struct error *err = choose_arch(s, o);

	if (!err)
		err = options_check(s, o);
	if (!err && o->example)
		err = readyscripts_find(s, o->example, &o->script_file);
	refresh_tables(s, o);
	if (!err && o->monitor && !o->interactive && !o->format)
		err = monitor_check(s);
	return err;
}

/* Does what the options ask for: of the command line, or of a dialogue's command. */
static int perform(struct session *s, struct options *o)
{
	int status = 0;
	struct error *err;

	s->options = o;
	s->colors = find_colors(s->arena, o);
	if (o->dump)
		return dump(s);
	if (o->doc)
		return document(s);
	if (o->examples)
		return readyscripts_list(s, o->script_file) ? 0 : 1;
	if (o->explain)
		return explain_show(s) ? 0 : 1;
	err = prepare(s, o);
	if (!err && o->format) {
		err = passes_format(s);
		return err ? diag_fatal(s, err) : 0;
	}
	if (!err)
		err = make_tmp_dir(s);
	if (err)
		return diag_fatal(s, err);
	STAP_PROBE1(stap, pass0__end, s);
	err = work(s, o, &status);
	if (err) {
		explain_reported(s);
		status = diag_fatal(s, err);
	}
	STAP_PROBE1(stap, pass6, s);
	if (o->keep_tmp)
		fprintf(stderr, "Keeping temporary directory \"%s\"\n", s->tmp_dir);
	cleaner_end(&guard);
	STAP_PROBE1(stap, pass6__end, s);
	return status;
}

static int run(struct session *s, int argc, char **argv)
{
	struct options options;
	bool exit_now = false;
	struct error *err;

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
	if (options.exporter) {
		s->colors = find_colors(s->arena, &options);
		return diag_fatal(s, exporter_become(s, argc, argv));
	}
	return perform(s, &options);
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_create();
	struct session s = { .arena = arena,
			     .program = program_create(arena),
			     .list_points = doc_list_points,
			     .monitor = monitor_show,
			     .perform = perform };
	int status = streams_open() ? run(&s, argc, argv) : 1, error = streams_flush(stdout);

	if (error)
		fprintf(stderr, "stap: writing to standard output: %s\n", strerror(error));
	/* Messages that could not be written are not repeated. */
	if (error || streams_flush(stderr))
		status = status ? status : 1;
	arena_destroy(arena);
	return status;
}
