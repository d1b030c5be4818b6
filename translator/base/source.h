/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sources and locations. A location is a byte range in a source; lines and columns are
 * computed when a message is printed. `via` is the place through which this text was
 * reached: a macro's use, an alias's use, or the call that pulled in a tapset file.
 * Diagnostics print the chain as notes.
 */
#ifndef STAP_SOURCE_H
#define STAP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct loc_via;

struct source {
	const char *name; /* as shown in messages: a path, "<input>" for -e, "<stdin>" */
	const char *text; /* NUL-terminated; may hold NUL bytes before its end */
	size_t len;
	/*
	 * Library text: embedded C is allowed without -g, and unused things draw no
	 * warning.
	 */
	bool is_tapset;
	uint32_t *lines; /* offsets of line starts, made on first use */
	size_t nlines;
};

struct loc {
	struct source *source;	   /* NULL: no place (made by the translator) */
	uint32_t begin, end;	   /* byte offsets, end exclusive */
	const struct loc_via *via; /* NULL at the outermost place */
};

/* One step of the chain: "in expansion of macro '@foo'", at `at`. */
struct loc_via {
	const char *what;
	struct loc at;
};

struct source *source_from_text(struct arena *a, const char *name, const char *text, size_t len);

/*
 * Computes the 1-based line and column (in bytes; a tab is one column) of a byte offset.
 */
void source_position(struct arena *a, struct source *src, uint32_t offset, unsigned *line,
		     unsigned *column);
/* Returns the text of a 1-based line, without its newline. */
const char *source_line(struct arena *a, struct source *src, unsigned line, size_t *len);
/* Returns "file:line:col", or "<built-in>" if loc has no source. */
const char *source_loc_str(struct arena *a, struct loc loc);
/* True: the place is in the script library. */
static inline bool source_is_library(struct loc loc)
{
	return loc.source && loc.source->is_tapset;
}
/*
 * Returns the range from a's beginning to b's end if both are in one source; otherwise a.
 */
struct loc source_loc_join(struct loc a, struct loc b);

#endif
