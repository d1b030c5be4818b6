/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See statement.h. */
#include "parse/statement.h"

#include <ctype.h>
#include <string.h>

#include "base/lexical.h"
#include "lib/word.h"

static struct lexical take(const char *text, bool *open);

/* Returns the length of %( … %), which may contain others. */
static size_t conditional_length(const char *text, bool *open)
{
	size_t i = 0;

	for (;;) {
		struct lexical piece = i ? take(text + i, open) : lexical_next(text);
		bool closes = piece.kind == LEXICAL_CONDITIONAL &&
			      lexical_roles(text + i, piece.len) & LEXICAL_CLOSES;

		i += piece.len;
		*open |= !piece.len;
		if (closes || !piece.len)
			return i;
	}
}

static bool is_conditional(const char *text, struct lexical piece)
{
	return piece.kind == LEXICAL_CONDITIONAL && lexical_roles(text, 2) & LEXICAL_OPENS;
}

/*
 * Takes a piece: a conditional is one piece, and a string may continue in the next line.
 */
static struct lexical take(const char *text, bool *open)
{
	struct lexical piece = lexical_next(text);

	if (piece.kind == LEXICAL_STRING && piece.is_open)
		piece.len = lexical_string_length(text, &piece.is_open);
	else if (is_conditional(text, piece))
		piece.len = conditional_length(text, open);
	*open |= piece.is_open;
	return piece;
}

/* Returns how many bytes of blanks and comments the text begins with. */
static size_t leading(const char *text)
{
	size_t i = 0;

	for (;;) {
		struct lexical piece = lexical_next(text + i);

		if (!lexical_is_gap(piece.kind) && text[i] != ';')
			return i;
		i += piece.len;
	}
}

static bool word_is(const char *text, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(text, word, len) && !word_char(text[len]);
}

/* True: a word that begins a declaration. */
static bool is_item(const char *text, struct lexical piece)
{
	return (piece.kind == LEXICAL_WORD || piece.kind == LEXICAL_AT) &&
	       lexical_roles(text, piece.len) & LEXICAL_ITEM;
}

bool statement_begins(const char *text)
{
	struct lexical piece;

	text += leading(text);
	piece = lexical_next(text);
	return is_item(text, piece) || piece.kind == LEXICAL_EMBEDDED ||
	       is_conditional(text, piece);
}

bool statement_declares(const char *text, const char *what)
{
	text += leading(text);
	if (word_is(text, "private")) {
		text += strlen("private");
		text += leading(text);
	}
	return word_is(text, what);
}

/* The state of the scan of one statement. */
struct scan {
	const char *text;
	bool is_global, is_conditional; /* closed by a line's end; by %) */
	int depth;
	char last; /* the last byte that is no blank and no comment */
};

/* True: the end of a line here ends the declaration of globals. */
static bool ends_globals(const struct scan *c, size_t at)
{
	size_t next = at + strspn(c->text + at, " \t\r\n");

	return c->is_global && !c->depth && c->last && !strchr(",=", c->last) &&
	       !strchr(",=[%", c->text[next] ? c->text[next] : '\n');
}

/* Takes the piece. True: it closes the statement. */
static bool closes(struct scan *c, size_t at, struct lexical piece)
{
	const char *text = c->text + at;

	if (lexical_is_gap(piece.kind))
		return false;
	c->last = text[piece.len - 1];
	if (text[0] == '{')
		c->depth++;
	if (text[0] == '}' && c->depth > 0 && !--c->depth)
		return true;
	if (c->depth)
		return false;
	return piece.kind == LEXICAL_EMBEDDED || (c->is_conditional && is_conditional(text, piece));
}

/* Returns the end of a comment that follows a statement in its last line. */
static size_t with_comment(const char *text, size_t end)
{
	size_t next = end + strspn(text + end, " \t;");
	struct lexical piece = lexical_next(text + next);
	bool is_line = piece.kind == LEXICAL_COMMENT && !piece.tail && !piece.is_open;

	return is_line ? next + piece.len : end;
}

/* True: the statement is a macro or a conditional, which ends with its %). */
static bool begins_conditional(const char *text)
{
	struct lexical piece = lexical_next(text);

	return is_conditional(text, piece) || (piece.kind == LEXICAL_AT && is_item(text, piece));
}

bool statement_next(const char *text, size_t *at, struct statement *ret)
{
	size_t i = *at + strspn(text + *at, " \t\r\n;"), first = i + leading(text + i);
	struct scan c = { .text = text,
			  .is_global = statement_declares(text + i, "global"),
			  .is_conditional = begins_conditional(text + first) };
	int names = 0; /* words that begin a declaration */

	*ret = (struct statement){ .begin = i, .end = i };
	if (!text[i])
		return false;
	for (bool closed = false; text[i] && !closed;) {
		struct lexical piece = take(text + i, &ret->is_open);

		if (c.is_global && i >= first && is_item(text + i, piece) &&
		    !word_is(text + i, "private") && names++)
			break;
		closed = closes(&c, i, piece) ||
			 (text[i] == '\n' && i > first && ends_globals(&c, i));
		i += piece.len;
		if (!text[i] && !closed)
			ret->is_open |= c.last && (!c.is_global || c.depth || strchr(",=", c.last));
	}
	i = with_comment(text, i);
	*at = ret->end = i;
	while (ret->end > ret->begin && isspace((unsigned char)text[ret->end - 1]))
		ret->end--;
	return true;
}

bool statement_is_open(const char *text)
{
	struct statement st = { 0 };
	bool ret = false;
	size_t at = 0;

	while (statement_next(text, &at, &st))
		ret = st.is_open;
	return ret;
}
