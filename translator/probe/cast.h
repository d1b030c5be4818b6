/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target nodes that do not depend on a probe point: @cast, and ->members of something whose type is known. */
#ifndef STAP_PROBE_CAST_H
#define STAP_PROBE_CAST_H

struct access;
struct session;
struct node;

/* Fills n->access or n->unresolved. */
void cast_bind(struct session *s, struct node *n);
/* `from` says what n->operand points to. */
void auto_bind(struct session *s, struct node *n, const struct access *from);
void atvar_bind(struct session *s, struct node *n);

#endif
