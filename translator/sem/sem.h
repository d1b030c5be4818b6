/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Elaboration (pass 2): names to symbols, points to concrete probes, types to a fixed
 * point.
 *
 *   sem_elaborate = for each user probe: expand aliases and wildcards (derive.c), ask
 *                   the families (probe/), clone bodies where target variables depend
 *                   on the point, bind names (resolve.c), pull in tapset files
 *                   (tapset.c), report unused names
 *   sem_type      = infer types (infer.c), check (check.c)
 *
 * Between the two the untyped optimisations run (opt/): code that they drop has no type.
 */
#ifndef STAP_SEM_H
#define STAP_SEM_H

#include <stdbool.h>

#include "base/source.h"

struct session;
struct handler;
struct node;
struct function;

/*
 * interval.c: changes the interval of the script's own timers that print to that of
 * --top=SECONDS.
 */
void sem_set_interval(struct session *s);
/* Fills s->program from its units, names bound. Reports errors in s->errors. */
void sem_elaborate(struct session *s);
/*
 * arrayuse.c: reports globals used both as arrays and as scalars, even if optimisations
 * remove the place.
 */
void sem_check_arrays(struct session *s);
/* Infers and checks types of the code that the untyped optimisations have left. */
void sem_type(struct session *s);

/*
 * resolve.c: binds the names in a handler's or function's body: locals, parameters,
 * globals, functions. Pulls tapset files in and resolves the functions that are reached.
 */
void sem_resolve_handler(struct session *s, struct handler *h);
/*
 * Resolves the values that the handler saves at entry. Called when all functions are
 * resolved, because these may add values.
 */
void sem_resolve_saved(struct session *s, struct handler *h);
void sem_resolve_function(struct session *s, struct function *f);
/* Resolves the `if (…)` of a probe point, which may use globals only. */
void sem_resolve_condition(struct session *s, struct node *condition);

/*
 * Returns all functions that a call of that name can mean, linked by `overload`; NULL:
 * none.
 */
struct function *sem_find_functions(struct session *s, const char *name, const struct source *from);
/* Lets messages about the function's body lead to the call as well. */
void sem_lead_to_call(struct session *s, struct function *f, struct loc call);

struct hashmap;
/*
 * Collects the globals that the script's own text in the body changes, by ++ or as an
 * array: there their names mean the globals, also in a probe of a library's alias that
 * gives a value the same name. A name that the text only reads is the alias's value.
 */
void sem_own_names(struct session *s, struct node *body, struct hashmap *ret);

/*
 * infer.c: infers types of all handlers and functions, to a fixed point; reports names
 * whose types stay unknown.
 */
void sem_infer(struct session *s);

/*
 * deadtypes.c: gives variables without a type the type that removed code has for them.
 * False: there was nothing new.
 */
struct infer;
bool deadtypes_learn(struct infer *in);

/*
 * check.c: checks rules beyond types: break outside a loop, guru-only constructs,
 * modification during foreach …
 */
void sem_check(struct session *s);

#endif
