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
#include "lib/error.h"
#include "lib/glob.h"
#include "lib/printable.h"
#include "lib/subprocess.h"
#include "stap/watch/sockets.h"
#include "stap/watch/values.h"

#define MODULE_DIRS   "/proc/"
#define BETWEEN_LOOKS 250000000 /* nanoseconds */
#define MOST_PROBES   (1u << 20)

uint64_t runs_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

bool runs_is_meant(const char *pattern, const char *name)
{
	struct glob g = glob_make(pattern);

	return glob_match(&g, name);
}

/* ---- lines of a run ---- */

/* Returns the text, with nothing in it that a terminal would act on. */
static const char *calm(struct session *s, const char *text, size_t len)
{
	return printable_line(arena_strndup(s->arena, text, len));
}

/* Takes the number in front of the next tab; *at moves behind that. */
static uint64_t take_number(const char **at, const char *end)
{
	const char *tab = memchr(*at, '\t', (size_t)(end - *at));
	uint64_t n = strtoull(*at, NULL, 10);

	*at = tab ? tab + 1 : end;
	return n;
}

static const char *take_word(struct session *s, const char **at, const char *end)
{
	const char *tab = memchr(*at, '\t', (size_t)(end - *at));
	const char *ret = calm(s, *at, (size_t)((tab ? tab : end) - *at));

	*at = tab ? tab + 1 : end;
	return ret;
}

static void read_script(struct session *s, struct run *r, const char *at, const char *end)
{
	r->script = calm(s, at, (size_t)(end - at));
}

static void read_owner(struct session *s, struct run *r, const char *at, const char *end)
{
	r->owner = (uid_t)take_number(&at, end);
}

static void read_pid(struct session *s, struct run *r, const char *at, const char *end)
{
	r->pid = (pid_t)take_number(&at, end);
}

static void read_name(struct session *s, struct run *r, const char *at, const char *end)
{
	r->name = arena_strndup(s->arena, at, (size_t)(end - at));
}

static void read_kept(struct session *s, struct run *r, const char *at, const char *end)
{
	r->is_kept = take_number(&at, end);
}

static void read_state(struct session *s, struct run *r, const char *at, const char *end)
{
	r->state = (unsigned)take_number(&at, end);
}

static void read_started(struct session *s, struct run *r, const char *at, const char *end)
{
	r->started = (int64_t)take_number(&at, end);
}

static struct run_probe *probe_at(struct session *s, struct run *r, uint64_t index)
{
	while (index < MOST_PROBES && r->probes.count <= index)
		vec_push_long(s->arena, &r->probes, (struct run_probe){ .point = "" });
	return index < MOST_PROBES ? &r->probes.data[index] : NULL;
}

static void read_point(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));

	if (p)
		p->point = calm(s, at, (size_t)(end - at));
}

static void read_off(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));

	if (p)
		p->is_off = true;
}

static void add_sums(struct run_sums *to, const struct run_sums *more)
{
	to->hits += more->hits;
	to->delivered += more->delivered;
	to->dropped += more->dropped;
	to->skipped += more->skipped;
	to->ns += more->ns;
}

/* INDEX CPU HITS DELIVERED DROPPED SKIPPED POINT */
static void read_probe(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));
	struct run_sums sums = { .ns = 0 };

	take_word(s, &at, end);
	sums.hits = take_number(&at, end);
	sums.delivered = take_number(&at, end);
	sums.dropped = take_number(&at, end);
	sums.skipped = take_number(&at, end);
	if (!p)
		return;
	if (!*p->point)
		p->point = calm(s, at, (size_t)(end - at));
	add_sums(&p->sums, &sums);
	add_sums(&r->sums, &sums);
}

static void read_time(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_probe *p = probe_at(s, r, take_number(&at, end));
	const struct run_sums sums = { .ns = take_number(&at, end) };

	if (!p)
		return;
	add_sums(&p->sums, &sums);
	add_sums(&r->sums, &sums);
}

