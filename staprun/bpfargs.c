/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See bpfargs.h. */
#include "staprun/bpfargs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/filename.h"
#include "staprun/load.h"
#include "staprun/report.h"
#include "staprun/siblings.h"

static bool push(struct bpfargs *a, const char *word)
{
	if (a->count + 1 >= a->room) {
		report_error("too many options");
		return false;
	}
	a->words[a->count++] = word;
	a->words[a->count] = NULL;
	return true;
}

static bool push_number(struct bpfargs *a, const char *option, unsigned place, int n)
{
	if (!n)
		return true;
	snprintf(a->numbers[place], sizeof(a->numbers[place]), "%d", n);
	return push(a, option) && push(a, a->numbers[place]);
}

/* ---- the options, as options.c passes them on ---- */

struct row;

/* Takes the option; value: NULL if it has none. False: the error was printed. */
typedef bool take(struct bpfargs *a, const struct row *r, const char *value, const char *name);

struct row {
	const char *given;
	take *take;
	const char *word; /* the program's own, or the only value that means nothing */
	bool has_value;
};

static take take_same, take_output, take_data, take_color, take_nothing, take_usual, take_full;

static const struct row rows[] = {
	{ "-o", take_output, "-o", true },
	{ "-c", take_same, "-c", true },
	{ "-x", take_same, "-x", true },
	{ "-t", take_same, "-t", false },
	{ "-v", take_same, "-v", false },
	{ "-w", take_same, "-w", false },
	{ "-C", take_color, "-C", true },
	{ "-T", take_nothing, NULL, true },
	{ "--timeout", take_same, "-T", true },
	{ "--strict", take_same, "-S", false },
	{ "--to", take_data, "-k", true },
	{ "--json", take_data, "-j", false },
	{ "--records", take_same, "-s", true },
	{ "--on-full", take_full, "-f", true },
	{ "-L", take_same, "-L", false },
	{ "-A", take_nothing, NULL, false },
	{ "--on-disk-full", take_usual, "end", true },
};

static bool take_same(struct bpfargs *a, const struct row *r, const char *value, const char *name)
{
	return push(a, r->word) && (!value || push(a, value));
}

static bool take_nothing(struct bpfargs *a, const struct row *r, const char *value,
			 const char *name)
{
	return true;
}

static bool take_color(struct bpfargs *a, const struct row *r, const char *value, const char *name)
{
	return !strcmp(value, "auto") || take_same(a, r, value, name);
}

static bool take_usual(struct bpfargs *a, const struct row *r, const char *value, const char *name)
{
	if (!strcmp(value, r->word))
		return true;
	report_error("%s=%s: programs of --runtime=bpf have only %s", r->given, value, r->word);
	return false;
}

/* No task waits for room in the buffer. */
static bool take_full(struct bpfargs *a, const struct row *r, const char *value, const char *name)
{
	if (!strcmp(value, "drop") || !strcmp(value, "overwrite"))
		return take_same(a, r, value, name);
	report_error("%s=%s: programs of --runtime=bpf have only drop and overwrite", r->given,
		     value);
	return false;
}

static bool take_output(struct bpfargs *a, const struct row *r, const char *value, const char *name)
{
	struct filename f = { .pattern = value, .module = name, .cpu = -1 };
	const char *wrong = filename_check(value, false);
	int rc = 0;

	if (a->leaves && !wrong)
		return true;
	if (!wrong) {
		gethostname(f.host, sizeof(f.host) - 1);
		rc = filename_expand(&f, time(NULL), a->output);
	}
	if (!wrong && !rc)
		return push(a, r->word) && push(a, a->output);
	report_error("-o %s: %s", value, wrong ? wrong : strerror(-rc));
	return false;
}

static bool take_data(struct bpfargs *a, const struct row *r, const char *value, const char *name)
{
	return siblings_find("stap-merge", a->merge) && push(a, "-m") && push(a, a->merge) &&
	       take_same(a, r, value, name);
}

/* Options of modules, and what serves instead. */
static const struct {
	const char *option, *reason;
} refusals[] = {
	{ "-R", "several runs of a program can have one name" },
	{ "-S", "staprun writes one file; stap --remote direct: begins new ones" },
	{ "--compress", "staprun writes one file; stap --remote direct: compresses finished ones" },
	{ "-b", "all handlers share one buffer; -o FILE has the output of all, sorted by time" },
	{ "-M", "all handlers share one buffer; -o FILE has the output of all, sorted by time" },
	{ "-s", "the buffer has one size; -t prints how much did not fit" },
};

static void refuse(const char *given)
{
	report_error("%s: not for programs of --runtime=bpf", given);
	for (unsigned i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (!strcmp(refusals[i].option, given))
			report_hint("%s", refusals[i].reason);
}

static const struct row *find_row(const char *given)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(rows[i].given, given))
			return &rows[i];
	refuse(given);
	return NULL;
}

static bool push_passed(struct bpfargs *a, const struct options *o, const char *name)
{
	for (unsigned i = 0; i < o->npassed; i++) {
		const struct row *r = find_row(o->passed[i]);
		const char *value = r && r->has_value ? o->passed[++i] : NULL;

		if (!r || !r->take(a, r, value, name))
			return false;
	}
	return true;
}

/* Refuses options of loading that only modules can have. */
static bool check_own(const struct options *o)
{
	const char *wrong = o->rename ? "-R" : o->buffer_mb ? "-s" : o->namespaces_of ? "-N" : NULL;

	if (wrong)
		refuse(wrong);
	return !wrong;
}

static bool push_params(struct bpfargs *a, const struct options *o, struct load *l)
{
	for (unsigned i = 0; i < o->ngiven; i++)
		if (!load_add_param(l, o->given[i]) || !push(a, o->given[i]))
			return false;
	for (char *const *p = o->params; *p; p++)
		if (!load_add_param(l, *p) || !push(a, *p))
			return false;
	return true;
}

/* The name is a line of what --status answers. */
static bool push_script(struct bpfargs *a, const char *name)
{
	snprintf(a->script, sizeof(a->script), "%s", name);
	for (char *s = a->script; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = '?';
	return push(a, "-n") && push(a, a->script);
}

static bool push_remote(struct bpfargs *a, const char *remote)
{
	return !remote || (push(a, "-r") && push(a, remote));
}

static bool make_room(struct bpfargs *a, const struct options *o)
{
	unsigned params = 0;

	while (o->params[params])
		params++;
	a->room = BPFARGS_MOST + params;
	a->count = 0;
	a->words = calloc(a->room, sizeof(*a->words));
	if (!a->words)
		report_error("out of memory");
	return a->words;
}

bool bpfargs_make(struct bpfargs *a, const struct options *o, struct load *l,
		  const struct bpfargs_descriptors *d)
{
	a->leaves = o->leave;
	l->params = (struct params){ 0 }; /* before -D, they were checked once */
	return check_own(o) && make_room(a, o) && push(a, l->name) &&
	       push_number(a, "-E", 0, d->environment) && push_number(a, "-R", 1, d->ready) &&
	       push_number(a, "-g", 2, o->values) && push_number(a, "-G", 3, d->cgroup) &&
	       push_script(a, o->script ? o->script : l->path) && push_remote(a, o->remote) &&
	       push_passed(a, o, l->name) && push(a, "--") && push_params(a, o, l);
}

bool bpfargs_make_reader(struct bpfargs *a, const struct options *o, const char *name)
{
	return make_room(a, o) && push(a, name) && push_passed(a, o, name);
}
