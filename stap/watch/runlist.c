/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The readable output of --status; runjson.c is for programs. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/color.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "stap/watch/absentruns.h"
#include "stap/watch/runjson.h"
#include "stap/watch/runs.h"

/* "14:05:59" for today, otherwise "2026-11-24 14:05" */
static const char *short_time(struct session *s, int64_t when)
{
	time_t now = time(NULL), then = (time_t)when;
	struct tm today, day;
	char text[32];

	if (!when || !localtime_r(&now, &today) || !localtime_r(&then, &day))
		return "-";
	strftime(text, sizeof(text),
		 today.tm_yday == day.tm_yday && today.tm_year == day.tm_year ? "%H:%M:%S"
									      : "%Y-%m-%d %H:%M",
		 &day);
	return arena_strdup(s->arena, text);
}

static const char *long_time(struct session *s, int64_t when)
{
	time_t then = (time_t)when;
	struct tm day;
	char text[40];

	if (!when || !localtime_r(&then, &day))
		return "not yet";
	strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &day);
	return arena_strdup(s->arena, text);
}

static const char *rate_text(struct session *s, const struct run *r, uint64_t now, uint64_t before)
{
	return r->looked_before ? arena_printf(s->arena, "%.0f", runs_rate(r, now, before)) : "-";
}

static const char *pid_text(struct session *s, const struct run *r)
{
	return r->pid ? arena_printf(s->arena, "%d", (int)r->pid) : "-";
}

/* ---- a line for each run ---- */

enum { NAME, USER, SINCE, STATE, HITS, RATE, DROPPED, SKIPPED, PID, SCRIPT, COLUMNS };

static const struct {
	const char *head;
	bool is_number;
} columns[COLUMNS] = {
	[NAME] = { "NAME" },
	[USER] = { "USER" },
	[SINCE] = { "SINCE" },
	[STATE] = { "STATE" },
	[HITS] = { "HITS", true },
	[RATE] = { "HITS/S", true },
	[DROPPED] = { "DROPPED", true },
	[SKIPPED] = { "SKIPPED", true },
	[PID] = { "PID", true },
	[SCRIPT] = { "SCRIPT" },
};

typedef struct {
	const char *cell[COLUMNS];
} line;

static line line_of(struct session *s, const struct run *r)
{
	line l = { .cell = { [NAME] = r->shown,
			     [USER] = runs_user(s, r->owner),
			     [SINCE] = short_time(s, r->started),
			     [STATE] = runs_state(r),
			     [HITS] = "-",
			     [RATE] = "-",
			     [DROPPED] = "-",
			     [SKIPPED] = "-",
			     [PID] = pid_text(s, r),
			     [SCRIPT] = r->script } };

	if (!r->answers)
		return l;
	l.cell[HITS] = arena_printf(s->arena, "%" PRIu64, r->sums.hits);
	l.cell[RATE] = rate_text(s, r, r->sums.hits, r->before.hits);
	l.cell[DROPPED] = arena_printf(s->arena, "%" PRIu64, r->sums.dropped);
	l.cell[SKIPPED] = arena_printf(s->arena, "%" PRIu64, r->sums.skipped);
	return l;
}

static void print_line(const line *l, const int *widths)
{
	for (int i = 0; i < SCRIPT; i++)
		printf("%*s  ", columns[i].is_number ? widths[i] : -widths[i], l->cell[i]);
	puts(l->cell[SCRIPT]);
}

static void print_list(struct session *s, const struct runs *runs)
{
	line *lines = arena_array(s->arena, line, runs->list.count + 1);
	bool colored = colors_wanted(s->options, STDOUT_FILENO);
	int widths[COLUMNS] = { 0 };

	for (int i = 0; i < COLUMNS; i++)
		lines[0].cell[i] = columns[i].head;
	vec_each(&runs->list, i)
		lines[i + 1] = line_of(s, &runs->list.data[i]);
	for (size_t i = 0; i <= runs->list.count; i++)
		for (int c = 0; c < COLUMNS; c++)
			if ((int)strlen(lines[i].cell[c]) > widths[c])
				widths[c] = (int)strlen(lines[i].cell[c]);
	for (size_t i = 0; i <= runs->list.count; i++) {
		if (colored && !i)
			fputs("\033[1m", stdout);
		print_line(&lines[i], widths);
		if (colored && !i)
			fputs("\033[m", stdout);
	}
}

