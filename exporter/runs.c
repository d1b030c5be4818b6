/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "exporter/runs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exporter/fetch.h"
#include "exporter/metrics.h"
#include "exporter/text.h"
#include "exporter/values.h"
#include "uapi/msg.h"

#define SCRIPTS_MOST 256
#define NAME_MOST    100
#define LOOK_MS	     50	  /* between two looks whether a script has begun */
#define AGAIN_S	     10	  /* a script that has failed is not started again before that */
#define END_S	     20	  /* after which a stap that does not end is killed */

extern char **environ;

struct run {
	char script[NAME_MOST + 1]; /* without .stp */
	char module[40];
	pthread_mutex_t lock; /* of one scrape; `pid` and what follows are under runs.lock */
	pid_t pid;	      /* of stap; 0: it does not run */
	int64_t asked, ended; /* seconds */
	int status;	      /* of the last that has ended */
	bool is_ending;
	unsigned readers;     /* scrapes that are under way, or wait for their turn */
	uint64_t starts, scrapes, failures;
	double took; /* the last scrape, in seconds */
};

static struct {
	struct runs_options o;
	pthread_mutex_t lock;
	pthread_t keeper;
	bool is_ending;
	struct run *list[SCRIPTS_MOST];
	size_t count;
	unsigned serial;
} runs = { .lock = PTHREAD_MUTEX_INITIALIZER };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/* ---- scripts ---- */

/* True: it can be a name, and nothing but one: of no other directory, and not hidden. */
static bool is_name(const char *name)
{
	size_t n = strlen(name);

	if (!n || n > NAME_MOST || *name == '.' || *name == '-')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_-.+", *name))
			return false;
	return true;
}

static void script_path(char *ret, size_t size, const char *name)
{
	snprintf(ret, size, "%s/%s.stp", runs.o.dir, name);
}

static bool is_there(const char *name)
{
	char path[4096];
	struct stat st;

	if (!is_name(name))
		return false;
	if (!runs.o.dir)
		return !strcmp(name, runs.o.name);
	script_path(path, sizeof(path), name);
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

void runs_each(void (*fn)(void *ctx, const char *name), void *ctx)
{
	struct dirent **found;
	int n;

	if (!runs.o.dir) {
		fn(ctx, runs.o.name);
		return;
	}
	n = scandir(runs.o.dir, &found, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		char *dot = strrchr(found[i]->d_name, '.');

		if (dot && !strcmp(dot, ".stp")) {
			*dot = 0;
			if (is_there(found[i]->d_name))
				fn(ctx, found[i]->d_name);
		}
		free(found[i]);
	}
	if (n >= 0)
		free(found);
}

/* ---- starting and ending; under runs.lock ---- */

static bool is_always(const struct run *r)
{
	return strstr(r->script, "autostart");
}

/* Names the module after the script, and after nothing that ran before. */
static void name_module(struct run *r)
{
	char name[20];
	size_t i;

	for (i = 0; r->script[i] && i < sizeof(name) - 1; i++)
		name[i] = isalnum((unsigned char)r->script[i]) ? r->script[i] : '_';
	name[i] = 0;
	snprintf(r->module, sizeof(r->module), "e_%s_%d_%u", name, (int)getpid(), ++runs.serial);
}

/* In a process group of its own: a ^C of the terminal's is for us, and we end it. */
static int spawn(struct run *r, char *const *argv)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attr, &none);
	rc = posix_spawn(&r->pid, runs.o.stap, &actions, &attr, argv, environ);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	return rc;
}

static void run_start(struct run *r)
{
	char path[4096], *argv[256];
	size_t n = 0;
	int rc;

	name_module(r);
	argv[n++] = "stap";
	argv[n++] = "--globals";
	argv[n++] = "-m";
	argv[n++] = r->module;
	for (char *const *w = runs.o.words; *w && n < 250; w++)
		argv[n++] = *w;
	if (runs.o.dir) {
		script_path(path, sizeof(path), r->script);
		argv[n++] = path;
	}
	argv[n] = NULL;
	r->is_ending = false;
	r->starts++;
	rc = spawn(r, argv);
	if (!rc)
		return;
	fprintf(stderr, "stap-exporter: %s: %s\n", runs.o.stap, strerror(rc));
	r->pid = 0;
	r->ended = (int64_t)now();
	r->status = 127 << 8;
}

