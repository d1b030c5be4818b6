/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/spot.h"

#include "base/session.h"
#include "lib/arena.h"
#include "stap/lsp/lsp.h"

bool spot_find(struct lsp *l, const json_t *params, struct spot *ret)
{
	const struct document *d = documents_asked(l, params);
	size_t begin, end;

	if (!d)
		return false;
	ret->document = d;
	ret->source = document_source(l, d);
	ret->offset = document_offset(l, ret->source, json_object_get(params, "position"));
	cursor_find(ret->source->text, ret->offset, &ret->place);
	cursor_word(ret->source->text, ret->source->len, ret->offset,
		    ret->place.kind == PLACE_HEADER ? ".*" : "$@", &begin, &end);
	ret->word = (struct loc){ .source = ret->source,
				  .begin = (uint32_t)begin,
				  .end = (uint32_t)end };
	ret->name = arena_strndup(l->s->arena, ret->source->text + begin, end - begin);
	return ret->place.kind != PLACE_COMMENT;
}

const char *spot_points(struct lsp *l, const struct spot *at)
{
	return arena_strndup(l->s->arena, at->source->text + at->place.header,
			     at->place.header_end - at->place.header);
}