/* ---- details of a run ---- */

static void print_counts(const char *title, const struct run_count *c, size_t n)
{
	for (size_t i = 0; i < n; i++)
		printf("%-9s%s %" PRIu64 "\n", i ? "" : title, c[i].name, c[i].count);
}

static void print_row(const char *point, const char *rate, const struct run_sums *now,
		      const struct run_sums *before)
{
	printf("%12" PRIu64 " %10s %12" PRIu64 " %10" PRIu64 " %10" PRIu64 " %9" PRIu64 "  %s\n",
	       now->hits, rate, now->delivered, now->dropped, now->skipped, runs_time(now, before),
	       point);
}

static void print_books(struct session *s, const struct run *r)
{
	printf("\n%12s %10s %12s %10s %10s %9s  %s\n", "HITS", "HITS/S", "DELIVERED", "DROPPED",
	       "SKIPPED", "NS/HIT", "PROBE");
	vec_each(&r->probes, i) {
		const struct run_probe *p = &r->probes.data[i];

		print_row(p->point, rate_text(s, r, p->sums.hits, p->before.hits), &p->sums,
			  &p->before);
	}
	print_row("total", rate_text(s, r, r->sums.hits, r->before.hits), &r->sums, &r->before);
}

static void print_run(struct session *s, const struct run *r)
{
	printf("%-9s%s\n%-9s%s\n%-9s%s\n%-9s%s\n%-9s%s\n", "name", r->shown, "script", r->script,
	       "user", runs_user(s, r->owner), "since", long_time(s, r->started), "state",
	       runs_state(r));
	printf("%-9s%s%s\n", r->address ? "process" : "reader", pid_text(s, r),
	       r->address ? ", without the kernel (--runtime=user)" : "");
	if (!r->answers)
		return;
	print_counts("skipped", r->reasons.data, r->reasons.count);
	print_counts("locks", r->contended.data, r->contended.count);
	print_books(s, r);
}

/* ---- the option ---- */

static void say_hidden(const struct runs *runs)
{
	if (!runs->hidden)
		return;
	fprintf(stderr, "stap: %u more module%s loaded that this user may not look at\n",
		runs->hidden, runs->hidden == 1 ? " is" : "s are");
	if (runs->refusal)
		fprintf(stderr, "      staprun: %s\n", runs->refusal);
}

static void print(struct session *s, const struct runs *runs, bool in_full)
{
	if (options_passed(s->options, "--json")) {
		runjson_print(s, runs, in_full);
		return;
	}
	if (!in_full && runs->list.count)
		print_list(s, runs);
	vec_each(&runs->list, i) {
		if (!in_full)
			break;
		if (i)
			puts("");
		print_run(s, &runs->list.data[i]);
	}
}

/*
 * Prints a line for each run, or the details of the named runs; with --json, as JSON.
 * Sets *status to 1 if a named run does not exist.
 */
struct error *watch_status(struct session *s, int *status)
{
	const char *pattern = s->options->wanted_word;
	struct runs runs;
	struct error *err = runs_find_rates(s, pattern, &runs);

	if (err)
		return err;
	print(s, &runs, pattern);
	if (pattern && !runs.list.count) {
		absentruns_say(s, pattern, &runs);
		*status = 1;
		return NULL;
	}
	if (!pattern && !runs.list.count && !runs.hidden)
		fputs("stap: no script runs on this machine\n", stderr);
	if (!pattern)
		say_hidden(&runs);
	return NULL;
}
