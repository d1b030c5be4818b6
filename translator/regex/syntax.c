/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts patterns to trees.
 *
 *   alternatives = sequence { "|" sequence }
 *   sequence     = { atom { "*" | "+" | "?" | "{" interval "}" } }
 *   atom         = "(" ["?:"] alternatives ")" | "[" bracket "]" | "." | "^" | "$"
 *                | "\" BYTE | BYTE
 */
#include <ctype.h>
#include <string.h>

#include "core/regex.h"
#include "lib/arena.h"
#include "regex/tree.h"

/*
 * DEPTH_MOST bounds recursion: functions that walk trees call themselves, and a long
 * pattern makes a deep tree.
 */
enum { DEPTH_MOST = 200, COUNT_MOST = 1000, LENGTH_MOST = 4000 };

struct reader {
	struct arena *a;
	const unsigned char *text;
	size_t len, at;
	unsigned groups, depth;
	struct regex_error *error;
};

static struct tree *read_alternatives(struct reader *r);

/* Keeps the first error; an error replaces a remark. */
static void *fail(struct reader *r, size_t at, size_t len, const char *text)
{
	*r->error = (struct regex_error){ text, at, len };
	r->at = r->len;
	return NULL;
}

static bool is_next(const struct reader *r, const char *text)
{
	size_t len = strlen(text);

	return r->len - r->at >= len && !memcmp(r->text + r->at, text, len);
}

static bool take(struct reader *r, const char *text)
{
	if (!is_next(r, text))
		return false;
	r->at += strlen(text);
	return true;
}

static struct tree *tree_new(struct reader *r, int kind, struct tree *left, struct tree *right)
{
	struct tree *t = arena_new(r->a, struct tree);

	t->kind = kind;
	t->left = left;
	t->right = right;
	return t;
}

static void byteset_add(struct byteset *set, unsigned from, unsigned to)
{
	for (unsigned c = from; c <= to; c++)
		set->bits[c / 64] |= UINT64_C(1) << (c % 64);
}

/* ---- [brackets] ---- */

static const struct {
	const char *name;
	int (*has)(int c);
} classes[] = {
	{ "alnum", isalnum }, { "alpha", isalpha }, { "blank", isblank }, { "cntrl", iscntrl },
	{ "digit", isdigit }, { "graph", isgraph }, { "lower", islower }, { "print", isprint },
	{ "punct", ispunct }, { "space", isspace }, { "upper", isupper }, { "xdigit", isxdigit },
};

/* Reads [:name:]. ASCII only: bytes from 128 on are in no class, whatever the locale. */
static bool read_class(struct reader *r, struct byteset *set)
{
	size_t begin = r->at;
	const unsigned char *name = r->text + begin + 2,
			    *end = memmem(name, r->len - begin - 2, ":]", 2);

	if (!end)
		return fail(r, begin, 2, "':]' is missing after the name of this class");
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		if (strlen(classes[i].name) != (size_t)(end - name) ||
		    memcmp(classes[i].name, name, (size_t)(end - name)))
			continue;
		for (int c = 0; c < 128; c++)
			if (classes[i].has(c))
				byteset_add(set, (unsigned)c, (unsigned)c);
		r->at = (size_t)(end - r->text) + 2;
		return true;
	}
	return fail(
		r, begin, (size_t)(end - name) + 4,
		"no such class; there are alnum alpha blank cntrl digit graph lower print punct "
		"space upper xdigit");
}

/*
 * Reads one byte, or the end of a range: a backslash removes the special meaning of the
 * next byte.
 */
static unsigned char read_bracket_byte(struct reader *r)
{
	if (r->text[r->at] == '\\' && r->at + 1 < r->len)
		r->at++;
	return r->text[r->at++];
}

static bool read_range(struct reader *r, struct byteset *set)
{
	size_t begin = r->at;
	unsigned char from = read_bracket_byte(r), to = from;

	if (r->at + 1 < r->len && r->text[r->at] == '-' && r->text[r->at + 1] != ']') {
		r->at++;
		if (is_next(r, "[:"))
			return fail(
				r, begin, r->at - begin + 2,
				"a class cannot end a range; write '-' last to mean the character");
		to = read_bracket_byte(r);
	}
	if (to < from)
		return fail(r, begin, r->at - begin, "this range ends before it begins");
	byteset_add(set, from, to);
	return true;
}

static struct tree *read_bracket(struct reader *r)
{
	struct tree *t = tree_new(r, TREE_SET, NULL, NULL);
	size_t begin = r->at++;
	bool negated = take(r, "^");

	for (bool first = true; r->at < r->len && (first || r->text[r->at] != ']'); first = false)
		if (!(is_next(r, "[:") ? read_class(r, &t->set) : read_range(r, &t->set)))
			return NULL;
	if (r->at == r->len)
		return fail(r, begin, 1, "']' is missing; write '\\\\[' for the character");
	r->at++;
	for (unsigned i = 0; negated && i < 4; i++)
		t->set.bits[i] = ~t->set.bits[i];
	return t;
}

/* ---- atoms ---- */

static struct tree *read_group(struct reader *r)
{
	size_t begin = r->at++;
	bool is_group = !take(r, "?:");
	struct tree *inner, *t;
	unsigned number = 0;

	if (is_group && is_next(r, "?"))
		return fail(r, r->at, r->at + 1 < r->len ? 2 : 1,
			    "after '(', '?' is only known in '(?:…)', a group that is not counted");
	if (is_group && (number = r->groups++) >= STP_REGEX_GROUPS_MAX)
		return fail(r, begin, 1,
			    "more than 99 groups; write '(?:…)' for those that are not asked for");
	if (++r->depth > DEPTH_MOST)
		return fail(r, begin, 1, "groups nest too deeply here");
	inner = read_alternatives(r);
	r->depth--;
	if (!inner)
		return NULL;
	if (!take(r, ")"))
		return fail(r, begin, 1, "')' is missing; write '\\\\(' for the character");
	if (!is_group)
		return inner;
	t = tree_new(r, TREE_GROUP, inner, NULL);
	t->number = number;
	return t;
}

