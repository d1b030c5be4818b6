/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Drops assignments of library aliases that the script does not use. */
#ifndef STAP_PRUNE_H
#define STAP_PRUNE_H

struct session;
struct node;

/*
 * Removes assignments `name = …` of library aliases to names that nothing in the body
 * reads. Runs before target variables are looked up, so that variables that a script does
 * not use are neither looked up, nor saved at entry, nor computed. Library aliases
 * compute their variables without effects; that is a rule of the library.
 */
void prune_unread(struct session *s, struct node *body);

#endif
