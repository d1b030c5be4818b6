/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of one compilation unit, rewritten as a BTF table. Code that follows members,
 * prints values or spells types thus reads BTF alone, and serves the kernel's own tables
 * and debuginfo alike. C++ classes are structures, base classes are anonymous members of
 * them, references are pointers; a name inside a namespace or class is qualified
 * ("std::string").
 */
#ifndef STAP_DWARF_UNITTYPES_H
#define STAP_DWARF_UNITTYPES_H

#include <elfutils/libdw.h>
#include <stdint.h>

struct session;
struct error;
struct btf;
struct unit_types;

/*
 * Reads the types of the unit that the DIE belongs to. `file` is for messages. Each call
 * makes them again: keep the result.
 */
struct error *unittypes_read(struct session *s, const char *file, Dwarf_Die *any,
			     struct unit_types **ret);

struct btf *unittypes_btf(struct unit_types *u);
/*
 * Returns the id of a type's DIE, which comes from this unit; 0 for NULL (void) and for a
 * DIE that is not a type.
 */
uint32_t unittypes_id(struct unit_types *u, Dwarf_Die *type);
/*
 * Returns the type that the DIE's DW_AT_type names, through abstract origins: 0 is void.
 */
uint32_t unittypes_of(struct unit_types *u, Dwarf_Die *die);

/* Returns the value of a DW_TAG_enumerator. */
int64_t unittypes_enumerator_value(Dwarf_Die *e);

#endif