static struct tree *set_of(struct reader *r, unsigned from, unsigned to)
{
	struct tree *t = tree_new(r, TREE_SET, NULL, NULL);

	byteset_add(&t->set, from, to);
	return t;
}

static struct tree *read_escape(struct reader *r)
{
	unsigned char c;

	if (r->at + 1 == r->len)
		return fail(r, r->at, 1,
			    "a backslash at the end; write '\\\\\\\\' for the character");
	c = r->text[r->at + 1];
	if (c >= '1' && c <= '9')
		return fail(
			r, r->at, 2,
			"there are no back-references; save the group with matched() and compare");
	if (isalpha(c) && !r->error->text)
		*r->error = (struct regex_error){ "this stands for the letter alone; a class is "
						  "written [[:digit:]], a control "
						  "character with one backslash",
						  r->at, 2 };
	r->at += 2;
	return set_of(r, c, c);
}

static struct tree *read_atom(struct reader *r)
{
	unsigned char c = r->text[r->at];

	switch (c) {
	case '(':
		return read_group(r);
	case '[':
		return read_bracket(r);
	case '\\':
		return read_escape(r);
	case '*':
	case '+':
	case '?':
	case '{':
		return fail(r, r->at, 1,
			    "there is nothing to repeat before this; write two backslashes "
			    "before it for the character");
	case '.':
		r->at++;
		return set_of(r, 0, 255);
	case '^':
	case '$':
		r->at++;
		return tree_new(r, c == '^' ? TREE_BEGIN : TREE_END, NULL, NULL);
	default:
		r->at++;
		return set_of(r, c, c);
	}
}

/* ---- repetition ---- */

static bool read_count(struct reader *r, int *ret)
{
	size_t begin = r->at;

	for (*ret = 0; r->at < r->len && isdigit(r->text[r->at]); r->at++)
		if (*ret <= COUNT_MOST)
			*ret = *ret * 10 + r->text[r->at] - '0';
	return r->at > begin;
}

/* Reads {n} {n,} {n,m}, at the brace. */
static bool read_interval(struct reader *r, int *least, int *most)
{
	size_t begin = r->at++;
	bool good = read_count(r, least);

	*most = *least;
	if (good && take(r, ",") && !read_count(r, most))
		*most = REGEX_FOREVER;
	if (!good || !take(r, "}"))
		return fail(r, begin, 1,
			    "a count is {n}, {n,} or {n,m}; write '\\\\{' for the character");
	if (*least > COUNT_MOST || *most > COUNT_MOST)
		return fail(r, begin, r->at - begin, "a count is 1000 at most");
	if (*most != REGEX_FOREVER && *most < *least)
		return fail(r, begin, r->at - begin, "the second count is less than the first");
	return true;
}

/* Reads the operators after an atom. */
static struct tree *read_repeats(struct reader *r, struct tree *t)
{
	while (t && r->at < r->len && strchr("*+?{", r->text[r->at])) {
		struct tree *repeat = tree_new(r, TREE_REPEAT, t, NULL);

		repeat->at = r->at;
		if (t->kind == TREE_BEGIN || t->kind == TREE_END)
			return fail(r, r->at, 1, "'^' and '$' cannot be repeated");
		switch (r->text[r->at]) {
		case '{':
			if (!read_interval(r, &repeat->least, &repeat->most))
				return NULL;
			break;
		case '?':
			repeat->most = 1;
			r->at++;
			break;
		default:
			repeat->least = r->text[r->at++] == '+';
			repeat->most = REGEX_FOREVER;
		}
		repeat->len = r->at - repeat->at;
		t = repeat;
		if (++r->depth > DEPTH_MOST)
			return fail(r, repeat->at, repeat->len,
				    "too many repetitions of repetitions");
	}
	return t;
}

static struct tree *read_sequence(struct reader *r)
{
	struct tree *all = NULL, *t;

	while (r->at < r->len && r->text[r->at] != '|' && r->text[r->at] != ')') {
		unsigned depth = r->depth;

		t = read_atom(r);
		t = t ? read_repeats(r, t) : NULL;
		r->depth = depth;
		if (!t)
			return NULL;
		all = all ? tree_new(r, TREE_SEQUENCE, all, t) : t;
	}
	return all ? all : tree_new(r, TREE_EMPTY, NULL, NULL);
}

static struct tree *read_alternatives(struct reader *r)
{
	struct tree *all = read_sequence(r), *t;

	while (all && take(r, "|")) {
		t = read_sequence(r);
		all = t ? tree_new(r, TREE_ALTERNATIVE, all, t) : NULL;
	}
	return all;
}

struct tree *syntax_parse(struct arena *a, const char *pattern, size_t len, unsigned *groups,
			  struct regex_error *ret_error)
{
	struct reader r = { .a = a,
			    .text = (const unsigned char *)pattern,
			    .len = len,
			    .groups = 1,
			    .error = ret_error };
	struct tree *t;

	*ret_error = (struct regex_error){ 0 };
	if (len > LENGTH_MOST)
		return fail(&r, 0, len, "a pattern has 4000 bytes at most");
	t = read_alternatives(&r);
	if (t && r.at < len)
		return fail(&r, r.at, 1,
			    "this ')' closes nothing; write '\\\\)' for the character");
	*groups = r.groups;
	return t;
}
