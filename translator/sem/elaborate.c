/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 2 from end to end. */
#include <string.h>

#include "ast/ast.h"
#include "ast/constants.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/hashmap.h"
#include "sem/derive.h"
#include "sem/savedroom.h"
#include "sem/sem.h"
#include "sem/tapset.h"

static void register_globals(struct session *s, struct unit *u)
{
	struct hashmap seen;

	hashmap_init(&seen, s->arena);
	vec_each(&u->globals, i) {
		struct symbol *sym = u->globals.data[i], *other = hashmap_get(&seen, sym->name);

		if (other) {
			diag_error(s, sym->loc, "two global variables are called '%s'", sym->name);
			diag_note(s, other->loc, "the other one");
			sym->type = other->type = TYPE_ERROR;
		}
		hashmap_put(&seen, sym->name, sym);
	}
}

static void check_alias_name(struct session *s, const struct alias *a)
{
	vec_each(&a->name, i) {
		if (a->name.data[i].arg_kind != ARG_NONE)
			diag_error(s, a->name.data[i].arg_loc,
				   "the name of an alias takes no arguments");
		if (strchr(a->name.data[i].name, '*'))
			diag_error(s, a->name.data[i].loc,
				   "the name of an alias has no '*': patterns are for those who "
				   "use it");
	}
}

static void register_units(struct session *s)
{
	vec_each(&s->program->units, i) {
		struct unit *u = s->program->units.data[i];

		vec_each(&u->functions, k)
			tapset_add_overload(&s->program->function_names, u->functions.data[k]);
		vec_each(&u->aliases, k)
			check_alias_name(s, u->aliases.data[k]);
		register_globals(s, u);
	}
}

/*
 * Progress of elaboration. Resolving makes files of the library part of the program, and
 * their probes are resolved in turn.
 */
struct progress {
	size_t handlers, probes, functions, library;
};

/* Resolves all functions. The list grows meanwhile, because resolving finds others. */
static void resolve_functions(struct session *s, struct progress *at)
{
	for (; at->functions < s->program->functions.count; at->functions++)
		sem_resolve_function(s, s->program->functions.data[at->functions]);
}

static void resolve_rest(struct session *s, struct progress *at)
{
	struct program *p = s->program;
	size_t functions = at->functions;

	for (size_t i = at->handlers; i < p->handlers.count; i++)
		sem_resolve_handler(s, p->handlers.data[i]);
	for (; at->probes < p->probes.count; at->probes++)
		if (p->probes.data[at->probes]->condition)
			sem_resolve_condition(s, p->probes.data[at->probes]->condition);
	resolve_functions(s, at);
	for (size_t i = at->handlers; i < p->handlers.count; i++)
		sem_resolve_saved(s, p->handlers.data[i]);
	resolve_functions(s, at);
	for (; at->handlers < p->handlers.count; at->handlers++)
		constants_fold_choices(s, p->handlers.data[at->handlers]->body);
	for (; functions < at->functions; functions++)
		constants_fold_choices(s, p->functions.data[functions]->body);
}

/*
 * Derives the probes of library files that became part of the program since the last
 * call. False: they have none.
 */
static bool derive_library(struct session *s, struct progress *at)
{
	size_t before = s->program->probes.count;

	for (; at->library < s->program->library.count; at->library++) {
		struct unit *u = s->program->library.data[at->library];

		vec_each(&u->probes, k)
			derive_probe(s, u->probes.data[k]);
	}
	return s->program->probes.count > before;
}

static void warn_unused(struct session *s)
{
	vec_each(&s->program->units, i) {
		struct unit *u = s->program->units.data[i];

		vec_each(&u->functions, k)
			if (!u->functions.data[k]->used)
				diag_warning(s, u->functions.data[k]->loc,
					     "function '%s()' is never called",
					     u->functions.data[k]->name);
		vec_each(&u->globals, k) {
			bool used = false;

			for (size_t n = 0; n < s->program->globals.count; n++)
				used |= s->program->globals.data[n] == u->globals.data[k];
			if (!used)
				diag_warning(s, u->globals.data[k]->loc,
					     "global variable '%s' is never used",
					     u->globals.data[k]->name);
		}
	}
}

void sem_elaborate(struct session *s)
{
	struct program *p = s->program;
	struct progress at = { 0 };

	register_units(s);
	vec_each(&p->units, i) {
		struct unit *u = p->units.data[i];

		/*
		 * Further scripts provide aliases and macros for the one that is listed.
		 */
		if (s->options->list && i)
			break;
		vec_each(&u->probes, k)
			derive_probe(s, u->probes.data[k]);
	}
	do
		resolve_rest(s, &at);
	while (derive_library(s, &at));
	vec_each(&p->units, i) {
		struct unit *u = p->units.data[i];

		vec_each(&u->embeds, k)
			vec_push(s->arena, &p->embeds, u->embeds.data[k]);
	}
	if (!s->errors)
		warn_unused(s);
}

void sem_type(struct session *s)
{
	sem_infer(s);
	savedroom_fit(s);
	sem_check(s);
}
