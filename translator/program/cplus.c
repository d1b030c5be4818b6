/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See cplus.h. */
#include "program/cplus.h"

#include <fnmatch.h>
#include <string.h>

#include "base/session.h"
#include "lib/demangle.h"
#include "lib/plainname.h"
#include "lib/vec.h"

#define LAMBDA "{lambda"

/* Converts Rust's "generic::<u64>" to "generic<u64>", the name in debuginfo. */
static const char *drop_turbofish(struct arena *a, const char *text)
{
	char *ret, *to;

	if (!strstr(text, "::<"))
		return text;
	ret = to = arena_strdup(a, text);
	for (const char *at = text; *at; at++) {
		if (at > text && plainname_has(at[-1]) && !strncmp(at, "::<", 3) &&
		    strncmp(at, "::<lambda", 9) && strncmp(at, "::<impl ", 8))
			at += 2;
		*to++ = *at;
	}
	*to = 0;
	return ret;
}

/* Removes Rust's brackets from "<r::A>", the scope of the type's own functions. */
static const char *drop_brackets(struct arena *a, const char *scope)
{
	size_t len = scope ? strlen(scope) : 0;
	unsigned depth = 0;

	if (len < 3 || scope[0] != '<' || scope[len - 1] != '>')
		return scope;
	for (const char *at = scope; *at; at++) {
		depth = plainname_depth(depth, scope, at);
		if ((!depth && at[1]) || (depth == 1 && !strncmp(at, " as ", 4)) ||
		    !strncmp(at, "<impl ", 6) || !strncmp(at, "<lambda", 7))
			return scope;
	}
	return arena_strndup(a, scope + 1, len - 2);
}

/*
 * Returns the length of a name that clang puts in parentheses, as "(lambda at a.cc:8:11)"
 * or "(anonymous namespace)"; 0: the text begins with something else.
 */
static size_t name_in_parentheses(const char *text)
{
	static const char *const begins[] = { "(anonymous ", "(lambda at ", "(unnamed " };

	for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
		if (!strncmp(text, begins[i], strlen(begins[i])) && strchr(text, ')'))
			return strcspn(text, ")") + 1;
	return 0;
}

struct cplus_name cplus_split(struct arena *a, const char *written)
{
	const char *text = drop_turbofish(a, written);
	struct cplus_name ret = { 0 };
	const char *begin = text, *name = text, *at = text;
	unsigned depth = 0;

	if (plainname_is_go(text)) {
		ret.function = text;
		return ret;
	}
	while (*at && (!plainname_is_list(text, at) || depth || name_in_parentheses(at))) {
		const char *behind = depth ? NULL : plainname_operator(text, at);

		if (behind) {
			at = behind;
		} else if (name_in_parentheses(at)) {
			at += name_in_parentheses(at);
		} else if (!depth && !strncmp(at, "::", 2)) {
			name = at += 2;
		} else {
			depth = plainname_depth(depth, text, at);
			if (*at++ == ' ' && !depth)
				begin = name = at;
		}
	}
	ret.function = arena_strndup(a, name, (size_t)(at - name));
	if (name > begin)
		ret.scope =
			arena_strndup(a, begin, name - begin > 2 ? (size_t)(name - begin - 2) : 2);
	ret.scope = drop_brackets(a, ret.scope);
	if (*at == '(')
		ret.parameters = arena_strndup(a, at,
					       strstr(at, PLAINNAME_CLONE)
						       ? (size_t)(strstr(at, PLAINNAME_CLONE) - at)
						       : strlen(at));
	return ret;
}

/* ---- comparing ---- */

typedef VEC(const char *) parts;

/*
 * Splits "geo::Box<a::b>" into "geo", "Box<a::b>"; a leading "::" gives an empty part.
 */
static parts split_scope(struct arena *a, const char *scope)
{
	const char *begin = scope;
	unsigned depth = 0;
	parts ret = { 0 };

	for (const char *at = scope; *at; at++) {
		depth = plainname_depth(depth, scope, at);
		if (depth || strncmp(at, "::", 2))
			continue;
		vec_push(a, &ret, arena_strndup(a, begin, (size_t)(at - begin)));
		begin = ++at + 1;
	}
	if (*begin)
		vec_push(a, &ret, arena_strdup(a, begin));
	return ret;
}

const char *cplus_without_blanks(struct arena *a, const char *name)
{
	char *ret = arena_strdup(a, name), *to = ret;

	for (const char *at = name; *at; at++)
		if (*at != ' ' || (at > name && plainname_has(at[-1]) && plainname_has(at[1])))
			*to++ = *at;
	*to = 0;
	return ret;
}

/*
 * The scope of closures is {lambda} in debuginfo; in symbols {lambda(int)#1} of gcc, $_0
 * of clang.
 */
static bool is_closure(const char *text)
{
	return !strncmp(text, LAMBDA "(", sizeof(LAMBDA)) || !strncmp(text, "$_", 2);
}

static bool part_matches(struct arena *a, const char *pattern, const char *part)
{
	if (strchr(pattern, '<')) {
		pattern = cplus_without_blanks(a, pattern);
		part = cplus_without_blanks(a, part);
	}
	if (is_closure(pattern) && (!strcmp(part, LAMBDA "}") || !strncmp(part, "$_", 2)) &&
	    (pattern[0] != '$' || part[0] != '$'))
		return true;
	return !fnmatch(pattern, part, 0) ||
	       (!strchr(pattern, '<') &&
		!fnmatch(pattern, arena_strndup(a, part, strcspn(part, "<")), 0));
}

bool cplus_scope_matches(struct arena *a, const char *pattern, const char *scope)
{
	parts wanted = { 0 }, all = { 0 };
	size_t left;

	if (!pattern)
		return true;
	wanted = split_scope(a, pattern);
	all = split_scope(a, scope);
	left = all.count;
	for (size_t i = wanted.count; i;) {
		bool is_root = i == 1 && !*wanted.data[0];

		if (left && !strcmp(all.data[left - 1], PLAINNAME_ANONYMOUS) &&
		    strcmp(wanted.data[i - 1], PLAINNAME_ANONYMOUS)) {
			left--;
			continue;
		}
		if (is_root || !left)
			return is_root && !left;
		if (!part_matches(a, wanted.data[--i], all.data[--left]))
			return false;
	}
	return true;
}

static bool is_rooted(const char *scope)
{
	return !strncmp(scope, "::", 2);
}

const char *cplus_scope_as_asked(struct arena *a, const char *pattern, const char *scope)
{
	parts all = split_scope(a, scope);
	size_t asked = pattern ? split_scope(a, pattern).count : 0;
	const char *ret = "";

	if (pattern && is_rooted(pattern))
		return arena_printf(a, "%s%s", scope[0] ? "::" : "", scope);
	for (size_t i = all.count; i && all.count - i < asked; i--)
		ret = *ret ? arena_printf(a, "%s::%s", all.data[i - 1], ret) : all.data[i - 1];
	return ret;
}

const char *cplus_demangle(struct session *s, const char *symbol)
{
	return demangle_cplus(&s->demangler, s->arena, symbol);
}
