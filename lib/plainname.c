/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See plainname.h. */
#include "lib/plainname.h"

#include <string.h>

#include "lib/arena.h"

#define OPERATOR "operator"

bool plainname_has(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

const char *plainname_operator(const char *text, const char *at)
{
	if (strncmp(at, OPERATOR, strlen(OPERATOR)) || (at > text && plainname_has(at[-1])) ||
	    plainname_has(at[strlen(OPERATOR)]))
		return NULL;
	at += strlen(OPERATOR);
	if (!strncmp(at, "()", 2) || !strncmp(at, "[]", 2))
		return at + 2;
	return at + strcspn(at, "(");
}

unsigned plainname_depth(unsigned depth, const char *text, const char *at)
{
	bool is_arrow = *at == '>' && at > text && at[-1] == '-';

	if (*at == '<' || *at == '(' || *at == '{')
		return depth + 1;
	return depth && (*at == ')' || *at == '}' || (*at == '>' && !is_arrow)) ? depth - 1 : depth;
}

bool plainname_is_list(const char *text, const char *at)
{
	return *at == '(' && (at == text || at[-1] != '.');
}

bool plainname_is_go(const char *text)
{
	return strstr(text, "struct {") || strstr(text, "interface {");
}

/* Returns the place after the ")" of the list that begins here. */
static const char *skip_list(const char *at)
{
	unsigned depth = 0;

	for (; *at; at++) {
		depth += *at == '(';
		depth -= *at == ')';
		if (!depth)
			return at + 1;
	}
	return at;
}

const char *plainname_of(struct arena *a, const char *text)
{
	const char *begin = text, *at = text, *clone = strstr(text, PLAINNAME_CLONE);
	unsigned depth = 0;

	if (plainname_is_go(text))
		return text;
	while (*at && at != clone) {
		const char *behind = depth ? NULL : plainname_operator(text, at);

		if (behind) {
			at = behind;
		} else if (!strncmp(at, PLAINNAME_ANONYMOUS, strlen(PLAINNAME_ANONYMOUS))) {
			at += strlen(PLAINNAME_ANONYMOUS);
		} else if (plainname_is_list(text, at) && !depth) {
			behind = skip_list(at);
			if (strncmp(behind, "::", 2) && at > begin)
				break;
			at = behind; /* part of an enclosing function, or of the result type */
		} else {
			depth += *at == '{';
			depth -= depth && *at == '}';
			depth = plainname_depth(depth, text, at);
			if (*at++ == ' ' && !depth)
				begin = at;
		}
	}
	return arena_printf(a, "%.*s%s", (int)(at - begin), begin, clone ? clone : "");
}
