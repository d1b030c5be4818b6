/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap-exporter: serves globals of scripts as metrics, for Prometheus. */
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exporter/live.h"
#include "exporter/livesite.h"
#include "exporter/runs.h"
#include "exporter/server.h"
#include "exporter/text.h"
#include "exporter/webconfig.h"
#include "lib/selfpath.h"
#include "lib/trust.h"

#define DEFAULT_PORT "9900"
#define DEFAULT_DIR  "/etc/stap/exporter"
#define PATIENCE     8 /* seconds: Prometheus waits for ten */

struct arguments {
	struct runs_options runs;
	struct text where;
	const char *web_config;
	bool is_page; /* serve the live page of one script */
};

static void usage(FILE *f)
{
	fputs("Usage: stap-exporter [OPTION...] [-- STAP-OPTION... [SCRIPT]]\n"
	      "Serves the global variables of scripts as metrics, for Prometheus.\n\n"
	      "  -p, --port=PORT          port of 127.0.0.1 (" DEFAULT_PORT ")\n"
	      "  -l, --listen=ADDR:PORT   address and port\n"
	      "  -s, --scripts=DIR        "
	      "directory of scripts, NAME.stp is at /NAME.stp (" DEFAULT_DIR ")\n"
	      "  -n, --name=NAME          serve one script under that name: SCRIPT after --\n"
	      "  -k, --keepalive=SECONDS  "
	      "end a script that has not been requested for so long (never)\n"
	      "  -w, --web-config=FILE    "
	      "TLS and users with passwords, as for Prometheus' exporters\n"
	      "  -g, --page               serve a live page of one run of SCRIPT instead: "
	      "its output, values and books\n"
	      "  -h, --help               print this and exit\n",
	      f);
}

static bool say_wrong(const char *what, const char *value)
{
	fprintf(stderr, "stap-exporter: %s '%s'\n", what, value);
	return false;
}

static bool take_number(const char *text, unsigned *ret)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*ret = (unsigned)n;
	return *text >= '0' && *text <= '9' && !*end && n > 0 && n <= 1000000000;
}

static bool take_option(struct arguments *a, int option)
{
	switch (option) {
	case 'p':
	case 'l':
		text_free(&a->where);
		text_adds(&a->where, optarg);
		return server_can_parse(optarg) ||
		       say_wrong(option == 'p' ? "--port needs a number, not"
					       : "--listen needs ADDRESS:PORT, not",
				 optarg);
	case 's':
		a->runs.dir = optarg;
		return true;
	case 'n':
		a->runs.name = optarg;
		return true;
	case 'k':
		return take_number(optarg, &a->runs.keepalive) ||
		       say_wrong("--keepalive needs a number of seconds, not", optarg);
	case 'w':
		a->web_config = optarg;
		return true;
	case 'g':
		a->is_page = true;
		return true;
	default:
		usage(stderr);
		return false;
	}
}

