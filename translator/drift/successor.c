/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "drift/successor.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lib/arena.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Removes a name from the text's beginning and returns it; NULL: there is none. */
static const char *take_name(struct arena *a, const char **text)
{
	size_t len = strspn(*text, NAME_CHARACTERS);
	const char *name = len ? arena_strndup(a, *text, len) : NULL;

	*text += len;
	return name;
}

/* True: the text continues with this word, which is removed. */
static bool take_word(const char **text, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(*text, word, len))
		return false;
	*text += len;
	return true;
}

/* ---- paths ---- */

/* Reads "request" or "sock:sk_timer", after the '^'. */
static const char *parse_outer(struct arena *a, const char **text, struct drift_step *ret)
{
	ret->kind = DRIFT_BEHIND;
	ret->type = take_name(a, text);
	if (!ret->type)
		return "'^' needs a structure";
	if (!take_word(text, ":"))
		return NULL;
	ret->kind = DRIFT_AROUND;
	ret->name = take_name(a, text);
	return ret->name ? NULL : "':' needs a member";
}

/* Reads "network_header:iphdr", after "head+". */
static const char *parse_into(struct arena *a, const char **text, struct drift_step *ret)
{
	ret->kind = DRIFT_INTO;
	ret->offset = take_name(a, text);
	if (!ret->offset)
		return "'+' needs the member that holds the offset";
	if (!take_word(text, ":"))
		return NULL;
	ret->type = take_name(a, text);
	return ret->type ? NULL : "':' needs a structure";
}

static const char *parse_step(struct arena *a, const char **text, struct drift_step *ret)
{
	if (take_word(text, "^"))
		return parse_outer(a, text, ret);
	if (take_word(text, "first_area()")) {
		ret->kind = DRIFT_FIRST_AREA;
		return NULL;
	}
	if (take_word(text, "next_area()")) {
		ret->kind = DRIFT_NEXT_AREA;
		return NULL;
	}
	ret->kind = DRIFT_MEMBER;
	ret->name = take_name(a, text);
	if (!ret->name)
		return "a step of a path needs a name";
	return take_word(text, "+") ? parse_into(a, text, ret) : NULL;
}

static const char *parse_steps(struct arena *a, const char **text, struct successor *ret)
{
	const char *wrong;

	do {
		struct drift_step step = { 0 };

		wrong = parse_step(a, text, &step);
		vec_push(a, &ret->steps, step);
	} while (!wrong && take_word(text, "."));
	return wrong;
}

/* Reads an operation after the steps, "/512" or "%2", and the end. */
static const char *parse_unit(const char *text, struct successor *ret)
{
	char *end;

	if (!*text)
		return NULL;
	if (*text != '/' && *text != '%')
		return "a path has an unknown character";
	ret->is_rest = *text == '%';
	ret->divisor = strtoll(text + 1, &end, 10);
	return *end || ret->divisor <= 0 ? "'/' and '%' need a number" : NULL;
}

static const char *parse_path(struct arena *a, const char *text, struct successor *ret)
{
	const char *wrong =
		*text && *text != '/' && *text != '%' ? parse_steps(a, &text, ret) : NULL;

	return wrong ? wrong : parse_unit(text, ret);
}

/* Reads a path from a parameter or variable, or a number. */
static const char *parse_start(struct arena *a, const char *text, struct successor *ret)
{
	const char *wrong = NULL;
	char *end;

	ret->is_part = take_word(&text, "&");
	ret->text = text;
	if (isdigit((unsigned char)*text)) {
		ret->kind = SUCCESSOR_NUMBER;
		ret->number = strtoll(text, &end, 10);
		return *end ? "nothing can follow a number" : NULL;
	}
	ret->name = take_name(a, &text);
	if (!ret->name)
		return "a path needs a name to begin at";
	if (take_word(&text, "."))
		wrong = parse_steps(a, &text, ret);
	return wrong ? wrong : parse_unit(text, ret);
}

/* ---- names ---- */

static const char *parse_name(const char *text, struct successor *ret)
{
	ret->kind = SUCCESSOR_SAME;
	if (take_word(&text, "trace:"))
		ret->kind = SUCCESSOR_TRACEPOINT;
	else if (take_word(&text, "entry:"))
		ret->kind = SUCCESSOR_ENTRY;
	/* The message about a tracepoint says that it is one. */
	if (ret->kind != SUCCESSOR_TRACEPOINT)
		ret->text = text;
	ret->name = text;
	if (!*text)
		return "a name is missing";
	return text[strspn(text, NAME_CHARACTERS "./-*")] ? "a name has an unknown character"
							  : NULL;
}

/* ---- a whole row ---- */

static const char *parse_one(struct arena *a, enum successor_form form, const char *text,
			     struct successor *ret)
{
	ret->is_beside = take_word(&text, "=");
	ret->text = text;
	ret->kind = SUCCESSOR_VALUE;
	switch (form) {
	case SUCCESSOR_NAME:
		return parse_name(text, ret);
	case SUCCESSOR_PATH:
		return parse_path(a, text, ret);
	case SUCCESSOR_START:
		break;
	}
	return parse_start(a, text, ret);
}

const char *successor_parse(struct arena *a, enum successor_form form, const char *text,
			    successors *ret)
{
	const char *wrong = NULL;

	while (text && !wrong) {
		size_t len = strcspn(text, "|");
		struct successor one = { 0 };

		wrong = parse_one(a, form, arena_strndup(a, text, len), &one);
		vec_push(a, ret, one);
		text = text[len] ? text + len + 1 : NULL;
	}
	return wrong;
}
