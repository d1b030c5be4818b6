/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a name that means nothing here means elsewhere, and what is written here instead.
 */
#ifndef STAP_SEM_ADVICE_H
#define STAP_SEM_ADVICE_H

#include <stdbool.h>

struct handler;
struct session;
struct symbol;
struct node;

/* Of the language, the script or the library. */
bool advice_is_function(struct session *s, const char *name);
/*
 * Tells of a variable that is never assigned, and what may have been meant. `locals` are
 * the `count` names beside it, `h` the handler that it is in, or NULL: the point's
 * variables are told.
 */
const char *advice_name(struct session *s, const char *name, struct symbol *const *locals,
		       unsigned count, const struct handler *h);
/* The same of a variable whose type is known, as it stands in "%d": that is no error. */
const char *advice_unassigned(struct session *s, const char *name, const struct handler *h);
/* Behind "there is no function 'x'": the same. */
const char *advice_function(struct session *s, const char *name);

#endif
