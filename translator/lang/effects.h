/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Side effects: which expressions and functions do more than return a value. */
#ifndef STAP_LANG_EFFECTS_H
#define STAP_LANG_EFFECTS_H

#include <stdbool.h>

#include "ast/ops.h"

struct session;

/* Sets has_effects of the program's functions: effects_in() looks through calls by it. */
void effects_mark(struct session *s);
/* True: n, or a node below it, has a visible side effect. */
bool effects_in(const struct node *n);

/* ---- the constructs' `effect` callbacks ---- */

enum effect effects_none(const struct node *n);
enum effect effects_outside(const struct node *n);
/* Returns the effect of a change of the place: it may be the body's own variable. */
enum effect effects_of_place(const struct node *place);

#endif
