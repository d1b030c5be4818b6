/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/diag.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/color.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/printable.h"
#include "lib/strbuf.h"

#define NEAR_MAX 5
/*
 * Limits for files that are not scripts: they have an error in every line, or a single
 * long line.
 */
#define SHOWN_MAX   200
#define EXCERPT_MAX 200

static const struct {
	const char *name;
	enum color_part color;
} levels[] = {
	[DIAG_ERROR] = { "error", COLOR_ERROR },
	[DIAG_WARNING] = { "warning", COLOR_WARNING },
	[DIAG_TAKEN] = { "note", COLOR_NOTE },
	[DIAG_NOTE] = { "note", COLOR_NOTE },
};

static void add_colored(struct session *s, struct strbuf *out, enum color_part part,
			const char *text, size_t len)
{
	if (s->colors)
		strbuf_addf(out, "\033[%sm", s->colors->sgr[part]);
	strbuf_add(out, text, len);
	if (s->colors)
		strbuf_adds(out, "\033[0m");
}

/*
 * True for a byte that continues a UTF-8 character: such bytes take no column of their
 * own.
 */
static bool is_continuation(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

const char *diag_printable(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_strndup(a, text, len);

	printable_make(copy, len);
	for (char *end = copy; (end = memchr(end, '\n', (size_t)(copy + len - end)));)
		*end = '?';
	return copy;
}

/* Adds "   ^~~~" below a line of `len` bytes, under column `column`. */
static void add_caret(struct session *s, struct strbuf *out, const char *text, size_t len,
		      unsigned column, size_t width)
{
	char *caret = arena_alloc(s->arena, width);

	size_t bytes = width;

	strbuf_adds(out, "  ");
	for (size_t i = 0; i + 1 < column; i++)
		if (i >= len || !is_continuation(text[i]))
			strbuf_addc(out, i < len && text[i] == '\t' ? '\t' : ' ');
	for (size_t i = 1; i < bytes && column - 1 + i < len; i++)
		width -= is_continuation(text[column - 1 + i]);
	memset(caret, '~', width);
	caret[0] = '^';
	add_colored(s, out, COLOR_CARET, caret, width);
	strbuf_addc(out, '\n');
}

/*
 * Adds the source line, and below it a caret under the first byte with tildes to the end
 * of the range.
 */
static void add_excerpt(struct session *s, struct strbuf *out, struct loc loc, unsigned line,
			unsigned column)
{
	size_t len, width, begin;
	const char *text = source_line(s->arena, loc.source, line, &len);

	if (column > EXCERPT_MAX) {
		text += column - EXCERPT_MAX / 2;
		len -= column - EXCERPT_MAX / 2;
		column = EXCERPT_MAX / 2;
	}
	len = strnlen(text, len < EXCERPT_MAX ? len : EXCERPT_MAX);
	text = diag_printable(s->arena, text, len);
	begin = column - 1 < len ? column - 1 : len;
	width = loc.end > loc.begin ? loc.end - loc.begin : 1;
	if (begin + width > len)
		width = len > begin ? len - begin : 1;
	strbuf_addf(out, "  %.*s", (int)begin, text);
	if (begin < len)
		add_colored(s, out, COLOR_TOKEN, text + begin, width);
	if (begin + width < len)
		strbuf_add(out, text + begin + width, len - begin - width);
	strbuf_addc(out, '\n');
	add_caret(s, out, text, len, column, width);
}

static void add_message(struct session *s, struct strbuf *out, struct loc loc,
			enum diag_level level, const char *text)
{
	unsigned line = 0, column = 0;
	const char *name = arena_printf(s->arena, "%s:", levels[level].name);

	if (loc.source) {
		const char *place = source_loc_str(s->arena, loc);

		source_position(s->arena, loc.source, loc.begin, &line, &column);
		add_colored(s, out, COLOR_SOURCE, place, strlen(place));
		strbuf_adds(out, ": ");
	}
	add_colored(s, out, levels[level].color, name, strlen(name));
	strbuf_addf(out, " %s\n", diag_printable(s->arena, text, strlen(text)));
	if (loc.source)
		add_excerpt(s, out, loc, line, column);
}

bool diag_is_full(const struct session *s)
{
	return s->errors >= SHOWN_MAX && !(s->options && s->options->verbose);
}

/* Keeps the text of an error for the summary at the end. */
static void keep_reported(struct session *s, const char *text)
{
	for (size_t i = 0; i < SESSION_REPORTED; i++)
		if (!s->reported[i]) {
			s->reported[i] = text;
			return;
		}
}

static void report(struct session *s, struct loc loc, enum diag_level level, const char *text)
{
	struct strbuf out;

	if (s->listener) {
		s->listener->hear(s->listener, loc, level, text);
		return;
	}
	if (level == DIAG_ERROR)
		keep_reported(s, text);
	if (diag_is_full(s)) {
		if (s->errors == SHOWN_MAX && level == DIAG_ERROR)
			fprintf(stderr,
				"error: there are more errors than these %d; -v shows them\n",
				SHOWN_MAX);
		return;
	}
	strbuf_init(&out, s->arena);
	add_message(s, &out, loc, level, text);
	for (const struct loc_via *via = loc.via; via; via = via->at.via) {
		struct loc at = via->at;

		at.via = NULL;
		add_message(s, &out, at, DIAG_NOTE, via->what);
	}
	fwrite(out.s, 1, out.len, stderr);
}

void diag_error(struct session *s, struct loc loc, const char *fmt, ...)
{
	va_list ap;

	if (s->quiet)
		return;
	va_start(ap, fmt);
	report(s, loc, DIAG_ERROR, arena_vprintf(s->arena, fmt, ap));
	va_end(ap);
	s->errors++;
}

/* True: the same text has been reported at the same place before. */
static bool was_said(struct session *s, struct loc loc, const char *text)
{
	const char *key = arena_printf(s->arena, "%s: %s", source_loc_str(s->arena, loc), text);
	struct hashmap *said = hashmap_made(&s->said, s->arena);

	if (hashmap_get(said, key))
		return true;
	hashmap_put(said, key, s);
	return false;
}

static void warn(struct session *s, struct loc loc, enum diag_level level, const char *fmt,
		 va_list ap)
{
	bool fatal = s->options && s->options->warnings_are_errors;
	bool is_silent = s->options && s->options->no_warnings &&
			 !(level == DIAG_TAKEN && s->options->check_version);
	const char *text;

	if (s->quiet || is_silent || source_is_library(loc))
		return;
	text = arena_vprintf(s->arena, fmt, ap);
	if (was_said(s, loc, text))
		return;
	report(s, loc, fatal ? DIAG_ERROR : level, text);
	if (fatal)
		s->errors++;
	else
		s->warnings++;
}

void diag_warning(struct session *s, struct loc loc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn(s, loc, DIAG_WARNING, fmt, ap);
	va_end(ap);
}

void diag_taken(struct session *s, struct loc loc, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	warn(s, loc, DIAG_TAKEN, fmt, ap);
	va_end(ap);
}

void diag_note(struct session *s, struct loc loc, const char *fmt, ...)
{
	va_list ap;

	if (s->quiet)
		return;
	loc.via = NULL;
	va_start(ap, fmt);
	report(s, loc, DIAG_NOTE, arena_vprintf(s->arena, fmt, ap));
	va_end(ap);
}

void diag_failure(struct session *s, struct loc loc, const struct error *err)
{
	diag_error(s, loc, "%s", err->text);
	s->failures += err->kind == ERROR_ENVIRONMENT;
	if (err->page)
		diag_page(s, err->page - 1);
}

void diag_page(struct session *s, enum diag_page page)
{
	s->pages |= 1u << page;
}

struct error *diag_error_page(struct error *err, enum diag_page page)
{
	err->page = 1 + page;
	return err;
}

/*
 * Returns the pages about everything that was reported, " [man error::pass2] [man
 * error::dwarf]", and the words of --explain for it (doc/explain.h finds them), or "".
 */
static const char *pages_reported(struct session *s)
{
	static const char *const names[PAGE_COUNT] = {
#define PAGE(name, page) [PAGE_##name] = page,
#include "base/pages.def"
#undef PAGE
	};
	const char *text = "";

	for (unsigned i = 0; i < PAGE_COUNT; i++)
		if (s->pages & (1u << i))
			text = arena_printf(s->arena, "%s%s[man %s]", text, *text ? " " : "  ",
					    names[i]);
	if (s->explained)
		text = arena_printf(s->arena, "%s%s[stap --explain %s]", text, *text ? " " : "  ",
				    s->explained);
	return text;
}

int diag_fatal(struct session *s, const struct error *err)
{
	static const int statuses[] = {
		[ERROR_ABSENT] = 3,	 [ERROR_SCRIPT] = 1, [ERROR_USAGE] = 2,
		[ERROR_ENVIRONMENT] = 3, [ERROR_RUN] = 4,
	};

	/*
	 * A text with the output of a compiler has several lines: the names of pages get
	 * a separate line.
	 */
	fprintf(stderr, "%s%s%s%s\n", strncmp(err->text, "Pass ", 5) ? "stap: " : "", err->text,
		strchr(err->text, '\n') ? "\n" : "", pages_reported(s));
	return statuses[err->kind];
}

#define NAME_MAX_LEN 63

/*
 * Returns the Damerau-Levenshtein distance (adjacent transpositions; case is ignored), or
 * a value above `limit` when the distance is above it.
 */
static unsigned edit_distance(const char *a, const char *b, unsigned limit)
{
	unsigned row[3][NAME_MAX_LEN + 2];
	size_t la = strlen(a), lb = strlen(b);

	if (la > NAME_MAX_LEN || lb > NAME_MAX_LEN || (la > lb ? la - lb : lb - la) > limit)
		return limit + 1;
	for (size_t j = 0; j <= lb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3],
			 best;

		now[0] = best = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned d = last[j - 1] + (tolower((unsigned char)a[i - 1]) !=
						    tolower((unsigned char)b[j - 1]));

			if (last[j] + 1 < d)
				d = last[j] + 1;
			if (now[j - 1] + 1 < d)
				d = now[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < d)
				d = before[j - 2] + 1;
			now[j] = d;
			if (d < best)
				best = d;
		}
		if (best > limit)
			return limit + 1;
	}
	return row[la % 3][lb];
}

