/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tags of types, kind DECL_TAG: facts from the debuginfo of a program that BTF cannot
 * express otherwise. dwarf/unittypes.c writes them, at the end of its tables; kernels'
 * tables have none of them.
 */
#ifndef STAP_TYPES_TAG_H
#define STAP_TYPES_TAG_H

#include <stdint.h>

#define TAG_SCOPED "stap:scoped" /* an enumeration whose enumerators are named with it */
#define TAG_CHOICE "stap:choice" /* of a member: its value chooses the variant */
#define TAG_FIRST  "stap:first:" /* of a template: its first parameter, the id of a type */
/* The address of the names of Go's types, for interfaces; '+': relative to the file's. */
#define TAG_TYPES "stap:types:"
/* An address in the file, '+' as above, a blank and the type that it stands for. */
#define TAG_CODE    "stap:code:"
#define TAG_VARIANT "stap:variant:" /* a variant, with the value; none: of all other values */
/*
 * A virtual base class: how many bytes before the table of virtual functions its distance
 * from the object is, a blank, the id of its type.
 */
#define TAG_VIRTUAL "stap:virtual:"

struct btf;

#define TAG_WHOLE -1 /* in place of a member's number */

/* Returns the tag of a type, or of a member of it; NULL: it has none. */
const char *tag_of(const struct btf *btf, uint32_t type, int32_t member);
/* The same for the next of all tags of a whole type; *at begins with 0. */
const char *tag_each(const struct btf *btf, uint32_t type, uint32_t *at);

#endif
