/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The BTF table of a unit's types while it is being made: the ids of types, words and
 * names, and attributes of DIEs as the writers of types read them.
 */
#ifndef STAP_DWARF_UNITTABLE_H
#define STAP_DWARF_UNITTABLE_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dwarf/codenames.h"
#include "dwarf/scopenames.h"
#include "lib/vec.h"

struct btf;
struct declared_letter;
struct seen;
struct session;

struct unit_type {
	Dwarf_Die die;
	const char *scope; /* "std", or NULL */
};

/* A fact that BTF cannot express: types/tag.h. */
struct type_tag {
	uint32_t type, text; /* text: as unittable_string() returns it */
	int32_t component;
};

/* A member of a complex number: the word with its type, which is written at the end. */
struct half {
	size_t word;
	uint32_t size;
};

/* The same of a member of a type that is only declared; letter: NULL for a number. */
struct declared_word {
	size_t word;
	const struct declared_letter *letter;
};

struct unit_types {
	struct session *s;
	struct btf *btf;
	VEC(struct unit_type) types; /* id - 1 */
	/* Names are qualified by the namespace and class around them. */
	bool scopes;
	bool is_go;
	uint32_t go_names; /* gotypes_names() */
	bool is_moved;	   /* the file is loaded anywhere */
	const void *unit;  /* its DIE */
	struct codenames codes;
	struct scope_names elsewhere;
	struct seen *seen; /* open-addressed */
	size_t mask, count;
	VEC(uint32_t) words; /* the type section */
	char *strings;
	size_t strings_len, strings_room;
	VEC(struct type_tag) tags; /* written after all types */
	VEC(struct half) halves;
	VEC(struct declared_word) declared;
};

/* Makes room for ids; call it once, before all others. */
void unittable_init(struct unit_types *u);
/* Returns the id of a type, which it gets now if it has none; 0: the DIE is no type. */
uint32_t unittable_add(struct unit_types *u, Dwarf_Die *type);
/* The same of the type that the DIE's DW_AT_type names. */
uint32_t unittable_refer(struct unit_types *u, Dwarf_Die *die);
/* Returns the id of a type that has one; else 0. */
uint32_t unittable_id(struct unit_types *u, Dwarf_Die *type);

/* Appends to the type section. */
void unittable_word(struct unit_types *u, uint32_t w);
/* Appends a name; returns its offset, 0 for NULL and "". */
uint32_t unittable_string(struct unit_types *u, const char *text);
/* Appends the three words with which each type begins. */
void unittable_head(struct unit_types *u, uint32_t name, unsigned kind, unsigned vlen, bool flag,
		    uint32_t size_or_type);
/* Notes a tag of the type that is being written. */
void unittable_tag(struct unit_types *u, Dwarf_Die *die, int32_t component, const char *text);

/* Returns a type's name, qualified by its scope. */
const char *unittable_name(struct unit_types *u, Dwarf_Die *die);

/* Returns an attribute's value; `otherwise` if there is none, or it is no constant. */
uint64_t unittable_constant(Dwarf_Die *die, unsigned attribute, uint64_t otherwise);
bool unittable_has(Dwarf_Die *die, unsigned attribute);
/* True for a declaration: it is defined elsewhere in the unit, or nowhere in it. */
bool unittable_is_declaration(Dwarf_Die *die);

#endif
