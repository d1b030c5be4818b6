/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that mean nothing here: their meaning elsewhere, and what is written here
 * instead.
 */
#ifndef STAP_SEM_ADVICE_H
#define STAP_SEM_ADVICE_H

#include <stdbool.h>

struct handler;
struct session;
struct symbol;
struct node;

/* True: the name is a word that declares variables in other languages, as in "int x". */
bool advice_is_declaration(const char *name);
/*
 * Returns the points that are to be written in place of one that begins so, which there
 * is not; NULL: nothing is known.
 */
const char *advice_point(const char *first);
/*
 * Returns advice about a variable that is never assigned: what may have been meant.
 * `locals` are the `count` names beside it; `h` is the handler that it is in, or NULL:
 * the advice lists the point's variables.
 */
const char *advice_name(struct session *s, const char *name, struct symbol *const *locals,
			unsigned count, const struct handler *h);
/*
 * Returns the same advice about a variable whose type is known, as in "%d": that is only
 * worth a warning. is_meant: the name is a variable, whatever it means elsewhere.
 */
const char *advice_unassigned(struct session *s, const char *name, const struct handler *h,
			      bool is_meant);
/* Returns the same advice for behind "there is no function 'x'". */
const char *advice_function(struct session *s, const char *name);

#endif
