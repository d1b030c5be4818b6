/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "emit/linkparts.h"

#include <stdint.h>
#include <string.h>

#include "ast/program.h"
#include "base/session.h"
#include "base/writer.h"
#include "lib/arena.h"
#include "lib/word.h"

#define PREFIX	   "stp_"
#define PREFIX_LEN (sizeof(PREFIX) - 1)

struct linkparts {
	struct arena *arena;
	struct writer_words words;
	uint64_t parts;
	const char *unknown;
	struct strbuf embedded;
};

#define IN(part) (UINT64_C(1) << PART_##part)

static const struct name {
	const char *text;
	size_t len;
	bool is_beginning;
	uint64_t parts;
} names[] = {
#define NAME(name, parts)	{ #name, sizeof(#name) - 1, false, parts },
#define NAMES(beginning, parts) { #beginning, sizeof(#beginning) - 1, true, parts },
#include "parts.def"
#define FAMILY(name)                                                                               \
	{ "family_" #name, sizeof("family_" #name) - 1, false,                                     \
	  IN(VALUES) | IN(FAMILY_##name) | IN(POINTS) },
#include "probe/families.def"
#undef FAMILY
};
_Static_assert(PART_COUNT <= 64, "parts are bits");

/* Returns the row of stp_WORD; NULL: there is none. */
static const struct name *find(const char *word, size_t len)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct name *n = &names[i];

		if ((n->is_beginning ? len >= n->len : len == n->len) &&
		    !memcmp(n->text, word, n->len))
			return n;
	}
	return NULL;
}

static bool is_behind(const char *text, const char *at, const char *before)
{
	ptrdiff_t len = (ptrdiff_t)strlen(before);

	return at - text >= len && !memcmp(at - len, before, (size_t)len);
}

/* True: the word is the name of a type. */
static bool is_tag(const char *text, const char *at)
{
	return is_behind(text, at, "struct ") || is_behind(text, at, "enum ") ||
	       is_behind(text, at, "union ");
}

/* ---- code that the translator writes ---- */

static void note_name(void *ctx, const char *line, const char *at)
{
	struct linkparts *l = ctx;
	const char *word = at + PREFIX_LEN;
	size_t len = word_length(word);
	const struct name *name;

	if (is_tag(line, at))
		return;
	name = find(word, len);
	if (name)
		l->parts |= name->parts;
	else
		l->unknown = arena_strndup(l->arena, at, PREFIX_LEN + len);
}

void linkparts_begin(struct session *s)
{
	struct linkparts *l = arena_new(s->arena, struct linkparts);

	l->arena = s->arena;
	l->words = (struct writer_words){ PREFIX, note_name, l };
	strbuf_init(&l->embedded, s->arena);
	s->program->linkparts = l;
}

void linkparts_writer(struct session *s, struct writer *w)
{
	writer_init(w, s->arena);
	w->words = &s->program->linkparts->words;
}

void linkparts_need(struct session *s, enum part part)
{
	s->program->linkparts->parts |= UINT64_C(1) << part;
}

/* ---- embedded C ---- */

void linkparts_embedded(struct session *s, const char *text, size_t len)
{
	struct strbuf *b = &s->program->linkparts->embedded;

	strbuf_add(b, text, len);
	strbuf_addc(b, '\n');
}

/*
 * True: the text defines the name itself, because the first line with that word is a
 * definition. Names of the runtime are declared in headers only.
 */
static bool is_own(const char *text, const char *name, size_t len)
{
	for (const char *at = text; (at = memmem(at, strlen(at), name, len)); at += len) {
		if ((at > text && word_char(at[-1])) || word_char(at[len]))
			continue;
		while (at > text && at[-1] != '\n')
			at--;
		return !strncmp(at, "static ", 7);
	}
	return false;
}

/* True: the word is a name from SystemTap's runtime, "_stp_…": api/embedcalls.h. */
static bool is_foreign(const char *text, const char *at)
{
	return at > text && at[-1] == '_' && (at - 1 == text || !word_char(at[-2]));
}

const char *linkparts_end(struct session *s)
{
	struct linkparts *l = s->program->linkparts;
	const char *text = l->embedded.s;

	if (strstr(text, "STAP_PRINTF"))
		l->parts |= IN(VALUES);
	for (const char *at = text; (at = strstr(at, PREFIX)); at += PREFIX_LEN) {
		size_t len = word_length(at + PREFIX_LEN);
		const struct name *name = find(at + PREFIX_LEN, len);

		if (is_foreign(text, at))
			l->parts |= IN(VALUES);
		if ((at > text && word_char(at[-1])) || is_tag(text, at))
			continue;
		if (name)
			l->parts |= name->parts;
		else if (!(l->parts & IN(VALUES)) && !is_own(text, at, PREFIX_LEN + len))
			l->parts |= IN(VALUES);
	}
	return l->unknown;
}

/* ---- for the build ---- */

bool linkparts_has(const struct session *s, enum part part)
{
	return s->program->linkparts->parts >> part & 1;
}

const char *linkparts_object(enum part part)
{
	static const char *const objects[PART_COUNT] = {
#define PART(id, object) [PART_##id] = #object,
#include "parts.def"
#define FAMILY(name) [PART_FAMILY_##name] = "family_" #name,
#include "probe/families.def"
#undef FAMILY
		[PART_POINTS] = "points",
	};

	return objects[part];
}
