/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the runtime that the C file uses, for the build: noted where the file is
 * written. runtime/parts.def has the parts, and the names that need them.
 */
#ifndef STAP_EMIT_LINKPARTS_H
#define STAP_EMIT_LINKPARTS_H

#include <stdbool.h>
#include <stddef.h>

struct session;
struct writer;

/* In the order in which modules are linked. */
enum part {
#define PART(id, object) PART_##id,
#include "parts.def"
#define FAMILY(name) PART_FAMILY_##name,
#include "probe/families.def"
#undef FAMILY
	PART_POINTS, /* points of any family, and the tables that they are found by */
	PART_COUNT
};

/* Begins a C file, which uses nothing yet. */
void linkparts_begin(struct session *s);
/*
 * Begins a part of the file. A name of the runtime in its lines, outside of quotes, makes
 * its part needed; a name that parts.def does not have is a mistake of the translator.
 */
void linkparts_writer(struct session *s, struct writer *w);
/* Notes embedded C, which may use any of the runtime's names, and has its own. */
void linkparts_embedded(struct session *s, const char *text, size_t len);
void linkparts_need(struct session *s, enum part part);
/*
 * Ends the file: looks through its embedded C. Returns the name that parts.def does not
 * have, or NULL.
 */
const char *linkparts_end(struct session *s);

bool linkparts_has(const struct session *s, enum part part);
/* Returns the name of the part's object: "values", "family_timer". */
const char *linkparts_object(enum part part);

#endif