struct candidate {
	const char *name;
	unsigned distance;
};

/*
 * True: a is nearer than b. When two names are equally near, the alphabetically first
 * wins, whatever the order in which they were found.
 */
static bool is_better(struct candidate a, struct candidate b)
{
	return a.distance != b.distance ? a.distance < b.distance : strcmp(a.name, b.name) < 0;
}

/*
 * Keeps the best NEAR_MAX candidates, sorted; duplicates are dropped. Returns the new
 * count.
 */
static unsigned keep_candidate(struct candidate *best, unsigned n, struct candidate c)
{
	unsigned at = n;

	for (unsigned i = 0; i < n; i++)
		if (!strcmp(best[i].name, c.name))
			return n;
	while (at > 0 && is_better(c, best[at - 1]))
		at--;
	if (at == NEAR_MAX)
		return n;
	if (n < NEAR_MAX)
		n++;
	memmove(best + at + 1, best + at, (n - 1 - at) * sizeof(*best));
	best[at] = c;
	return n;
}

const char *diag_near(struct session *s, const char *name, const char *const *names, size_t count)
{
	size_t len = strlen(name);
	unsigned limit = len < 4 ? 1 : len < 8 ? 2 : 3, n = 0;
	struct candidate best[NEAR_MAX + 1];
	struct strbuf out;

	for (size_t i = 0; i < count; i++) {
		unsigned d = edit_distance(name, names[i], limit);

		if (d <= limit && d < len && strcmp(name, names[i]))
			n = keep_candidate(best, n, (struct candidate){ names[i], d });
	}
	if (!n)
		return NULL;
	/* Next to a really near name, the others are noise. */
	while (best[n - 1].distance > best[0].distance + 1)
		n--;
	strbuf_init(&out, s->arena);
	for (unsigned i = 0; i < n; i++)
		strbuf_addf(&out, "%s'%s'", i == 0 ? "" : i == n - 1 ? " or " : ", ", best[i].name);
	return out.s;
}
