/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Diagnostics: `file:line:col: error: text`, the source line, a caret range, and one
 * `note:` for every step of the location's chain. A diagnostic is recorded and the caller
 * continues. The pass driver stops after a pass with errors, so that users see all of
 * them. An erroneous node gets TYPE_ERROR, which silences follow-ups. Texts start in
 * lower case, name the thing in 'quotes' and say what to do after a semicolon.
 */
#ifndef STAP_DIAG_H
#define STAP_DIAG_H

#include <stdbool.h>

#include "base/source.h"

struct session;
struct error;

enum diag_level {
	DIAG_ERROR,
	DIAG_WARNING,
	DIAG_TAKEN, /* printed as a note */
	DIAG_NOTE,
};

/* Receives the messages that would be printed: s->listener. */
struct diag_listener {
	void (*hear)(struct diag_listener *l, struct loc loc, enum diag_level level,
		     const char *text);
};

void diag_error(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Reports a warning: silent under -w, an error under -W, and never printed for tapset
 * sources.
 */
void diag_warning(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * True: there are so many errors that further ones are only counted. Callers then need
 * not search for details.
 */
bool diag_is_full(const struct session *s);
/*
 * Reports, as a separate note, the replacement for something that does not exist. An
 * error under -W; silent under -w and for tapset sources.
 */
void diag_taken(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Returns an untrusted text without the bytes that a terminal would interpret as
 * commands.
 */
const char *diag_printable(struct arena *a, const char *text, size_t len);
/* Adds a note to the diagnostic before it. */
void diag_note(struct session *s, struct loc loc, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Reports an environment failure at the place in the script that caused it. */
void diag_failure(struct session *s, struct loc loc, const struct error *err);

enum diag_page {
#define PAGE(name, page) PAGE_##name,
#include "base/pages.def"
#undef PAGE
	PAGE_COUNT
};

/* Records that the page explains what was just reported: diag_fatal() names it. */
void diag_page(struct session *s, enum diag_page page);
/* Records the page in an error that diag_failure() may report later. */
struct error *diag_error_page(struct error *err, enum diag_page page);

/* Prints the error that ends stap; returns the exit status. */
int diag_fatal(struct session *s, const struct error *err);

/*
 * Returns the names (of `count`) nearest to `name` by edit distance, at most 5, the best
 * first, then alphabetically, as "'a', 'b' or 'c'"; NULL if none is near. Duplicates are
 * dropped.
 */
const char *diag_near(struct session *s, const char *name, const char *const *names, size_t count);

#endif
