/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "parse/parse.h"

#include "base/session.h"
#include "lib/arena.h"
#include "parse/parser.h"

#include "parse/grammar.tab.h"

struct unit *parse_source(struct session *s, struct source *src)
{
	struct unit *unit = arena_new(s->arena, struct unit);
	struct parser p = { .s = s, .unit = unit };
	token_list raw = { 0 };

	unit->source = src;
	lex_source(s, src, &raw);
	macro_preprocess(s, src, &raw, &p.tokens);
	vec_release(s->arena, &raw);
	stap_yyparse(&p);
	vec_release(s->arena, &p.tokens);
	depth_check(s, unit);
	return unit;
}
