/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What aliases of the library offer and the script does not take. */
#ifndef STAP_PRUNE_H
#define STAP_PRUNE_H

struct session;
struct node;

/*
 * Removes assignments `name = …` of library aliases to names that nothing in the body
 * reads: before target variables are looked up, so that what a script does not use is
 * neither looked up, nor saved at entry, nor computed. Library aliases compute their
 * variables without effects; that is a rule of the library.
 */
void prune_unread(struct session *s, struct node *body);

#endif
