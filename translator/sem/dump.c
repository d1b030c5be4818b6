/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --dump-functions, --dump-probe-aliases and --dump-probe-types: prints the whole
 * library, one line each, sorted. Names that begin with '_' are internal to the library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "sem/listing.h"
#include "sem/sem.h"
#include "sem/tapset.h"

typedef VEC(const char *) line_vec;

/* ---- functions ---- */

static const char *function_tag(const struct function *f)
{
	if (f->pragmas & PRAGMA_GURU)
		return " /* guru */";
	if (f->pragmas & PRAGMA_UNPRIVILEGED)
		return " /* unprivileged */";
	return f->pragmas & PRAGMA_MYPROC_UNPRIVILEGED ? " /* myproc-unprivileged */" : "";
}

/*
 * Infers types from the bodies, without a script that uses them. Types that stay unknown
 * are not an error and are listed as unknown; messages of inference are dropped.
 */
void dump_infer_library(struct session *s)
{
	struct program *p = s->program;
	const char *const *names;
	size_t count;

	tapset_function_names(s, &names, &count);
	for (size_t i = 0; i < count; i++)
		for (struct function *f = tapset_function(s, names[i]); f; f = f->overload) {
			f->used = true;
			vec_push(s->arena, &p->functions, f);
		}
	for (size_t i = 0; i < p->functions.count; i++)
		sem_resolve_function(s, p->functions.data[i]);
	sem_infer(s);
}

static void dump_functions(struct session *s, line_vec *lines)
{
	s->quiet = true;
	dump_infer_library(s);
	s->quiet = false;
	vec_each(&s->program->functions, i) {
		const struct function *f = s->program->functions.data[i];

		if (f->name[0] != '_' && !f->is_private)
			vec_push(s->arena, lines,
				 arena_printf(s->arena, "%s%s", listing_function(s, f),
					      function_tag(f)));
	}
}

/* ---- aliases and points ---- */

static void dump_aliases(struct session *s, line_vec *lines)
{
	tapset_parse_all(s);
	vec_each(&s->program->library, u) {
		const struct unit *unit = s->program->library.data[u];

		for (size_t i = 0; i < unit->aliases.count; i++)
			if (unit->aliases.data[i]->name.data[0].name[0] != '_')
				vec_push(s->arena, lines, listing_alias(s, unit->aliases.data[i]));
	}
}

/*
 * Lists the points in the families' help, one line each, and tp_syscall, whose points are
 * aliases.
 */
static void dump_types(struct session *s, line_vec *lines)
{
	for (unsigned i = 0; i < probe_family_count; i++) {
		char *rest = arena_strdup(s->arena, probe_families[i]->help), *line;

		while ((line = strtok_r(rest, "\n", &rest)) != NULL)
			vec_push(s->arena, lines, line);
	}
	vec_push(s->arena, lines, "tp_syscall(string)");
	vec_push(s->arena, lines, "tp_syscall(string).return");
}

static struct error *print(struct session *s, void (*list)(struct session *s, line_vec *lines))
{
	line_vec lines = { 0 };

	tapset_open(s);
	list(s, &lines);
	listing_sorted(lines.data, lines.count);
	return NULL;
}

struct error *dump_probe_types(struct session *s, int *status)
{
	return print(s, dump_types);
}

struct error *dump_probe_aliases(struct session *s, int *status)
{
	return print(s, dump_aliases);
}

struct error *dump_library_functions(struct session *s, int *status)
{
	return print(s, dump_functions);
}
