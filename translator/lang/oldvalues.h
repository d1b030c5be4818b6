/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Constants of old scripts that a member of the kernel is compared with, or its bits are
 * tested by, and that mean something else in the kernel at hand: drift/values.def.
 */
#ifndef STAP_LANG_OLDVALUES_H
#define STAP_LANG_OLDVALUES_H

struct checking;
struct node;

/* Warns at a constant of an operator. */
void oldvalues_check(struct checking *ck, const struct node *n);
/* Notes what a local variable has got. */
void oldvalues_assigned(const struct node *n);

#endif
