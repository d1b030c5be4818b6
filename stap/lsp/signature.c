/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The call that the cursor is in: which function, which of its arguments. */
#include <string.h>

#include "ast/node.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/parse.h"
#include "sem/listing.h"
#include "stap/lsp/lexemes.h"
#include "stap/lsp/lsp.h"

/* An open bracket before the cursor. */
struct call {
	const struct lexeme *name; /* name before it; NULL: it is not a call */
	unsigned commas;
};

/* The brackets of %( and %) count as well. */
static bool is_sign(const struct lexemes *x, const struct lexeme *l, const char *signs)
{
	return l->kind == LEXEME_SIGN && strchr(signs, x->text[l->end - 1]);
}

/* Finds the innermost call that contains the place. */
static bool find(struct arena *a, const struct lexemes *x, uint32_t offset, struct call *ret)
{
	VEC(struct call) open = { 0 };
	const struct lexeme *before = NULL;

	vec_each(&x->list, i) {
		const struct lexeme *l = &x->list.data[i];

		if (l->end > offset)
			break;
		if (is_sign(x, l, "([")) {
			bool is_call = x->text[l->begin] == '(' && before &&
				       (before->kind == LEXEME_FUNCTION ||
					before->kind == LEXEME_OPERATOR);

			vec_push(a, &open, ((struct call){ is_call ? before : NULL, 0 }));
		} else if (is_sign(x, l, ")]") && open.count) {
			open.count--;
		} else if (is_sign(x, l, "{};")) {
			open.count = 0;
		} else if (is_sign(x, l, ",") && open.count) {
			open.data[open.count - 1].commas++;
		}
		before = l;
	}
	while (open.count && !open.data[open.count - 1].name)
		open.count--;
	if (open.count)
		*ret = open.data[open.count - 1];
	return open.count;
}

/* Returns the places of the parameters in "f:long (x:string, y:long)". */
static json_t *parameters_of(const char *label)
{
	const char *at = strchr(label, '('), *end = strrchr(label, ')');
	json_t *ret = json_array();

	for (at = at && end && at < end ? at + 1 : NULL; at && at < end;) {
		size_t len = strcspn(at, ",)");

		json_array_append_new(ret, json_pack("{s:[i,i]}", "label", (int)(at - label),
						     (int)(at - label + (long)len)));
		at += len + 1 + strspn(at + len + 1, " ");
	}
	return ret;
}

static void add(json_t *list, const char *label, const char *text)
{
	json_t *one = json_pack("{s:s,s:o}", "label", label, "parameters", parameters_of(label));

	if (text)
		json_object_set_new(one, "documentation", json_string(text));
	json_array_append_new(list, one);
}

json_t *signature_answer_help(struct lsp *l, const json_t *params)
{
	const struct document *d = documents_asked(l, params);
	json_t *list = json_array();
	const struct doc *doc;
	struct source *source;
	const struct unit *u;
	struct lexemes x;
	struct call call;

	if (!d)
		return NULL;
	source = document_source(l, d);
	u = parse_source(l->s, source);
	lexemes_read(l->s->arena, source, u, &x);
	if (!find(l->s->arena, &x, document_offset(l, source, json_object_get(params, "position")),
		  &call))
		return NULL;
	vec_each(&u->functions, i)
		if (lexeme_is(&x, call.name, u->functions.data[i]->name))
			add(list, listing_function(l->s, u->functions.data[i]), NULL);
	doc = json_array_size(list)
		      ? NULL
		      : words_doc(l, arena_strndup(l->s->arena, x.text + call.name->begin,
						   call.name->end - call.name->begin));
	if (doc)
		vec_each(&doc->synopsis, i)
			add(list, doc->synopsis.data[i], doc->summary);
	if (!json_array_size(list))
		return NULL;
	return json_pack("{s:o,s:i,s:i}", "signatures", list, "activeSignature", 0,
			 "activeParameter", (int)call.commas);
}
