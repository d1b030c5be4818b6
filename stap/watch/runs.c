/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See runs.h. */
#include "stap/watch/runs.h"

#include <dirent.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/subprocess.h"
#include "stap/watch/runtext.h"
#include "stap/watch/sockets.h"

#define MODULE_DIRS   "/proc/"
#define BETWEEN_LOOKS 250000000 /* nanoseconds */

/* ---- modules ---- */

/* True: the name matches the pattern. */
static bool is_meant(const char *pattern, const char *name)
{
	struct glob g = glob_make(pattern);

	return glob_match(&g, name);
}

/* Counts the modules that have directories, which everybody can see. */
static unsigned count_modules(const char *pattern)
{
	_cleanup_closedir_ DIR *d = opendir(MODULE_DIRS);
	const size_t len = strlen(STP_PROC_PREFIX);
	struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d)))
		n += !strncmp(e->d_name, STP_PROC_PREFIX, len) &&
		     (!pattern || is_meant(pattern, e->d_name + len));
	return n;
}

static bool is_wanted(struct session *s, const char *pattern, const struct run *r)
{
	return !pattern || is_meant(pattern, r->name) ||
	       (r->pid && !strcmp(pattern, arena_printf(s->arena, "%d", (int)r->pid)));
}

/* Reads staprun's output: "run BYTES\n", that many bytes of lines, and so on. */
static const char *read_modules(struct session *s, const char *text, const char *pattern,
				struct runs *ret)
{
	size_t left = strlen(text), len;
	const char *eol;

	while (!strncmp(text, "run ", 4) && (eol = strchr(text, '\n')) != NULL) {
		struct run r = { .looked = clock_now() };

		len = strtoul(text + 4, NULL, 10);
		left -= (size_t)(eol + 1 - text);
		if (len > left)
			break;
		runtext_read(s, &r, eol + 1, len);
		text = eol + 1 + len;
		left -= len;
		if (r.name && is_wanted(s, pattern, &r))
			vec_push(s->arena, &ret->list, r);
	}
	return text;
}

/*
 * Asks staprun, which may read the files. With `values`, only about the module `pattern`.
 */
static struct error *modules_find(struct session *s, const char *pattern, bool values,
				  struct runs *ret)
{
	unsigned there = count_modules(pattern), all = there;
	const char *argv[] = { arena_printf(s->arena, "%s/staprun", s->bin_dir),
			       values ? "--globals" : "--status", values ? pattern : "*", NULL };
	struct process_result result;
	struct error *err;
	const char *rest;

	if (pattern)
		all = count_modules(NULL);
	if (!all)
		return NULL;
	if (access(argv[0], X_OK)) {
		ret->hidden = there;
		ret->refusal = "only root and members of the group stapusr may run staprun";
		return NULL;
	}
	err = subprocess_run(s->arena, NULL, (char *const *)argv, true, &result);
	if (err)
		return err;
	rest = read_modules(s, result.output, pattern, ret);
	if (*rest)
		ret->refusal = runtext_printable(s, rest, strcspn(rest, "\n"));
	ret->hidden = there > ret->list.count ? there - (unsigned)ret->list.count : 0;
	return NULL;
}

/* ---- all runs ---- */

static int compare(const void *a, const void *b)
{
	const struct run *x = a, *y = b;
	int ret = strcmp(x->name, y->name);

	return ret ? ret : x->pid - y->pid;
}

static void finish(struct session *s, struct runs *ret)
{
	vec_sort(&ret->list, compare);
	vec_each(&ret->list, i) {
		struct run *r = &ret->list.data[i];

		r->shown = runtext_printable(s, r->name, strlen(r->name));
		if (!r->script)
			r->script = "";
	}
}

struct error *runs_find(struct session *s, const char *pattern, struct runs *ret)
{
	struct error *err;

	*ret = (struct runs){ 0 };
	err = modules_find(s, pattern, false, ret);
	if (!err)
		err = sockets_find(s, pattern, "status", ret);
	finish(s, ret);
	return err;
}

struct error *runs_find_values(struct session *s, const char *pattern, struct runs *ret)
{
	struct error *err;

	*ret = (struct runs){ 0 };
	err = s->options->runtime != RUNTIME_KERNEL ? sockets_find(s, pattern, "globals", ret)
						    : modules_find(s, pattern, true, ret);
	finish(s, ret);
	return err;
}

static bool is_same(const struct run *a, const struct run *b)
{
	return !strcmp(a->name, b->name) && a->started == b->started &&
	       (a->address ? b->address && a->pid == b->pid : !b->address);
}

static void compare_probes(struct run *r, const struct run *old)
{
	for (size_t i = 0; i < r->probes.count && i < old->probes.count; i++)
		r->probes.data[i].before = old->probes.data[i].sums;
	r->before = old->sums;
	r->looked_before = old->looked;
}

void runs_compare(struct runs *now, const struct runs *before)
{
	vec_each(&now->list, i)
		vec_each(&before->list, k) {
			struct run *r = &now->list.data[i];
			const struct run *old = &before->list.data[k];

			if (is_same(r, old) && r->answers && old->answers)
				compare_probes(r, old);
		}
}

struct error *runs_find_rates(struct session *s, const char *pattern, struct runs *ret)
{
	struct runs before;
	struct error *err = runs_find(s, pattern, &before);

	if (err)
		return err;
	if (!before.list.count) {
		*ret = before;
		return NULL;
	}
	nanosleep(&(struct timespec){ .tv_nsec = BETWEEN_LOOKS }, NULL);
	err = runs_find(s, pattern, ret);
	runs_compare(ret, &before);
	return err;
}

double runs_rate(const struct run *r, uint64_t now, uint64_t before)
{
	uint64_t ns = r->looked - r->looked_before;

	return ns && now > before ? (double)(now - before) * 1e9 / (double)ns : 0;
}

uint64_t runs_time(const struct run_sums *now, const struct run_sums *before)
{
	uint64_t ran = now->delivered + now->dropped;
	uint64_t ran_before = before->delivered + before->dropped;

	if (ran > ran_before && now->ns > before->ns)
		return (now->ns - before->ns) / (ran - ran_before);
	return ran ? now->ns / ran : 0;
}

const char *runs_state(const struct run *r)
{
	static const char *const words[STP_STATES] = {
		[STP_LOADED] = "loaded",  [STP_STARTING] = "starting", [STP_RUNNING] = "running",
		[STP_EXITING] = "ending", [STP_STOPPED] = "stopped",
	};

	if (!r->answers)
		return "silent";
	if (r->state == STP_RUNNING && !r->address && !r->pid)
		return "detached";
	return r->state < STP_STATES ? words[r->state] : "unknown";
}

const char *runs_user(struct session *s, uid_t uid)
{
	const struct passwd *p = getpwuid(uid);

	return p ? runtext_printable(s, p->pw_name, strlen(p->pw_name))
		 : arena_printf(s->arena, "%u", (unsigned)uid);
}
