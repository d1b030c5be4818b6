/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: `file:line:col: error: text`, the source line, a caret range, and one
 * `note:` for every step of the location's chain. A diagnostic is recorded and the caller
 * goes on; the pass driver stops after a pass with errors, so that users see all of them.
 * An erroneous node gets TYPE_ERROR, which silences follow-ups. Texts start in lower
 * case, name the thing in 'quotes' and say what to do after a semicolon.
 */
#ifndef STAP_DIAG_H
#define STAP_DIAG_H

#include <stdbool.h>

#include "base/source.h"

struct session;
struct error;

enum diag_level {
	DIAG_ERROR, DIAG_WARNING,
	DIAG_TAKEN, /* printed as a note */
	DIAG_NOTE,
};

/* Who hears what would be printed: s->listener. */
struct diag_listener {
	void (*hear)(struct diag_listener *l, struct loc loc, enum diag_level level,
		     const char *text);
};

void diag_error(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Silent under -w, an error under -W, and never printed for tapset sources. */
void diag_warning(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * So many errors that more are only counted: what
 * would go into their texts need not be found out.
 */
bool diag_is_full(const struct session *s);
/*
 * A note that stands for itself: what was taken for something that is
 * not there. An error under -W, silent under -w and of tapset sources.
 */
void diag_taken(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Belongs to the diagnostic before it. */
void diag_note(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* An environment failure that a place in the script ran into. */
void diag_failure(struct session *s, struct loc loc, const struct error *err);

enum diag_page {
#define PAGE(name, page) PAGE_##name,
#include "base/pages.def"
#undef PAGE
	PAGE_COUNT
};

/* What was just reported is explained in that manual page: diag_pages() names it. */
void diag_page(struct session *s, enum diag_page page);
/* The same for what diag_failure() may report. */
struct error *diag_error_page(struct error *err, enum diag_page page);
/* "  [man error::pass2] [man error::dwarf]": the pages of what was reported, or "". */
const char *diag_pages(struct session *s);

/* Prints what ends stap; its exit status. */
int diag_fatal(struct session *s, const struct error *err);

/*
 * Of `count` names the nearest to `name` by edit distance (at most 5, best first, then by
 * the alphabet), as "'a', 'b' or 'c'"; NULL when none is near. Duplicates are dropped.
 */
const char *diag_near(struct session *s, const char *name, const char *const *names, size_t count);

#endif