/* Notes that stap has ended, if it has. */
static void run_look(struct run *r)
{
	if (r->pid <= 0 || waitpid(r->pid, &r->status, WNOHANG) != r->pid)
		return;
	if (!r->is_ending)
		fprintf(stderr, "stap-exporter: %s has ended: exit status %d\n", r->script,
			WIFEXITED(r->status) ? WEXITSTATUS(r->status)
					     : 128 + WTERMSIG(r->status));
	r->pid = 0;
	r->ended = r->is_ending ? 0 : (int64_t)now();
	r->is_ending = false;
}

static void run_stop(struct run *r)
{
	if (r->pid <= 0 || r->is_ending)
		return;
	r->is_ending = true;
	kill(-r->pid, SIGINT); /* as ^C of a terminal: to staprun and stapio as well */
}

static struct run *run_of(const char *name)
{
	struct run *r;

	for (size_t i = 0; i < runs.count; i++)
		if (!strcmp(runs.list[i]->script, name))
			return runs.list[i];
	if (runs.count == SCRIPTS_MOST)
		return NULL;
	r = text_memory(sizeof(*r));
	snprintf(r->script, sizeof(r->script), "%s", name);
	pthread_mutex_init(&r->lock, NULL);
	runs.list[runs.count++] = r;
	return r;
}

/* ---- scrapes ---- */

/*
 * Has the script run. Returns its stap, or 0: it may not be started now, and *ret says why.
 */
static pid_t run_obtain(struct run *r, char module[40], struct text *ret)
{
	pid_t pid;

	pthread_mutex_lock(&runs.lock);
	run_look(r);
	r->asked = (int64_t)now();
	if (!r->pid && r->ended && r->asked < r->ended + AGAIN_S)
		text_addf(ret, "%s has ended, with exit status %d\n", r->script,
			  WIFEXITED(r->status) ? WEXITSTATUS(r->status) : 128);
	else if (!r->pid && !runs.is_ending)
		run_start(r);
	pid = r->is_ending ? 0 : r->pid;
	memcpy(module, r->module, sizeof(r->module));
	pthread_mutex_unlock(&runs.lock);
	if (!pid && !ret->len)
		text_addf(ret, "%s is ending\n", r->script);
	return pid;
}

static bool run_is(struct run *r, pid_t pid)
{
	bool ret;

	pthread_mutex_lock(&runs.lock);
	run_look(r);
	ret = r->pid == pid;
	pthread_mutex_unlock(&runs.lock);
	return ret;
}

static bool is_running(const struct values *v)
{
	return v->state == STP_RUNNING || v->state == STP_EXITING || v->state == STP_STOPPED;
}

static enum runs_result scrape(struct run *r, double end, struct text *ret)
{
	struct values v = { 0 };
	char module[40];
	pid_t pid;

	pid = run_obtain(r, module, ret);
	if (!pid)
		return RUNS_FAILED;
	while (!fetch_values(runs.o.staprun, module, pid, &v) || !is_running(&v)) {
		values_free(&v);
		if (!run_is(r, pid))
			return scrape(r, end, ret); /* which says how it has ended */
		if (now() > end) {
			text_addf(ret, "%s is being started\n", r->script);
			return RUNS_NOT_YET;
		}
		pause_ms(LOOK_MS);
	}
	metrics_write(ret, &v, r->script);
	values_free(&v);
	return RUNS_OK;
}

enum runs_result runs_scrape(const char *name, struct text *ret)
{
	enum runs_result result;
	double began = now();
	struct run *r;

	if (!is_there(name)) {
		text_adds(ret, "no such script\n");
		return RUNS_UNKNOWN;
	}
	pthread_mutex_lock(&runs.lock);
	r = run_of(name);
	if (r)
		r->readers++;
	pthread_mutex_unlock(&runs.lock);
	if (!r) {
		text_addf(ret, "more than %d scripts\n", SCRIPTS_MOST);
		return RUNS_FAILED;
	}
	/* One at a time: two would take the globals' locks twice for the same values. */
	pthread_mutex_lock(&r->lock);
	result = scrape(r, now() + runs.o.patience, ret);
	pthread_mutex_unlock(&r->lock);
	pthread_mutex_lock(&runs.lock);
	r->readers--;
	r->asked = (int64_t)now();
	r->scrapes++;
	r->failures += result != RUNS_OK;
	r->took = now() - began;
	pthread_mutex_unlock(&runs.lock);
	return result;
}

