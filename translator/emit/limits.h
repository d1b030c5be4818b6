/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of a script at run time: a row of limits.def
 * each, with its default and the -D that sets it.
 */
#ifndef STAP_EMIT_LIMITS_H
#define STAP_EMIT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

struct session;
struct writer;

enum limit {
#define LIMIT(kind, macro, member, initial, least, most) LIMIT_##kind,
#include "emit/limits.def"
#undef LIMIT
	LIMIT_COUNT
};

/*
 * Bytes of strings that a statement copies without
 * being charged for: MAXSTRINGLEN, unless one sets it.
 */
#define STRING_SHORT 512

uint64_t limit_value(struct session *s, enum limit which);
/* -D gave it. */
bool limit_is_set(struct session *s, enum limit which);
/* Reports -D values that are no numbers or out of range. */
void limits_check(struct session *s);
/*
 * The members of struct stp_limits. `nesting` is what
 * the call graph needs, unless -DMAXNESTING says.
 */
void limits_emit(struct session *s, struct writer *w, uint64_t nesting);

#endif
