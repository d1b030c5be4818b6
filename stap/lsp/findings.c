/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Mistakes of a document: runs the first two passes, in a session of its own. */
#include <string.h>

#include "ast/program.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "stap/lsp/lsp.h"
#include "stap/pass.h"

/*
 * The number of arguments. An editor does not say which a script will get: there are as
 * many as any script wants, and each may be a number.
 */
#define ARGUMENTS 16

struct check {
	struct diag_listener listener; /* first: hear() finds the rest by it */
	struct lsp *l;
	const struct document *document;
	struct source *source;         /* the editor's text */
	json_t *found, *last;          /* last: notes belong to it */
};

/*
 * Returns the place in the document that a message is about: messages about the library
 * go to its user. NULL: there is none.
 */
static const struct loc *place_of(const struct loc *loc)
{
	for (; loc; loc = loc->via ? &loc->via->at : NULL)
		if (loc->source && !loc->source->is_tapset)
			return loc;
	return NULL;
}

static json_t *range_of(struct check *c, const struct loc *loc)
{
	return document_range(c->l, c->source, loc ? loc->begin : 0, loc ? loc->end : 0);
}

static void hear(struct diag_listener *listener, struct loc loc, enum diag_level level,
		 const char *text)
{
	static const int severities[] = {
		[DIAG_ERROR] = 1, [DIAG_WARNING] = 2, [DIAG_TAKEN] = 3, [DIAG_NOTE] = 3
	};
	struct check *c = (struct check *)listener;
	json_t *range = range_of(c, place_of(&loc));

	if (level == DIAG_NOTE && c->last) {
		json_t *notes = json_object_get(c->last, "relatedInformation");

		if (!notes)
			json_object_set_new(c->last, "relatedInformation", notes = json_array());
		json_array_append_new(notes,
				      json_pack("{s:{s:s,s:o},s:s}", "location", "uri",
						c->document->uri, "range", range, "message", text));
		return;
	}
	c->last = json_pack("{s:o,s:i,s:s,s:s}", "range", range, "severity", severities[level],
			    "source", "stap", "message", text);
	json_array_append_new(c->found, c->last);
}

static void copy_options(struct lsp *l, const struct document *d, struct options *ret)
{
	*ret = *l->s->options;
	ret->last_pass = 2;
	ret->script_text = d->text;
	for (int i = 0; i < ARGUMENTS; i++)
		vec_push(l->s->arena, &ret->args, "1");
}

json_t *findings_of(struct lsp *l, const struct document *d)
{
	struct check c = { .listener = { hear },
			   .l = l,
			   .document = d,
			   .source = document_source(l, d),
			   .found = json_array() };
	struct session s = { .arena = l->s->arena,
			     .program = program_create(l->s->arena),
			     .data_dir = l->s->data_dir,
			     .bin_dir = l->s->bin_dir,
			     .tmp_dir = l->s->tmp_dir,
			     .guard = l->s->guard,
			     .listener = &c.listener };
	struct options options;
	struct error *err;

	copy_options(l, d, &options);
	s.options = &options;
	err = passes_check(&s);
	if (err && !s.errors)
		hear(&c.listener, (struct loc){ 0 }, DIAG_ERROR, err->text);
	return json_pack("{s:s,s:I,s:o}", "uri", d->uri, "version", d->version, "diagnostics",
			 c.found);
}
