/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of a script at run time: a row of limits.def for each, with its default and the
 * -D that sets it.
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
 * Bytes of strings that a statement copies without being charged for them: MAXSTRINGLEN,
 * unless -D sets it.
 */
#define STRING_SHORT 512

uint64_t limit_value(struct session *s, enum limit which);
/* True: -D sets the limit. */
bool limit_is_set(struct session *s, enum limit which);
/* Reports -D values that are no numbers or out of range. */
void limits_check(struct session *s);
/*
 * Emits the members of struct stp_limits. `nesting` is the call graph's need, which
 * -DMAXNESTING overrides.
 */
void limits_emit(struct session *s, struct writer *w, uint64_t nesting);

#endif
