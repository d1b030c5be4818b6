/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants in old scripts that are compared with a member of the kernel, or test its
 * bits, and that mean something else in the target kernel: drift/values.def.
 */
#ifndef STAP_LANG_OLDVALUES_H
#define STAP_LANG_OLDVALUES_H

struct checking;
struct node;

/* Warns at a constant of an operator. */
void oldvalues_check(struct checking *ck, const struct node *n);
/* Notes the value assigned to a local variable. */
void oldvalues_assigned(const struct node *n);

#endif
