/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Continues after a syntax error, so that the next error is found and this one is not
 * reported twice: in a body at the next statement, elsewhere at the next declaration.
 */
#include <string.h>

#include "base/lexical.h"
#include "base/session.h"
#include "parse/feed.h"
#include "parse/parser.h"

static const struct token *token_at(const struct parser *p, size_t i)
{
	return &p->tokens.data[i < p->tokens.count ? i : p->tokens.count - 1];
}

static bool is_end(const struct parser *p, size_t i)
{
	return token_at(p, i)->kind == TOKEN_END;
}

bool recover_is_item(const struct parser *p, size_t i)
{
	const struct token *t = token_at(p, i), *before = i ? token_at(p, i - 1) : NULL;

	/* kernel.function, $x->probe */
	if (t->kind != TOKEN_WORD ||
	    (before && (token_is(before, TOKEN_PUNCT, ".") || token_is(before, TOKEN_PUNCT, "->"))))
		return false;
	return lexical_roles(t->text, t->len) & LEXICAL_ITEM && !feed_is_old_name(p, t);
}

/*
 * True: token i shows that a '}' is missing, as a probe or a function in a body does;
 * 'global' is a separate error.
 */
static bool ends_body(const struct parser *p, size_t i)
{
	return recover_is_item(p, i) && strcmp(token_at(p, i)->text, "global") &&
	       strcmp(token_at(p, i)->text, "private");
}

bool recover_first_on_line(const struct parser *p, size_t i)
{
	const struct token *t = token_at(p, i), *before = i ? token_at(p, i - 1) : NULL;

	if (!before)
		return true;
	return t->loc.source == before->loc.source && before->loc.end <= t->loc.begin &&
	       memchr(t->loc.source->text + before->loc.end, '\n', t->loc.begin - before->loc.end);
}

/*
 * Returns the first token that is still to be read: the one that the grammar refused, if
 * it is held.
 */
static size_t refused(const struct parser *p, bool holds_token)
{
	return holds_token ? p->from : p->at;
}

static bool opens(const struct token *t)
{
	return token_is(t, TOKEN_PUNCT, "(") || token_is(t, TOKEN_PUNCT, "[");
}

static bool closes(const struct token *t)
{
	return token_is(t, TOKEN_PUNCT, ")") || token_is(t, TOKEN_PUNCT, "]");
}

/* Counts the parentheses and brackets of this statement that are open before token i. */
static unsigned open_before(const struct parser *p, size_t i)
{
	unsigned closed = 0, open = 0;

	/* Skipped text does not count. */
	while (i-- > p->recovered_at && !recover_is_item(p, i)) {
		const struct token *t = token_at(p, i);

		if (token_is(t, TOKEN_PUNCT, "{") || token_is(t, TOKEN_PUNCT, "}"))
			break;
		if (closes(t))
			closed++;
		else if (opens(t) && closed)
			closed--;
		else if (opens(t))
			open++;
	}
	return open;
}

/*
 * Returns the end of the statement around token i: after a semicolon or a block, at the
 * end of a line, or before the token that closes the enclosing block. Open parentheses
 * join lines, unless the error is that they are never closed.
 */
static size_t end_of_statement(const struct parser *p, size_t i, unsigned open)
{
	unsigned depth = 0;

	for (size_t first = i; !is_end(p, i) && !ends_body(p, i); i++) {
		const struct token *t = token_at(p, i);

		if (i > first && !depth && !open && recover_first_on_line(p, i))
			return i;
		if (token_is(t, TOKEN_PUNCT, "{")) {
			depth++;
			open = depth == 1 ? 0 : open;
		} else if (token_is(t, TOKEN_PUNCT, "}")) {
			if (!depth)
				return i;
			if (!--depth)
				return i + 1;
		} else if (opens(t)) {
			open++;
		} else if (closes(t)) {
			open -= open > 0;
		} else if (!depth && !open && token_is(t, TOKEN_PUNCT, ";")) {
			return i + 1;
		}
	}
	return i;
}

bool recover_statement(struct parser *p, bool holds_token)
{
	size_t i = refused(p, holds_token);

	/* The refused token is read again. */
	p->braces = holds_token ? p->braces_before : p->braces;
	if (i == p->recovered_at && !is_end(p, i))
		i = end_of_statement(p, i + 1, 0);
	else if (!recover_first_on_line(p, i) || closes(token_at(p, i)) ||
		 (recover_is_item(p, i) && !ends_body(p, i)))
		i = end_of_statement(p, i, open_before(p, i));
	/*
	 * A declaration ends the open bodies: their closing braces are inserted.
	 */
	if (is_end(p, i) || ends_body(p, i))
		p->unwind = p->braces;
	p->at = p->recovered_at = i;
	p->failed_here = p->unwind > 0;
	p->last = 0;
	return !p->unwind && recover_first_on_line(p, i);
}

void recover_point(struct parser *p, bool holds_token)
{
	size_t i = refused(p, holds_token);

	p->braces = holds_token ? p->braces_before : p->braces;
	while (!is_end(p, i) && !recover_is_item(p, i) &&
	       !token_is(token_at(p, i), TOKEN_PUNCT, "{"))
		i++;
	p->at = i;
	p->in_point = false;
	p->open_body = is_end(p, i) || recover_is_item(p, i);
	p->last = 0;
}

/*
 * Returns the end of a declaration in the syntax of another language, "BEGIN { … }",
 * which may be followed by others; returns `i` if token i does not begin one.
 */
static size_t end_of_foreign(const struct parser *p, size_t i)
{
	unsigned depth = 0;
	size_t at = i;

	if (token_at(p, i)->kind != TOKEN_WORD ||
	    lexical_roles(token_at(p, i)->text, token_at(p, i)->len) &
		    (LEXICAL_ITEM | LEXICAL_STATEMENT))
		return i;
	while (!is_end(p, at) && !token_is(token_at(p, at), TOKEN_PUNCT, "{"))
		if (recover_first_on_line(p, ++at))
			return i;
	for (; !is_end(p, at) && !recover_is_item(p, at); at++) {
		depth += token_is(token_at(p, at), TOKEN_PUNCT, "{");
		if (token_is(token_at(p, at), TOKEN_PUNCT, "}") && !--depth)
			return at + 1;
	}
	return i;
}

void recover_item(struct parser *p, bool holds_token)
{
	size_t i = refused(p, holds_token), foreign;

	/*
	 * The refused token may begin the next declaration, but not the declaration that
	 * was refused.
	 */
	if (holds_token && i == p->recovered_item)
		i++;
	foreign = holds_token && !p->braces_before ? end_of_foreign(p, i) : i;
	while (foreign == i && !is_end(p, i) && !recover_is_item(p, i))
		foreign = ++i;
	p->at = p->recovered_item = foreign;
	p->in_point = p->failed_here = false;
	p->braces = p->unwind = 0;
	p->open_body = false;
	p->last = 0;
}
