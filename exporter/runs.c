/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "exporter/runs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
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
#include "exporter/stapprocess.h"
#include "exporter/text.h"
#include "exporter/values.h"
#include "lib/trust.h"
#include "uapi/msg.h"

#define SCRIPTS_MOST 256
#define NAME_MOST    100
#define LOOK_MS	     50	 /* between two checks whether a script has begun */
#define AGAIN_S	     10	 /* pause before a failed script is started again */
#define END_S	     20	 /* after this time a stap that does not end is killed */
#define KEEP_MS	     500 /* between two checks of all scripts */
#define READERS_MOST 8	 /* requests that may wait for one script */

struct run {
	char script[NAME_MOST + 1]; /* without .stp */
	char module[40];
	pthread_mutex_t lock; /* held for one scrape; runs.lock protects `pid` and the rest */
	pid_t pid;	      /* of stap; 0: it does not run */
	int64_t asked, ended; /* seconds */
	int status;	      /* of the last stap that has ended */
	bool is_ending;
	bool is_wanted;	  /* the keeper must start it */
	bool was_refused; /* the refusal was reported */
	unsigned readers; /* scrapes that are running or waiting for their turn */
	uint64_t starts, scrapes, failures;
	double took; /* duration of the last scrape, in seconds */
};

static struct {
	struct runs_options o;
	pthread_mutex_t lock;
	pthread_cond_t wanted, started;
	pthread_t keeper;
	bool is_ending; /* nothing is started any more */
	bool is_over;	/* all have ended */
	struct run *list[SCRIPTS_MOST];
	size_t count;
	unsigned serial;
} runs = {
	.lock = PTHREAD_MUTEX_INITIALIZER,
	.wanted = PTHREAD_COND_INITIALIZER,
	.started = PTHREAD_COND_INITIALIZER,
};

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

/* True: it is a plain file name, without a directory, and not hidden. */
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
	char path[PATH_MAX];
	struct stat st;

	if (!is_name(name))
		return false;
	if (!runs.o.dir)
		return !strcmp(name, runs.o.name);
	script_path(path, sizeof(path), name);
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/*
 * True: only the user and root can have written the script, or put it there; `real` is
 * its path. False: `real` is the path at fault, `reason` a line about it.
 */
static bool is_trusted(const char *name, char real[PATH_MAX], struct text *reason)
{
	char path[PATH_MAX];
	enum trust_fault fault;

	fault = trust_check_path(runs.o.dir, trust_user(), real);
	if (!fault) {
		script_path(path, sizeof(path), name);
		fault = trust_check_path(path, trust_user(), real);
	}
	if (fault)
		text_addf(reason, "%s %s, who could change the script; %s fixes that\n", real,
			  trust_reason(fault), trust_remedy(fault));
	return !fault;
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

/* Names the module after the script, with a name that no earlier run had. */
static void name_module(struct run *r)
{
	char name[20];
	size_t i;

	for (i = 0; r->script[i] && i < sizeof(name) - 1; i++)
		name[i] = isalnum((unsigned char)r->script[i]) ? r->script[i] : '_';
	name[i] = 0;
	snprintf(r->module, sizeof(r->module), "e_%s_%d_%u", name, (int)getpid(), ++runs.serial);
}

/* Reports once that the script is not started. */
static void run_refuse(struct run *r, struct text *reason)
{
	if (!r->was_refused)
		fprintf(stderr, "stap-exporter: %s", reason->s);
	r->was_refused = true;
	r->pid = 0;
	text_free(reason);
}

/*
 * Starts stap. Only the keeper does this: the signal at the parent's death is sent when
 * the thread ends that created the child.
 */
static void run_start(struct run *r)
{
	char path[PATH_MAX], *argv[256];
	struct text reason = { 0 };
	size_t n = 0;

	name_module(r);
	argv[n++] = "stap";
	argv[n++] = "--globals";
	argv[n++] = "-m";
	argv[n++] = r->module;
	for (char *const *w = runs.o.words; *w && n < 250; w++)
		argv[n++] = *w;
	if (runs.o.dir) {
		if (!is_trusted(r->script, path, &reason)) {
			run_refuse(r, &reason);
			return;
		}
		argv[n++] = path;
	}
	argv[n] = NULL;
	r->is_ending = r->was_refused = false;
	r->starts++;
	r->pid = stapprocess_start(runs.o.stap, argv, -1, NULL);
	if (r->pid > 0)
		return;
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
			WIFEXITED(r->status) ? WEXITSTATUS(r->status) : 128 + WTERMSIG(r->status));
	r->pid = 0;
	r->ended = r->is_ending ? 0 : (int64_t)now();
	r->is_ending = false;
}

