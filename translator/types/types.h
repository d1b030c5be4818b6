/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of the target kernel and its modules: found by name, spelled, measured. */
#ifndef STAP_TYPES_TYPES_H
#define STAP_TYPES_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"

struct session;
struct error;
struct btf;
struct btf_type;

/*
 * Finds a type by its C name: "task_struct", "struct task_struct", "unsigned int",
 * "size_t".
 */
struct error *types_find(struct session *s, const char *module, const char *name, struct btf **btf,
			 uint32_t *ret);
/*
 * Returns the module that has a type that the kernel lacks. Modules named like the type's
 * first word are asked first, as scsi_mod for scsi_cmnd. NULL: no module has it.
 */
const char *types_holder(struct session *s, const char *name, struct btf **btf, uint32_t *ret);
/* Finds a type only among the kernel's own types, which is cheaper; 0: there is none. */
uint32_t types_known(struct session *s, const char *name);
/* Returns the type as C spells it: "struct file *". */
const char *types_str(struct session *s, const struct btf *btf, uint32_t type_id);
/*
 * Returns a C declaration of the type that needs no kernel header: structs as
 * forward-declared tags, enums as unsigned int, typedefs resolved.
 */
const char *types_abi_str(struct session *s, const struct btf *btf, uint32_t type_id);
/*
 * Returns a declaration of `name` for a compiler that compares types of functions by
 * their names (kCFI): every part of the type has the name that it has for the kernel.
 * Adds lines of C that must precede it, in any order and any number of times.
 */
typedef VEC(const char *) type_lines;
const char *types_exact(struct session *s, const struct btf *btf, uint32_t type_id,
			const char *name, type_lines *before);
struct type_info {
	unsigned size;
	bool is_signed;
	enum {
		KTYPE_VOID,
		KTYPE_INT,
		KTYPE_POINTER,
		KTYPE_AGGREGATE,
		KTYPE_ARRAY,
		KTYPE_OTHER
	} kind; /* without typedefs and qualifiers */
};
struct error *types_info(struct session *s, const struct btf *btf, uint32_t type_id,
			 struct type_info *ret);
/* Finds a type by its C name in one table. `where` is for the message. */
struct error *types_by_name(struct session *s, struct btf *b, const char *where, const char *name,
			    uint32_t *ret);
/*
 * True: the enumeration is signed. pahole before 1.24 did not set the flag: then a
 * negative enumerator shows it.
 */
bool types_enum_is_signed(const struct btf_type *t);

#endif
