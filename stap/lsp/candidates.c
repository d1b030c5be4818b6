/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/lsp/candidates.h"

#include <string.h>

#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "stap/lsp/lsp.h"

/*
 * More items than this nobody reads; the editor asks again after further typing.
 */
#define CANDIDATES_MAX 500

void candidates_add(struct candidates *c, const struct candidate *one)
{
	json_t *item;

	if (strncmp(one->name, c->prefix, strlen(c->prefix)))
		return;
	if (json_array_size(c->list) >= CANDIDATES_MAX) {
		c->is_cut = true;
		return;
	}
	item = json_pack("{s:s,s:i,s:{s:s,s:O}}", "label", one->name, "kind", (int)one->kind,
			 "textEdit", "newText", one->name, "range", c->range);
	if (one->detail && *one->detail)
		json_object_set_new(item, "detail", json_string(one->detail));
	if (one->text && *one->text)
		json_object_set_new(item, "documentation", json_string(one->text));
	json_array_append_new(c->list, item);
}

void candidates_replace(struct candidates *c, struct source *source, uint32_t begin, uint32_t end)
{
	json_decref(c->range);
	c->range = document_range(c->l, source, begin, end);
	c->prefix = arena_strndup(c->l->s->arena, source->text + begin, end - begin);
}
