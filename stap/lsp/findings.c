/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Mistakes of a document. The second pass finds more than syntax errors, except in
 * declarations that have one, and except about names that these declarations may define.
 */
#include <string.h>

#include "ast/node.h"
#include "base/diag.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "stap/lsp/examine.h"
#include "stap/lsp/lsp.h"
#include "stap/lsp/textpieces.h"

/* Text that is not a script would give an error in every line. */
#define FINDINGS_MAX 500

struct findings {
	struct diag_listener listener; /* first member: hear() gets its address */
	struct lsp *l;
	const struct document *document;
	struct source *source;	     /* the editor's text */
	json_t *found, *last;	     /* last: gets the notes that follow; NULL: it was left out */
	VEC(uint32_t) syntax;	     /* places of the errors of the first pass */
	const struct pieces *pieces; /* in a second pass after syntax errors; else NULL */
};

/*
 * Returns the place in the document that a message is about: messages about the library
 * are shown where it is used. NULL: there is none.
 */
static const struct loc *place_of(const struct loc *loc)
{
	for (; loc; loc = loc->via ? &loc->via->at : NULL)
		if (loc->source && !loc->source->is_tapset)
			return loc;
	return NULL;
}

static json_t *range_of(struct findings *c, const struct loc *loc)
{
	return document_range(c->l, c->source, loc ? loc->begin : 0, loc ? loc->end : 0);
}

/* True: the message may be caused by a syntax error elsewhere. */
static bool is_doubtful(const struct findings *c, const struct loc *loc)
{
	if (!c->pieces || !loc)
		return false;
	return textpieces_at(c->pieces, loc->begin)->is_broken ||
	       textpieces_declare(c->pieces, loc->begin, loc->end);
}

static json_t *note_of(struct findings *c, const struct loc *place, const char *text)
{
	return json_pack("{s:{s:s,s:o},s:s}", "location", "uri", c->document->uri, "range",
			 range_of(c, place), "message", text);
}

static void hear_note(struct findings *c, const struct loc *place, const char *text)
{
	json_t *notes = json_object_get(c->last, "relatedInformation");

	if (!c->last)
		return;
	if (!notes)
		json_object_set_new(c->last, "relatedInformation", notes = json_array());
	json_array_append_new(notes, note_of(c, place, text));
}

static void hear(struct diag_listener *listener, struct loc loc, enum diag_level level,
		 const char *text)
{
	static const int severities[] = {
		[DIAG_ERROR] = 1, [DIAG_WARNING] = 2, [DIAG_TAKEN] = 3, [DIAG_NOTE] = 3
	};
	struct findings *c = (struct findings *)listener;
	const struct loc *place = place_of(&loc);

	if (level == DIAG_NOTE) {
		hear_note(c, place, text);
		return;
	}
	c->last = NULL;
	if (json_array_size(c->found) >= FINDINGS_MAX || is_doubtful(c, place))
		return;
	if (level == DIAG_ERROR && !c->pieces)
		vec_push(c->l->s->arena, &c->syntax, place ? place->begin : 0);
	c->last = json_pack("{s:o,s:i,s:s,s:s}", "range", range_of(c, place), "severity",
			    severities[level], "source", "stap", "message", text);
	json_array_append_new(c->found, c->last);
}

/* Looks for further errors. */
static struct error *look_on(struct findings *c, struct examined *check)
{
	struct pieces pieces;

	if (c->syntax.count && check->unit) {
		textpieces_read(c->l->s->arena, c->source, check->unit, &pieces);
		vec_each(&c->syntax, i)
			textpieces_mark(&pieces, c->syntax.data[i]);
		c->pieces = &pieces;
	}
	return examine_elaborate(check);
}

json_t *findings_of(struct lsp *l, const struct document *d)
{
	struct findings c = { .listener = { hear },
			      .l = l,
			      .document = d,
			      .source = document_source(l, d),
			      .found = json_array() };
	struct examined check;
	struct error *err = examine_parse(l, d, &c.listener, &check);

	if (!err)
		err = look_on(&c, &check);
	if (err && !check.s.errors)
		hear(&c.listener, (struct loc){ 0 }, DIAG_ERROR, err->text);
	return json_pack("{s:s,s:I,s:o}", "uri", d->uri, "version", d->version, "diagnostics",
			 c.found);
}
