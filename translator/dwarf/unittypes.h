/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The types of one compilation unit, rewritten as a BTF table: what follows members,
 * prints values and spells types reads BTF alone, and serves the kernel's own tables and
 * debuginfo alike. C++ classes are structures, base classes are anonymous members of
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
 * Of the unit that the DIE belongs to. `file` is
 * for messages. Made anew at each call: keep it.
 */
struct error *unittypes_read(struct session *s, const char *file, Dwarf_Die *any,
			     struct unit_types **ret);

struct btf *unittypes_btf(struct unit_types *u);
/*
 * The id of a type's DIE, found by one of this
 * unit; 0 for NULL (void) and for what is no type.
 */
uint32_t unittypes_id(struct unit_types *u, Dwarf_Die *type);
/* The type that the DIE's DW_AT_type names, through abstract origins: 0 is void. */
uint32_t unittypes_of(struct unit_types *u, Dwarf_Die *die);

/* Of a DW_TAG_enumerator. */
int64_t unittypes_enumerator_value(Dwarf_Die *e);

#endif
