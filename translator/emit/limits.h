/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names for -D: limits of a script at run time, and a few others. limits.def has a
 * row for each. Nothing is copied unchecked into the C file.
 */
#ifndef STAP_EMIT_LIMITS_H
#define STAP_EMIT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct definition;
struct session;
struct writer;

enum limit {
#define LIMIT(kind, macro, member, initial, least, easy, most) LIMIT_##kind,
#define SWITCH(...)
#define IDLE(...)
#include "emit/limits.def"
#undef LIMIT
#undef SWITCH
#undef IDLE
	LIMIT_COUNT
};

/*
 * Bytes of strings that a statement copies without charge: the default of MAXSTRINGLEN.
 */
#define STRING_SHORT 512

uint64_t limit_value(struct session *s, enum limit which);
/* True: -D sets the limit. */
bool limit_is_set(struct session *s, enum limit which);
/*
 * Reports each -D that is refused: a name that is not in the table, without -g; a value
 * that is out of bounds, or neither a number nor, for a macro of -g, an identifier. Warns
 * of names that do nothing here.
 */
void limits_check(struct session *s);
/*
 * Returns the replacement text in C for the macro of a -D, after limits_check(); NULL:
 * the name does nothing here.
 */
const char *limits_macro(struct session *s, const struct definition *d);
/*
 * Emits the members of struct stp_limits. `nesting` is the depth that the call graph
 * needs; -DMAXNESTING overrides it.
 */
void limits_emit(struct session *s, struct writer *w, uint64_t nesting);

#endif
