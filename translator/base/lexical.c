/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/lexical.h"

#include <ctype.h>
#include <string.h>

#include "lib/word.h"

static const struct enclosed {
	enum lexical_kind kind;
	const char *begin, *end;
} enclosed[] = {
#define ENCLOSED(kind, begin, end) { LEXICAL_##kind, begin, end },
#include "base/lexical.def"
};

enum {
	NO_ROLE = 0,
	ITEM = LEXICAL_ITEM,
	HEAD = LEXICAL_HEAD,
	STATEMENT = LEXICAL_STATEMENT,
	SPACED = LEXICAL_SPACED,
	MIDDLE = LEXICAL_MIDDLE,
	SETS = LEXICAL_SETS,
	OPENS = LEXICAL_OPENS,
	CLOSES = LEXICAL_CLOSES,
	CONDITION = 1 << 16, /* of this file */
};

struct row {
	const char *text;
	size_t len;
	unsigned roles;
};

static const struct row words[] = {
#define WORD(text, token, roles) { text, sizeof(text) - 1, LEXICAL_KEYWORD | (roles) },
#include "base/lexical.def"
#define AT_WORD(text, roles) { text, sizeof(text) - 1, roles },
#include "base/lexical.def"
};
static const struct row signs[] = {
#define SIGN(text, token, operation, roles) { text, sizeof(text) - 1, roles },
#define CONDITIONAL(text, roles)	    { text, sizeof(text) - 1, CONDITION | (roles) },
#include "base/lexical.def"
};

#define COUNT(rows) (sizeof(rows) / sizeof((rows)[0]))

/* ---- pieces ---- */

static bool starts(const char *text, const char *what)
{
	return !strncmp(text, what, strlen(what));
}

static struct lexical take_enclosed(const char *text, const struct enclosed *e)
{
	struct lexical ret = { .kind = e->kind, .head = strlen(e->begin) };
	const char *end;

	if (e->end[0] == '\n') {
		ret.len = strcspn(text, "\n");
		return ret;
	}
	end = strstr(text + ret.head, e->end);
	ret.is_open = !end;
	ret.tail = end ? strlen(e->end) : 0;
	ret.len = end ? (size_t)(end - text) + ret.tail : strlen(text);
	return ret;
}

/*
 * Returns the length of a string, which also ends at one of these bytes or with the text.
 */
static size_t string_length(const char *text, const char *ends, bool *is_open)
{
	size_t i = 1;

	for (;;) {
		i += strcspn(text + i, ends);
		if (text[i] != '\\')
			break;
		i += text[i + 1] ? 2 : 1;
	}
	*is_open = text[i] != '"';
	return i + !*is_open;
}

size_t lexical_string_length(const char *text, bool *is_open)
{
	return string_length(text, "\"\\", is_open);
}

static struct lexical take_string(const char *text)
{
	struct lexical ret = { .kind = LEXICAL_STRING, .head = 1 };

	ret.len = string_length(text, "\"\\\n", &ret.is_open);
	ret.tail = !ret.is_open;
	return ret;
}

/* Words may also contain '$'. */
static size_t name_length(const char *text)
{
	size_t len = word_length(text);

	while (text[len] == '$')
		len += 1 + word_length(text + len + 1);
	return len;
}

static size_t target_length(const char *text)
{
	if (text[1] == '#')
		return 2;
	return 1 + (isdigit((unsigned char)text[1]) ? strspn(text + 1, "0123456789")
						    : name_length(text + 1));
}

static size_t at_length(const char *text)
{
	if (text[1] == '#')
		return 2;
	return 1 + (isdigit((unsigned char)text[1]) ? strspn(text + 1, "0123456789")
						    : word_length(text + 1));
}

static struct lexical take_sign(const char *text)
{
	struct lexical ret = { .kind = LEXICAL_SIGN, .len = 1 };

	if (!ispunct((unsigned char)text[1])) /* most signs */
		return ret;
	for (size_t i = 0; i < COUNT(signs); i++)
		if (signs[i].text[0] == text[0] && signs[i].len > ret.len &&
		    starts(text, signs[i].text)) {
			ret.len = signs[i].len;
			ret.kind = signs[i].roles & CONDITION ? LEXICAL_CONDITIONAL : LEXICAL_SIGN;
		}
	return ret;
}

struct lexical lexical_next(const char *text)
{
	char c = text[0];

	if (!c)
		return (struct lexical){ .kind = LEXICAL_END };
	if (isspace((unsigned char)c))
		return (struct lexical){ .kind = LEXICAL_BLANK, .len = 1 };
	if (isdigit((unsigned char)c))
		return (struct lexical){ .kind = LEXICAL_NUMBER, .len = word_length(text) };
	if (word_char(c))
		return (struct lexical){ .kind = LEXICAL_WORD, .len = name_length(text) };
	if (c == '"')
		return take_string(text);
	if (c == '$')
		return (struct lexical){ .kind = LEXICAL_TARGET, .len = target_length(text) };
	if (c == '@')
		return (struct lexical){ .kind = LEXICAL_AT, .len = at_length(text) };
	for (size_t i = 0; i < COUNT(enclosed); i++)
		if (enclosed[i].begin[0] == c && starts(text, enclosed[i].begin))
			return take_enclosed(text, &enclosed[i]);
	return take_sign(text);
}

bool lexical_find(const char **at, enum lexical_kind kind, struct lexical *ret)
{
	for (; (*ret = lexical_next(*at)).kind != LEXICAL_END; *at += ret->len)
		if (ret->kind == kind)
			return true;
	return false;
}

const char *lexical_c_comment(const char *at, const char *end, const char **ret, size_t *len)
{
	const struct enclosed *e = &enclosed[0];
	size_t head = strlen(e->begin), tail = strlen(e->end);
	const char *open = memmem(at, (size_t)(end - at), e->begin, head), *close;

	if (!open)
		return NULL;
	*ret = open + head;
	close = memmem(*ret, (size_t)(end - *ret), e->end, tail);
	if (!close)
		return NULL;
	*len = (size_t)(close - *ret);
	return close + tail;
}

/* ---- words and signs ---- */

unsigned lexical_roles(const char *text, size_t len)
{
	bool is_word = len && (word_char(text[0]) || text[0] == '@');
	const struct row *rows = is_word ? words : signs;
	size_t count = is_word ? COUNT(words) : COUNT(signs);

	for (size_t i = 0; i < count; i++)
		if (rows[i].text[0] == text[0] && rows[i].len == len &&
		    !memcmp(rows[i].text, text, len))
			return rows[i].roles;
	return 0;
}

int lexical_escape(char letter)
{
	switch (letter) {
#define ESCAPE(letter, byte)                                                                       \
	case letter:                                                                               \
		return byte;
#include "base/lexical.def"
	default:
		return -1;
	}
}

const char *lexical_keyword(size_t i)
{
	return i < COUNT(words) && words[i].roles & LEXICAL_KEYWORD ? words[i].text : NULL;
}

static const struct enclosed *enclosed_of(enum lexical_kind kind)
{
	size_t i = 0;

	while (enclosed[i].kind != kind)
		i++;
	return &enclosed[i];
}

const char *lexical_begin(enum lexical_kind kind)
{
	return enclosed_of(kind)->begin;
}

const char *lexical_end(enum lexical_kind kind)
{
	return enclosed_of(kind)->end;
}
