/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that is removed before types are known: branches that are never taken, and
 * statements without effect. It is kept here because the only use that gives an array its
 * type may be in it: sem/infer.c.
 */
#ifndef STAP_DEADCODE_H
#define STAP_DEADCODE_H

struct node;
struct session;

/* Notes n, which is removed from its tree unchanged; NULL: nothing. */
void deadcode_note(struct session *s, struct node *n);
/* Notes a copy of n, which is about to be overwritten. */
void deadcode_note_copy(struct session *s, const struct node *n);

#endif