static void run_stop(struct run *r)
{
	if (r->pid <= 0 || r->is_ending)
		return;
	r->is_ending = true;
	kill(-r->pid, SIGINT); /* like ^C of a terminal: also to staprun and stapio */
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

/* Lets the keeper start the script, and waits until it has. */
static void run_want(struct run *r)
{
	r->is_wanted = true;
	pthread_cond_signal(&runs.wanted);
	while (r->is_wanted && !runs.is_ending)
		pthread_cond_wait(&runs.started, &runs.lock);
}

/*
 * Makes sure that the script runs. Returns its stap, or 0 if it may not be started now;
 * *ret is the reason.
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
		run_want(r);
	if (r->was_refused)
		text_addf(ret, "%s is refused: the messages of stap-exporter name the reason\n",
			  r->script);
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
			return scrape(r, end, ret); /* which reports how it ended */
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

/*
 * Scrapes when it is this request's turn: two concurrent scrapes would take the globals'
 * locks twice for the same values.
 */
static enum runs_result take_turn(struct run *r, double end, struct text *ret)
{
	struct timespec until = { (time_t)end, (long)((end - (double)(time_t)end) * 1e9) };
	enum runs_result result;

	if (pthread_mutex_clocklock(&r->lock, CLOCK_MONOTONIC, &until)) {
		text_addf(ret, "%s is being started\n", r->script);
		return RUNS_NOT_YET;
	}
	result = scrape(r, end, ret);
	pthread_mutex_unlock(&r->lock);
	return result;
}

/* Finds the script's run for one more request. NULL: *ret is the reason. */
static struct run *run_enter(const char *name, struct text *ret)
{
	struct run *r;

	pthread_mutex_lock(&runs.lock);
	r = run_of(name);
	if (!r)
		text_addf(ret, "more than %d scripts\n", SCRIPTS_MOST);
	else if (r->readers >= READERS_MOST)
		text_addf(ret, "%d requests wait for %s already\n", READERS_MOST, name);
	else
		r->readers++;
	pthread_mutex_unlock(&runs.lock);
	return ret->len ? NULL : r;
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
	r = run_enter(name, ret);
	if (!r)
		return RUNS_FAILED;
	result = take_turn(r, began + runs.o.patience, ret);
	pthread_mutex_lock(&runs.lock);
	r->readers--;
	r->asked = (int64_t)now();
	r->scrapes++;
	r->failures += result != RUNS_OK;
	r->took = now() - began;
	pthread_mutex_unlock(&runs.lock);
	return result;
}

/* ---- metrics of the exporter itself ---- */

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

static void start_wanted(void)
{
	for (size_t i = 0; i < runs.count; i++) {
		if (runs.list[i]->is_wanted && runs.list[i]->pid <= 0)
			run_start(runs.list[i]);
		runs.list[i]->is_wanted = false;
	}
	pthread_cond_broadcast(&runs.started);
}

/* Waits until a script is requested, or for a short time. */
static void wait_for_wishes(void)
{
	struct timespec until;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += KEEP_MS * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_clockwait(&runs.wanted, &runs.lock, CLOCK_MONOTONIC, &until);
}

/*
 * Continues until all scripts have ended: they would take its end for the end of the
 * exporter.
 */
static void *keeper(void *unused)
{
	pthread_mutex_lock(&runs.lock);
	while (!runs.is_over) {
		if (!runs.is_ending) {
			start_wanted();
			keep();
		}
		wait_for_wishes();
	}
	pthread_mutex_unlock(&runs.lock);
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

static bool have_ended(void)
{
	bool ret = true;

	pthread_mutex_lock(&runs.lock);
	for (size_t i = 0; i < runs.count; i++) {
		run_look(runs.list[i]);
		ret &= runs.list[i]->pid <= 0;
	}
	pthread_mutex_unlock(&runs.lock);
	return ret;
}

void runs_end(void)
{
	double end = now() + END_S;

	pthread_mutex_lock(&runs.lock);
	runs.is_ending = true;
	for (size_t i = 0; i < runs.count; i++)
		run_stop(runs.list[i]);
	pthread_cond_broadcast(&runs.started);
	pthread_mutex_unlock(&runs.lock);
	while (!have_ended() && now() < end)
		pause_ms(20);
	pthread_mutex_lock(&runs.lock);
	for (size_t i = 0; i < runs.count; i++)
		if (runs.list[i]->pid > 0)
			kill(-runs.list[i]->pid, SIGKILL);
	runs.is_over = true;
	pthread_cond_signal(&runs.wanted);
	pthread_mutex_unlock(&runs.lock);
	pthread_join(runs.keeper, NULL);
}
