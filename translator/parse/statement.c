/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See statement.h. */
#include "parse/statement.h"

#include <ctype.h>
#include <string.h>

#include "lib/word.h"

static bool starts(const char *text, const char *what)
{
	return !strncmp(text, what, strlen(what));
}

/* Returns the length of a text that `end` closes; sets *open where nothing does. */
static size_t length_to(const char *text, size_t from, const char *end, bool *open)
{
	const char *found = strstr(text + from, end);

	if (found)
		return (size_t)(found - text) + strlen(end);
	*open = true;
	return strlen(text);
}

static size_t string_length(const char *text, bool *open)
{
	for (size_t i = 1; text[i]; i++) {
		if (text[i] == '"')
			return i + 1;
		if (text[i] == '\\' && text[i + 1])
			i++;
	}
	*open = true;
	return strlen(text);
}

static size_t piece_length(const char *text, bool *open);

/* Returns the length of %( … %), in which there may be others. */
static size_t conditional_length(const char *text, bool *open)
{
	size_t i = 2;

	while (text[i]) {
		if (starts(text + i, "%)"))
			return i + 2;
		i += piece_length(text + i, open);
	}
	*open = true;
	return i;
}

/* Returns the length of a token, a comment or a piece that is closed by its own sign. */
static size_t piece_length(const char *text, bool *open)
{
	size_t i = 0;

	if (text[0] == '"')
		return string_length(text, open);
	if (text[0] == '#' || starts(text, "//"))
		return strcspn(text, "\n");
	if (starts(text, "/*"))
		return length_to(text, 2, "*/", open);
	if (starts(text, "%{"))
		return length_to(text, 2, "%}", open);
	if (starts(text, "%("))
		return conditional_length(text, open);
	if (starts(text, "$#") || starts(text, "@#"))
		return 2;
	i += text[0] == '@';
	while (word_char(text[i]))
		i++;
	return i ? i : 1;
}

static bool is_comment(const char *text)
{
	return text[0] == '#' || starts(text, "//") || starts(text, "/*");
}

/* Returns how many bytes of blanks and comments the text begins with. */
static size_t leading(const char *text)
{
	bool open = false;
	size_t i = 0;

	for (;;) {
		i += strspn(text + i, " \t\r\n;");
		if (!is_comment(text + i))
			return i;
		i += piece_length(text + i, &open);
	}
}

static bool word_is(const char *text, const char *word)
{
	size_t len = strlen(word);

	return !strncmp(text, word, len) && !word_char(text[len]);
}

static const char *const keywords[] = { "probe", "global", "function", "private", "@define" };

static bool is_keyword(const char *text)
{
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++)
		if (word_is(text, keywords[i]))
			return true;
	return false;
}

bool statement_begins(const char *text)
{
	text += leading(text);
	return is_keyword(text) || starts(text, "%{") || starts(text, "%(");
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

/* What one statement's scan knows. */
struct scan {
	const char *text;
	bool is_global, is_conditional; /* closed by a line's end; by %) */
	int depth;
	char last; /* the last byte that is no blank and no comment */
};

/* True: a line that ends here ends the declaration of globals. */
static bool ends_globals(const struct scan *c, size_t at)
{
	size_t next = at + strspn(c->text + at, " \t\r\n");

	return c->is_global && !c->depth && c->last && !strchr(",=", c->last) &&
	       !strchr(",=[%", c->text[next] ? c->text[next] : '\n');
}

/* Takes the piece of `len` bytes; true: it closes the statement. */
static bool closes(struct scan *c, size_t at, size_t len)
{
	const char *piece = c->text + at;

	if (is_comment(piece) || isspace((unsigned char)piece[0]))
		return false;
	c->last = piece[len - 1];
	if (piece[0] == '{')
		c->depth++;
	if (piece[0] == '}' && c->depth > 0 && !--c->depth)
		return true;
	if (c->depth)
		return false;
	return starts(piece, "%{") || (c->is_conditional && starts(piece, "%("));
}

/* Returns the end of a comment that stands behind a statement in its last line. */
static size_t with_comment(const char *text, size_t end)
{
	size_t next = end + strspn(text + end, " \t;");

	return text[next] == '#' || starts(text + next, "//") ? next + strcspn(text + next, "\n")
							      : end;
}

bool statement_next(const char *text, size_t *at, struct statement *ret)
{
	size_t i = *at + strspn(text + *at, " \t\r\n;"), first = i + leading(text + i);
	struct scan c = { .text = text,
			  .is_global = statement_declares(text + i, "global"),
			  .is_conditional =
				  word_is(text + first, "@define") || starts(text + first, "%(") };

	int names = 0; /* words that begin a declaration */

	*ret = (struct statement){ .begin = i, .end = i };
	if (!text[i])
		return false;
	for (bool closed = false; text[i] && !closed;) {
		size_t len = piece_length(text + i, &ret->is_open);

		if (c.is_global && i >= first && is_keyword(text + i) &&
		    !word_is(text + i, "private") && names++)
			break;
		closed =
			closes(&c, i, len) || (text[i] == '\n' && i > first && ends_globals(&c, i));
		i += len;
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
