/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target nodes that do not depend on a probe point:
 * @cast, and ->members of something whose type is known.
 */
#ifndef STAP_TARGET_CAST_H
#define STAP_TARGET_CAST_H

#include <stdbool.h>
#include <stdint.h>

struct access;
struct btf;
struct error;
struct session;
struct node;

/* Binds a cast: fills n->access or n->unresolved. */
void cast_bind(struct session *s, struct node *n, const char *program);
/* Binds the members of a value; `from` has the type that n->operand points to. */
void cast_bind_auto(struct session *s, struct node *n, const struct access *from);
void cast_bind_atvar(struct session *s, struct node *n);

struct cast_type {
	const char *drift; /* as in struct access */
	struct btf *btf;
	uint32_t id;
	bool user; /* a type of programs: it describes their memory */
};
/*
 * Finds the type in the first of the modules "a:b:kernel" (NULL: the kernel) that has it.
 * For headers "<a.h>" the compiler provides the types that programs see; the kernel's own
 * BTF has the types of "kernel<linux/a.h>".
 */
struct error *cast_find_type(struct session *s, const char *type, const char *modules,
			     struct cast_type *ret);
/*
 * The same; when no module is named, the probed program or module is asked, then the
 * kernel.
 */
struct error *cast_find_type_from(struct session *s, const char *type, const char *modules,
				  const char *program, struct cast_type *ret);

#endif
