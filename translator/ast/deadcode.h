/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that is left out before types are known: branches that are never taken, statements
 * without effect. An array may be used with a type only there, and gets its type from it:
 * sem/infer.c.
 */
#ifndef STAP_DEADCODE_H
#define STAP_DEADCODE_H

struct node;
struct session;

/* Notes n, which leaves its tree as it is; NULL: nothing. */
void deadcode_note(struct session *s, struct node *n);
/* Notes a copy of n, which something else is about to overwrite. */
void deadcode_note_copy(struct session *s, const struct node *n);

#endif
