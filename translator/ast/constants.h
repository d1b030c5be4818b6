/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constant folding: bottom-up, by the ops, until nothing changes. */
#ifndef STAP_AST_CONSTANTS_H
#define STAP_AST_CONSTANTS_H

#include <stdbool.h>

struct node;
struct session;

/* Folds n and all below it; returns true when something changed. */
bool constants_fold(struct session *s, struct node *n);
/*
 * Folds only ?: with a constant condition: the types of the branch that is not chosen
 * need not fit.
 */
void constants_fold_choices(struct session *s, struct node *n);

#endif
