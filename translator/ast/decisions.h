/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --runtime=bpf: what a translation has decided by the kernel it is for, without a trace
 * in the generated code: @defined, %( kernel_v … %). The program asks the running kernel
 * the same, and refuses if it gets another answer.
 */
#ifndef STAP_AST_DECISIONS_H
#define STAP_AST_DECISIONS_H

#include <stdbool.h>

#include "ast/access.h"

struct session;

struct decision {
	struct access_field field;
	struct loc loc;
};
typedef VEC(struct decision) decision_list;

void decisions_add(struct session *s, const struct access_field *field, struct loc loc);
/* @defined(operand) has been decided. */
void decisions_defined(struct session *s, struct node *operand, bool is_defined);
/* The list so far; NULL: it is empty. */
const decision_list *decisions_all(const struct session *s);

#endif
