/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of programs that are shown by their meaning in their language: types of
 * libraries (printers.def), enums with payload, enumerations with a scope, floating
 * point. Their rows are for runtime/core/prettylists.c.
 */
#ifndef STAP_TYPES_SHOWN_H
#define STAP_TYPES_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct session;
struct shaper;

#define SHOWN_ROWS 256 /* deeper values are not examined: enums may contain enums */

/* Append a value's rows; false: it is printed in the plain way. */
bool shown_structure(struct shaper *sh, uint32_t id, uint64_t offset, const char *name,
		     unsigned level);
bool shown_number(struct shaper *sh, uint32_t type, uint64_t offset, const char *name);
/* Appends the rows of a string's bare text. */
void shown_text(struct shaper *sh, uint32_t type);
/* True: it can. */
bool shown_is_text(struct session *s, const struct btf *btf, uint32_t type, bool of_program);

/* Returns the text of a pointer to the type that has no target. */
const char *shown_null(const struct shaper *sh, uint32_t type);

/* Returns the name of a base class, "<geo::Base>="; NULL: it is empty. */
const char *shown_class(struct shaper *sh, uint32_t type);

#endif
