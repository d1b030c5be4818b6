/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Quick fixes: the names that a message proposes after "did you mean". */
#include <string.h>

#include "base/session.h"
#include "lib/arena.h"
#include "stap/lsp/lsp.h"

#define MEANT "did you mean "

/*
 * Returns the next text in single quotes, and moves *at past it. NULL: there are no more.
 */
static const char *next_quoted(struct lsp *l, const char **at)
{
	const char *begin = strchr(*at, '\''), *end = begin ? strchr(begin + 1, '\'') : NULL;

	if (!end)
		return NULL;
	*at = end + 1;
	return arena_strndup(l->s->arena, begin + 1, (size_t)(end - begin - 1));
}

/* Finds the wrong name: the first name of the message that is in the marked text. */
static bool find_wrong(struct lsp *l, struct source *source, const char *message, uint32_t *begin,
		       uint32_t *end)
{
	const char *at = message, *name;

	while ((name = next_quoted(l, &at)) != NULL && at < strstr(message, MEANT)) {
		const char *found =
			memmem(source->text + *begin, *end - *begin, name, strlen(name));

		if (!*name || !found)
			continue;
		*begin = (uint32_t)(found - source->text);
		*end = *begin + (uint32_t)strlen(name);
		return true;
	}
	return false;
}

static void add_fix(struct lsp *l, struct source *source, json_t *list, json_t *diagnostic,
		    const char *name, json_t *range)
{
	json_t *changes = json_object();

	json_object_set_new(changes, source->name,
			    json_pack("[{s:O,s:s}]", "range", range, "newText", name));
	json_array_append_new(list,
			      json_pack("{s:o,s:s,s:[O],s:{s:o}}", "title",
					json_sprintf("Replace with '%s'", name), "kind", "quickfix",
					"diagnostics", diagnostic, "edit", "changes", changes));
}

/* Adds a fix for each name that the message proposes. */
static void add_fixes(struct lsp *l, struct source *source, json_t *diagnostic, json_t *list)
{
	const char *message = json_string_value(json_object_get(diagnostic, "message"));
	const char *meant = message ? strstr(message, MEANT) : NULL, *name;
	const json_t *range = json_object_get(diagnostic, "range");
	uint32_t begin = document_offset(l, source, json_object_get(range, "start"));
	uint32_t end = document_offset(l, source, json_object_get(range, "end"));
	json_t *wrong;

	if (!meant || begin > end || !find_wrong(l, source, message, &begin, &end))
		return;
	wrong = document_range(l, source, begin, end);
	while ((name = next_quoted(l, &meant)) != NULL)
		add_fix(l, source, list, diagnostic, name, wrong);
	json_decref(wrong);
}

json_t *fixes_answer_actions(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	json_t *ret = json_array();
	const json_t *given = json_object_get(json_object_get(params, "context"), "diagnostics");

	for (size_t i = 0; d && i < json_array_size(given); i++)
		add_fixes(l, document_source(l, d), json_array_get(given, i), ret);
	return ret;
}
