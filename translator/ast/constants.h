/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Constant folding: bottom-up, by the ops, until nothing changes. */
#ifndef STAP_AST_CONSTANTS_H
#define STAP_AST_CONSTANTS_H

#include <stdbool.h>

struct node;
struct session;

/* Folds n and everything below it. Returns true if something changed. */
bool constants_fold(struct session *s, struct node *n);
/*
 * Folds only ?: with a constant condition, because the types of the other branch need not
 * match.
 */
void constants_fold_choices(struct session *s, struct node *n);

#endif
