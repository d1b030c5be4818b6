/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses "FUNCTION[@FILE][:LINES]". C++ names contain colons and pluses, paths contain
 * pluses: the text after the last one is LINES only if it consists of numbers.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "dwarf/find.h"
#include "lib/error.h"
#include "program/cplus.h"

#define MAX_LINE 100000000

/* Returns where ":LINES" or "+LINES" begins, or NULL. */
static const char *lines_part(const char *text)
{
	size_t len = strlen(text), digits;
	const char *at;

	for (at = text + len; at > text && strchr("0123456789,-*", at[-1]); at--)
		;
	digits = len - (size_t)(at - text);
	if (!digits || at - text < 2 || !strchr(":+", at[-1]) || at[-2] == ':')
		return NULL;
	return at - 1;
}

static struct error *malformed(struct session *s, const struct dwarf_pattern *p, const char *why)
{
	return error_create(s->arena, ERROR_SCRIPT,
			    "'%s': %s; a place is written \"FUNCTION@FILE:LINE\", with lines as "
			    "12, 12-20, 12,15-20 or *",
			    p->text, why);
}

static bool read_number(const char **at, unsigned *ret)
{
	char *end;
	unsigned long n;

	if (!isdigit((unsigned char)**at))
		return false;
	n = strtoul(*at, &end, 10);
	*at = end;
	*ret = (unsigned)n;
	return n <= MAX_LINE;
}

static struct error *read_lines(struct session *s, const char *at, struct dwarf_pattern *p)
{
	struct line_range all = { 0, MAX_LINE };

	if (!strcmp(at, "*")) {
		vec_push(s->arena, &p->lines, all);
		return NULL;
	}
	for (;; at++) {
		struct line_range r;

		if (!read_number(&at, &r.first))
			return malformed(s, p, "not line numbers");
		r.last = r.first;
		if (*at == '-' && (at++, !read_number(&at, &r.last)))
			return malformed(s, p, "a range of lines needs two numbers");
		if (r.last < r.first)
			return malformed(s, p, "a range of lines begins with the smaller number");
		vec_push(s->arena, &p->lines, r);
		if (!*at)
			return NULL;
		if (*at != ',')
			return malformed(s, p, "not line numbers");
	}
}

struct error *dwarf_pattern_parse(struct session *s, const char *text, struct dwarf_pattern *ret)
{
	const char *lines = lines_part(text), *end = lines ? lines : text + strlen(text);
	const char *file = memchr(text, '@', (size_t)(end - text));
	struct cplus_name name;

	*ret = (struct dwarf_pattern){ .text = text };
	name = cplus_split(s->arena,
			   arena_strndup(s->arena, text, (size_t)((file ? file : end) - text)));
	ret->function = name.function;
	ret->scope = name.scope;
	ret->parameters = name.parameters;
	if (!*ret->function)
		return malformed(s, ret, "there is no function before '@' ('*' stands for all)");
	if (file)
		ret->file = arena_strndup(s->arena, file + 1, (size_t)(end - file - 1));
	if (ret->file && !*ret->file)
		return malformed(s, ret, "there is no file after '@'");
	if (ret->file && strchr(ret->file, ':'))
		return malformed(s, ret, "not line numbers");
	ret->relative = lines && *lines == '+';
	return lines ? read_lines(s, lines + 1, ret) : NULL;
}

bool dwarf_pattern_has(const struct dwarf_pattern *p, long line)
{
	vec_each(&p->lines, i)
		if (line >= (long)p->lines.data[i].first && line <= (long)p->lines.data[i].last)
			return true;
	return false;
}