/* ---- the exporter's own ---- */

static void self_metric(struct text *ret, const char *name, const char *type, const char *help,
			double (*get)(const struct run *r))
{
	text_addf(ret, "# HELP stap_exporter_%s %s\n# TYPE stap_exporter_%s %s\n", name, help, name,
		  type);
	for (size_t i = 0; i < runs.count; i++) {
		text_addf(ret, "stap_exporter_%s{script=", name);
		metrics_quote(ret, runs.list[i]->script, strlen(runs.list[i]->script));
		text_addf(ret, "} %.9g\n", get(runs.list[i]));
	}
}

static double get_up(const struct run *r)
{
	return r->pid > 0;
}

static double get_starts(const struct run *r)
{
	return (double)r->starts;
}

static double get_scrapes(const struct run *r)
{
	return (double)r->scrapes;
}

static double get_failures(const struct run *r)
{
	return (double)r->failures;
}

static double get_took(const struct run *r)
{
	return r->took;
}

void runs_self(struct text *ret)
{
	pthread_mutex_lock(&runs.lock);
	for (size_t i = 0; i < runs.count; i++)
		run_look(runs.list[i]);
	self_metric(ret, "script_up", "gauge", "1: the script runs.", get_up);
	self_metric(ret, "starts_total", "counter", "Starts of the script.", get_starts);
	self_metric(ret, "scrapes_total", "counter", "Requests for the script.", get_scrapes);
	self_metric(ret, "scrape_failures_total", "counter", "Requests without an answer.",
		    get_failures);
	self_metric(ret, "scrape_duration_seconds", "gauge", "Duration of the last one.", get_took);
	pthread_mutex_unlock(&runs.lock);
}

/* ---- the keeper ---- */

static void start_always(void *ctx, const char *name)
{
	struct run *r = strstr(name, "autostart") ? run_of(name) : NULL;

	if (r && r->pid <= 0 && (!r->ended || (int64_t)now() >= r->ended + AGAIN_S))
		run_start(r);
}

static void keep(void)
{
	for (size_t i = 0; i < runs.count; i++) {
		struct run *r = runs.list[i];

		run_look(r);
		if (runs.o.keepalive && !is_always(r) && !r->readers &&
		    (int64_t)now() > r->asked + runs.o.keepalive)
			run_stop(r);
	}
	runs_each(start_always, NULL);
}

static void *keeper(void *unused)
{
	bool goes_on = true;

	while (goes_on) {
		pthread_mutex_lock(&runs.lock);
		goes_on = !runs.is_ending;
		if (goes_on)
			keep();
		pthread_mutex_unlock(&runs.lock);
		pause_ms(goes_on ? 500 : 0);
	}
	return NULL;
}

bool runs_begin(const struct runs_options *o)
{
	int rc;

	runs.o = *o;
	rc = pthread_create(&runs.keeper, NULL, keeper, NULL);
	if (rc)
		fprintf(stderr, "stap-exporter: no thread: %s\n", strerror(rc));
	return !rc;
}

void runs_end(void)
{
	double end = now() + END_S;
	bool some = true;

	pthread_mutex_lock(&runs.lock);
	runs.is_ending = true;
	for (size_t i = 0; i < runs.count; i++)
		run_stop(runs.list[i]);
	pthread_mutex_unlock(&runs.lock);
	pthread_join(runs.keeper, NULL);
	while (some && now() < end) {
		some = false;
		for (size_t i = 0; i < runs.count; i++) {
			run_look(runs.list[i]);
			some |= runs.list[i]->pid > 0;
		}
		if (some)
			pause_ms(20);
	}
	for (size_t i = 0; i < runs.count; i++)
		if (runs.list[i]->pid > 0)
			kill(-runs.list[i]->pid, SIGKILL);
}
