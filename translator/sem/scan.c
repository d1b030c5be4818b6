/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The quick scan of a library file for its declarations. */
#include <ctype.h>
#include <string.h>

#include "base/lexical.h"
#include "base/source.h"
#include "lib/arena.h"
#include "sem/libindex.h"

struct scan {
	struct index_maker *m;
	uint32_t file;
	const char *at, *end;
};

/* A word and its place. */
struct word {
	const char *s;
	size_t len;
};

/* Skips blanks, comments, strings and embedded C: true when something was skipped. */
static bool skip_noise(struct scan *sc)
{
	struct lexical piece = lexical_next(sc->at);

	if (!lexical_is_gap(piece.kind) && piece.kind != LEXICAL_STRING &&
	    piece.kind != LEXICAL_EMBEDDED)
		return false;
	sc->at += piece.len;
	return true;
}

static void skip_all_noise(struct scan *sc)
{
	while (sc->at < sc->end && skip_noise(sc))
		;
}

/*
 * Skips a body. Most of a library is bodies: only text that may hide a brace is examined.
 */
static void skip_body(struct scan *sc)
{
	unsigned depth = 0;

	while (sc->at < sc->end) {
		sc->at += strcspn(sc->at, "{}\"/#%");
		if (sc->at >= sc->end || skip_noise(sc))
			continue;
		depth += *sc->at == '{';
		depth -= *sc->at == '}';
		sc->at++;
		if (!depth)
			return;
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

static struct word read_word(struct scan *sc)
{
	struct word w;

	skip_all_noise(sc);
	w.s = sc->at;
	while (sc->at < sc->end && is_word(*sc->at))
		sc->at++;
	w.len = (size_t)(sc->at - w.s);
	return w;
}

static bool word_is(struct word w, const char *text)
{
	return w.len == strlen(text) && !memcmp(w.s, text, w.len);
}

static void add(struct scan *sc, enum index_kind kind, struct word name)
{
	struct index_entry e = { kind, (uint32_t)sc->m->names.len, sc->file };

	if (!name.len)
		return;
	strbuf_add(&sc->m->names, name.s, name.len);
	strbuf_addc(&sc->m->names, 0);
	vec_push(sc->m->arena, &sc->m->entries, e);
}

/*
 * Reads probe a.b("x").c = …: the text up to '=' or '+=' without blanks. A probe that is
 * not an alias is ignored.
 */
static void scan_probe(struct scan *sc)
{
	const char *start, *stop;

	skip_all_noise(sc);
	for (start = sc->at; sc->at < sc->end && !strchr("={,", *sc->at);)
		sc->at += *sc->at == '"' ? lexical_next(sc->at).len : 1;
	if (sc->at == sc->end || *sc->at != '=')
		return;
	stop = sc->at - (sc->at[-1] == '+');
	while (stop > start && isspace((unsigned char)stop[-1]))
		stop--;
	add(sc, INDEX_ALIAS, (struct word){ start, (size_t)(stop - start) });
}

/*
 * Reads NAME[10]% :long = -1, NAME …: a word is a name at the beginning and after a
 * comma.
 */
static void scan_globals(struct scan *sc)
{
	char before = ',';

	while (sc->at < sc->end) {
		char c = *sc->at;

		if (c == '"')
			before = c;
		if (skip_noise(sc))
			continue;
		if (!is_word(c))
			sc->at++;
		else if (before == ',')
			add(sc, INDEX_GLOBAL, read_word(sc));
		else if (strchr(":=-[", before))
			read_word(sc);
		else
			return; /* the next declaration */
		before = c;
	}
}

void scan_file(struct index_maker *m, const struct source *src, uint32_t file)
{
	struct scan sc = { m, file, src->text, src->text + src->len };
	bool is_private = false;

	while (sc.at < sc.end) {
		if (*sc.at == '{') {
			skip_body(&sc);
			continue;
		}
		if (skip_noise(&sc))
			continue;
		if (!is_word(*sc.at)) {
			sc.at++;
			continue;
		}

		/* kernel.function("…") is not a declaration. */
		bool is_member = sc.at > src->text && sc.at[-1] == '.';
		struct word w = read_word(&sc);

		if (is_member)
			continue;
		if (word_is(w, "function") && !is_private)
			add(&sc, INDEX_FUNCTION, read_word(&sc));
		else if (word_is(w, "probe"))
			scan_probe(&sc);
		else if (word_is(w, "global") && !is_private)
			scan_globals(&sc);
		is_private = word_is(w, "private");
	}
}

void scan_init(struct index_maker *m, struct arena *a)
{
	*m = (struct index_maker){ .arena = a };
	strbuf_init(&m->names, a);
}
