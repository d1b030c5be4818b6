/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Advice about unknown names: their meaning in other languages, and their equivalent in
 * scripts.
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
 * Returns the points to write instead of an unknown one that begins this way; NULL: none
 * is known.
 */
const char *advice_point(const char *first);
/*
 * Returns advice about a variable that is never assigned: the name that was probably
 * meant. `locals` are the `count` names next to it; `h` is the handler that it is in, or
 * NULL: the advice lists the point's variables.
 */
const char *advice_name(struct session *s, const char *name, struct symbol *const *locals,
			unsigned count, const struct handler *h);
/*
 * Returns the same advice about a variable whose type is known, as in "%d": then it is
 * only a warning. is_meant: the name is certainly a variable, whatever it means
 * elsewhere.
 */
const char *advice_unassigned(struct session *s, const char *name, const struct handler *h,
			      bool is_meant);
/* Returns the same advice to follow "there is no function 'x'". */
const char *advice_function(struct session *s, const char *name);

#endif