static bool take_arguments(struct arguments *a, int argc, char **argv)
{
	static const struct option options[] = {
		{ "port", 1, NULL, 'p' },      { "listen", 1, NULL, 'l' },
		{ "scripts", 1, NULL, 's' },   { "name", 1, NULL, 'n' },
		{ "keepalive", 1, NULL, 'k' }, { "web-config", 1, NULL, 'w' },
		{ "page", 0, NULL, 'g' },      { "help", 0, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option;

	while ((option = getopt_long(argc, argv, "+p:l:s:n:k:w:gh", options, NULL)) != -1) {
		if (option == 'h') {
			usage(stdout);
			exit(0);
		}
		if (!take_option(a, option))
			return false;
	}
	a->runs.words = argv + optind;
	if (a->runs.name)
		a->runs.dir = NULL;
	return true;
}

/* Finds stap and staprun next to this program. */
static void find_programs(struct runs_options *o)
{
	char dir[PATH_MAX];
	struct text stap = { 0 }, staprun = { 0 };

	if (!selfpath_dir(dir))
		strcpy(dir, "/usr/bin/");
	text_addf(&stap, "%sstap", dir);
	text_addf(&staprun, "%sstaprun", dir);
	o->stap = stap.s;
	o->staprun = staprun.s;
}

static bool has_scripts(const struct runs_options *o)
{
	char real[PATH_MAX];
	enum trust_fault fault;
	struct stat st;

	if (!o->dir)
		return true;
	if (stat(o->dir, &st) || !S_ISDIR(st.st_mode)) {
		fprintf(stderr,
			"stap-exporter: no directory %s: put the scripts to serve there, "
			"as NAME.stp; --scripts DIR names another\n",
			o->dir);
		return false;
	}
	fault = trust_check_path(o->dir, trust_user(), real);
	if (fault)
		fprintf(stderr,
			"stap-exporter: %s %s, who could change the scripts; %s fixes that\n", real,
			trust_reason(fault), trust_remedy(fault));
	return !fault;
}

struct serving {
	struct MHD_Daemon *server;
	struct webconfig *config;
	uint64_t refused; /* stamp of files that were not a valid configuration */
};

/* Applies changes of web.config and its files, for example renewed certificates. */
static void renew(struct serving *s)
{
	struct webconfig *config;
	struct MHD_Daemon *server = NULL;
	uint64_t stamp = webconfig_stamp(s->config);

	if (stamp == s->config->stamp || stamp == s->refused)
		return;
	config = text_memory(sizeof(*config));
	if (webconfig_read(s->config->files[0], config))
		server = server_renew(s->server, config);
	if (server) {
		struct webconfig *old = s->config;

		*s = (struct serving){ .server = server, .config = config };
		config = old;
	} else {
		s->refused = stamp;
		fprintf(stderr, "stap-exporter: it is served as before\n");
	}
	webconfig_free(config);
	free(config);
}

/* Waits for the end, and watches web.config. */
static void wait_for_end(struct serving *s, const sigset_t *ends)
{
	const struct timespec second = { .tv_sec = 1 };

	while (sigtimedwait(ends, NULL, &second) < 0)
		if (s->config->files[0])
			renew(s);
}

/* Time between two looks at whether the run has ended. */
static const struct timespec pause_of_run = { .tv_nsec = 200000000 };

/*
 * Waits for a signal, or for the end of a run that nobody has looked at. Somebody who has
 * looked wants to see the end of the run.
 */
static void wait_for_run(struct serving *s, const sigset_t *ends)
{
	int status;

	while (sigtimedwait(ends, NULL, &pause_of_run) < 0) {
		if (s->config->files[0])
			renew(s);
		if (live_has_ended(&status) && !live_was_read())
			return;
	}
}

/* Ends the run. Each further signal is passed on: at the second, stap waits no longer. */
static void end_run(const sigset_t *ends)
{
	int status;

	live_interrupt();
	while (!live_has_ended(&status))
		if (sigtimedwait(ends, NULL, &pause_of_run) >= 0)
			live_interrupt();
}

static int serve_page(const struct arguments *a, struct serving *s, const sigset_t *ends)
{
	const struct live_options o = { .name = a->runs.name ? a->runs.name : "script",
					.words = a->runs.words,
					.stap = a->runs.stap,
					.staprun = a->runs.staprun };
	int status = 1;

	if (!livesite_begin())
		return 1;
	s->server = server_begin(a->where.s, s->config, &livesite);
	if (!s->server)
		return 1;
	if (live_begin(&o)) {
		wait_for_run(s, ends);
		end_run(ends);
		status = live_end();
	}
	server_end(s->server);
	live_free();
	return status;
}

static int serve_metrics(const struct arguments *a, struct serving *s, const sigset_t *ends)
{
	s->server = server_begin(a->where.s, s->config, &metricsite);
	if (!s->server)
		return 1;
	if (!runs_begin(&a->runs)) {
		server_end(s->server);
		return 1;
	}
	wait_for_end(s, ends);
	server_end(s->server);
	runs_end();
	return 0;
}

int main(int argc, char **argv)
{
	struct arguments a = { .runs = { .dir = DEFAULT_DIR, .patience = PATIENCE } };
	struct serving s = { .config = text_memory(sizeof(*s.config)) };
	sigset_t ends;

	if (!take_arguments(&a, argc, argv))
		return 2;
	if (!a.where.len)
		text_adds(&a.where, a.is_page ? "0" : DEFAULT_PORT);
	if ((!a.is_page && !has_scripts(&a.runs)) ||
	    (a.web_config && !webconfig_read(a.web_config, s.config)))
		return 1;
	find_programs(&a.runs);
	sigemptyset(&ends);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &ends, NULL);
	signal(SIGPIPE, SIG_IGN);
	return a.is_page ? serve_page(&a, &s, &ends) : serve_metrics(&a, &s, &ends);
}