static void read_reason(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_count c = { .name = take_word(s, &at, end) };

	c.count = take_number(&at, end);
	vec_push(s->arena, &r->reasons, c);
}

static void read_contended(struct session *s, struct run *r, const char *at, const char *end)
{
	struct run_count c = { .name = take_word(s, &at, end) };

	c.count = take_number(&at, end);
	vec_push(s->arena, &r->contended, c);
}

static const struct {
	const char *key;
	bool is_of_modules; /* of a program the kernel says it */
	void (*read)(struct session *s, struct run *r, const char *at, const char *end);
} lines[] = {
	{ "name", true, read_name },
	{ "owner", true, read_owner },
	{ "pid", true, read_pid },
	{ "kept", true, read_kept },
	{ "state", false, read_state },
	{ "started", false, read_started },
	{ "script", false, read_script },
	{ "point", false, read_point },
	{ "probe", false, read_probe },
	{ "skipped", false, read_reason },
	{ "contended", false, read_contended },
	{ "off", false, read_off },
	{ "time", false, read_time },
};

static void read_line(struct session *s, struct run *r, const char *at, const char *end)
{
	const char *tab = memchr(at, '\t', (size_t)(end - at));

	for (size_t i = 0; tab && i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strlen(lines[i].key) == (size_t)(tab - at) &&
		    !memcmp(lines[i].key, at, (size_t)(tab - at)) &&
		    !(lines[i].is_of_modules && r->address))
			lines[i].read(s, r, tab + 1, end);
}

void runs_read(struct session *s, struct run *r, const char *text, size_t len)
{
	const char *end = text + len, *eol;

	r->answers = true;
	for (const char *at = text; at < end; at = eol + 1) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		read_line(s, r, at, eol);
	}
	values_read(s, r, text, len);
}

/* ---- modules ---- */

/* Counts the modules whose directories are there: anybody sees these. */
static unsigned count_modules(const char *pattern)
{
	_cleanup_closedir_ DIR *d = opendir(MODULE_DIRS);
	const size_t len = strlen(STP_PROC_PREFIX);
	struct dirent *e;
	unsigned n = 0;

	while (d && (e = readdir(d)))
		n += !strncmp(e->d_name, STP_PROC_PREFIX, len) &&
		     (!pattern || runs_is_meant(pattern, e->d_name + len));
	return n;
}

static bool is_wanted(struct session *s, const char *pattern, const struct run *r)
{
	return !pattern || runs_is_meant(pattern, r->name) ||
	       (r->pid && !strcmp(pattern, arena_printf(s->arena, "%d", (int)r->pid)));
}

/* Reads what staprun writes: "run BYTES\n", so many bytes of lines, and the next. */
static const char *read_modules(struct session *s, const char *text, const char *pattern,
				struct runs *ret)
{
	size_t left = strlen(text), len;
	const char *eol;

	while (!strncmp(text, "run ", 4) && (eol = strchr(text, '\n')) != NULL) {
		struct run r = { .looked = runs_now() };

		len = strtoul(text + 4, NULL, 10);
		left -= (size_t)(eol + 1 - text);
		if (len > left)
			break;
		runs_read(s, &r, eol + 1, len);
		text = eol + 1 + len;
		left -= len;
		if (r.name && is_wanted(s, pattern, &r))
			vec_push(s->arena, &ret->list, r);
	}
	return text;
}

/* Asks staprun, which may read the files. values: of the module `pattern` alone */
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
		ret->refusal = calm(s, rest, strcspn(rest, "\n"));
	ret->hidden = there > ret->list.count ? there - (unsigned)ret->list.count : 0;
	return NULL;
}

/* ---- all of them ---- */

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

		r->shown = calm(s, r->name, strlen(r->name));
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
	err = s->options->runtime == RUNTIME_USER ? sockets_find(s, pattern, "globals", ret)
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

	return p ? calm(s, p->pw_name, strlen(p->pw_name))
		 : arena_printf(s->arena, "%u", (unsigned)uid);
}
