/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elaboration (pass 2): names to symbols, points to concrete probes, types to a fixed
 * point.
 *
 *   sem_elaborate = for each user probe: expand aliases and wildcards (derive.c), ask the
 *   families (probe/), clone bodies
 *                   where target variables depend on the point, bind names (resolve.c),
 *                   pull in tapset files (tapset.c),
 *                   say what is unused
 *   sem_type      = infer types (infer.c), check (check.c)
 *
 * Between the two the untyped optimisations run (opt/): what they drop has no type.
 */
#ifndef STAP_SEM_H
#define STAP_SEM_H

#include "base/source.h"

struct session;
struct handler;
struct node;
struct function;

/* Fills s->program from its units, names bound. Reports errors in s->errors. */
void sem_elaborate(struct session *s);
/*
 * arrayuse.c: globals used as arrays and as scalars,
 * also where optimisations leave the place out.
 */
void sem_check_arrays(struct session *s);
/* Types and checks of what the untyped optimisations have left. */
void sem_type(struct session *s);

/*
 * resolve.c: binds the names in a handler's or function's body: locals, parameters,
 * globals, functions (pulling tapset files in, and resolving what those reach).
 */
void sem_resolve_handler(struct session *s, struct handler *h);
/* What it saves at entry: when all functions are resolved, which may add to it. */
void sem_resolve_saved(struct session *s, struct handler *h);
void sem_resolve_function(struct session *s, struct function *f);
/* The `if (…)` of a probe point: globals only. */
void sem_resolve_condition(struct session *s, struct node *condition);

/* All functions that a call of that name can mean, linked by `overload`; NULL: none. */
struct function *sem_find_functions(struct session *s, const char *name, const struct source *from);
/* Messages about the function's body lead to the call as well. */
void sem_lead_to_call(struct session *s, struct function *f, struct loc call);

struct hashmap;
/*
 * The globals of the script that its own text in the body changes, by ++ or as an array:
 * it means them by their names there, also in a probe of a library's alias that calls a
 * value so. What it only reads is the alias's value.
 */
void sem_own_names(struct session *s, struct node *body, struct hashmap *ret);

/*
 * infer.c: types of all handlers and functions,
 * to a fixed point; reports what stays unknown.
 */
void sem_infer(struct session *s);

/*
 * check.c: what types alone do not say: break outside a
 * loop, guru-only constructs, modification during foreach …
 */
void sem_check(struct session *s);

#endif
