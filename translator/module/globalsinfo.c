/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Describes a global to the programs that read it, for --globals: lines of
 * uapi/globals.h. The language has no syntax for this, but the script shows it: keys are
 * named as in its loops or indices, a global that is only added to is a counter, and the
 * comment after the declaration is its help. A comment that begins with "gauge:" or
 * "counter:" also decides its kind.
 */
#include <ctype.h>
#include <string.h>

#include "ast/ast.h"
#include "base/lexical.h"
#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "module/module.h"

bool globalsinfo_wanted(const struct session *s, const struct symbol *sym)
{
	return s->options->globals_readable && !sym->is_private && !source_is_library(sym->loc) &&
	       !(sym->source && sym->source->is_tapset);
}

struct uses_of {
	const struct symbol *sym;
	bool is_added, is_set;	 /* set: other than by an addition */
	const struct node *loop; /* over it, with the script's names */
	const struct node *index;
};

static bool is_of(const struct node *n, const struct symbol *sym)
{
	const struct node *name = n && n->kind == NODE_INDEX ? n->base : n;

	return name && name->kind == NODE_NAME && name->symbol == sym;
}

static bool is_addition(const struct node *n)
{
	if (n->kind == NODE_INCDEC)
		return n->op == OP_INC;
	return n->op == OP_STAT || (n->op == OP_ADD && n->rhs->kind != NODE_UNARY &&
				    !(n->rhs->kind == NODE_NUMBER && n->rhs->number < 0));
}

/* True: the place is in the script itself, not in code from lang/display.c. */
static bool is_written(const struct node *n, const struct symbol *sym)
{
	return n->loc.begin != sym->loc.begin;
}

static int note_use(struct node *n, void *ctx)
{
	struct uses_of *u = ctx;

	if ((n->kind == NODE_ASSIGN && is_of(n->lhs, u->sym)) ||
	    (n->kind == NODE_INCDEC && is_of(n->operand, u->sym))) {
		u->is_added |= is_addition(n);
		u->is_set |= !is_addition(n);
	} else if (n->kind == NODE_FOREACH && is_of(n->array, u->sym) && !u->loop) {
		u->loop = is_written(n, u->sym) ? n : NULL;
	} else if (n->kind == NODE_INDEX && is_of(n, u->sym) && !u->index) {
		u->index = is_written(n, u->sym) ? n : NULL;
	}
	return 0;
}

static struct uses_of find_uses(struct session *s, const struct symbol *sym)
{
	const struct program *p = s->program;
	struct uses_of u = { .sym = sym };

	vec_each(&p->handlers, i)
		ast_walk(p->handlers.data[i]->body, note_use, NULL, &u);
	vec_each(&p->functions, i) {
		const struct function *f = p->functions.data[i];

		if (f->body)
			ast_walk(f->body, note_use, NULL, &u);
		else if (f->code && strstr(f->code, "STAP_GLOBAL_SET_"))
			u.is_set = true;
	}
	return u;
}

/* ---- the comment ---- */

/* Finds the text, up to `end`, of a comment that begins in [at, end). */
static bool comment_in(const char *at, const char **end, const char **ret)
{
	struct lexical piece = { 0 };

	while (at < *end && (piece = lexical_next(at)).kind != LEXICAL_COMMENT && piece.len)
		at += piece.len;
	if (at >= *end || piece.kind != LEXICAL_COMMENT)
		return false;
	*ret = at + piece.head;
	at += piece.len - piece.tail;
	*end = at < *end ? at : *end;
	return *ret <= *end;
}

/*
 * Returns the comment after the declaration on the same line, without the "gauge:" or
 * "counter:" before it. Sets *use to the kind that it decides.
 */
static const char *find_comment(struct session *s, const struct symbol *sym, const char **use)
{
	static const char *const words[] = { "counter", "gauge" };
	const char *line, *at, *end;
	unsigned number, column;
	size_t len;

	if (!sym->loc.source)
		return "";
	source_position(s->arena, sym->loc.source, sym->loc.begin, &number, &column);
	line = source_line(s->arena, sym->loc.source, number, &len);
	end = line + len;
	if (!comment_in(line + column - 1, &end, &at))
		return "";
	for (size_t i = 0; i <= sizeof(words) / sizeof(*words); i++) {
		while (at < end && isspace((unsigned char)*at))
			at++;
		for (size_t k = 0; k < sizeof(words) / sizeof(*words); k++) {
			size_t n = strlen(words[k]);

			if ((size_t)(end - at) > n && !memcmp(at, words[k], n) && at[n] == ':') {
				*use = words[k];
				at += n + 1;
			}
		}
	}
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	return arena_strndup(s->arena, at, (size_t)(end - at));
}

static void add_escaped(struct strbuf *b, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c >= ' ' && c < 0x7f && c != '\\')
			strbuf_addc(b, (char)c);
		else
			strbuf_addf(b, "\\x%02x", c);
	}
}

/* ---- keys ---- */

/* Returns the script's name of a key; NULL: it has none. */
static const char *name_of(const struct node *n)
{
	if (n->kind == NODE_NAME || n->kind == NODE_CALL)
		return n->name;
	if (n->kind == NODE_TARGET && n->target_name && n->target_name[0] == '$')
		return n->target_name + 1;
	return NULL;
}

static const char *key_name(struct session *s, const struct uses_of *u, int i)
{
	const struct node *n = u->loop ? u->loop->keys : u->index ? u->index->list : NULL;

	for (int k = 0; n && k < i; k++)
		n = n->next;
	return n && name_of(n) ? name_of(n) : arena_printf(s->arena, "key%d", i + 1);
}

const char *globalsinfo_text(struct session *s, const struct symbol *sym)
{
	struct uses_of u = find_uses(s, sym);
	bool grows = u.is_added && !u.is_set && sym->type == TYPE_LONG;
	const char *use = grows ? "counter" : "gauge";
	const char *comment = find_comment(s, sym, &use);
	struct strbuf b;

	strbuf_init(&b, s->arena);
	strbuf_addf(&b, "use\t%s\n", use);
	for (int i = 0; i < sym->arity; i++) {
		strbuf_addf(&b, "key\t%s\t", sym->key_types[i] == TYPE_STRING ? "string" : "long");
		add_escaped(&b, key_name(s, &u, i));
		strbuf_addc(&b, '\n');
	}
	if (*comment) {
		strbuf_adds(&b, "help\t");
		add_escaped(&b, comment);
		strbuf_addc(&b, '\n');
	}
	return b.s;
}
