/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Target nodes that do not depend on a probe point: @cast, and ->members of something whose type is known. */
#ifndef STAP_PROBE_CAST_H
#define STAP_PROBE_CAST_H

#include <stdint.h>

struct access;
struct btf;
struct error;
struct session;
struct node;

/* Fills n->access or n->unresolved. */
void cast_bind(struct session *s, struct node *n);
/* `from` says what n->operand points to. */
void auto_bind(struct session *s, struct node *n, const struct access *from);
void atvar_bind(struct session *s, struct node *n);

/* The type in the first of the modules "a:b:kernel" (NULL: the kernel) that has it. Headers in '<>' are not compiled: the kernel's own BTF has their
 * types. */
struct error *cast_find_type(struct session *s, const char *type, const char *modules, struct btf **btf, uint32_t *ret);

#endif
