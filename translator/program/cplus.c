/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangles with libstdc++, which exists wherever C++ programs do. It is loaded at the
 * first mangled name, so that it is not needed otherwise.
 */
#include "program/cplus.h"

#include <dlfcn.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/session.h"
#include "lib/vec.h"

#define ANONYMOUS "(anonymous namespace)"
#define OPERATOR  "operator"
#define LAMBDA	  "{lambda"
#define CLONE	  " [clone " /* mark of a compiler's variant of a function */

static bool is_name_char(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

/*
 * Returns the text after "operator<<", "operator()", "operator new"; NULL: no operator's
 * name begins here.
 */
static const char *skip_operator(const char *text, const char *at)
{
	if (strncmp(at, OPERATOR, strlen(OPERATOR)) || (at > text && is_name_char(at[-1])) ||
	    is_name_char(at[strlen(OPERATOR)]))
		return NULL;
	at += strlen(OPERATOR);
	if (!strncmp(at, "()", 2) || !strncmp(at, "[]", 2))
		return at + 2;
	return at + strcspn(at, "(");
}

/*
 * Counts brackets of templates and parameters; the arrow of "fn() -> u8" is not a
 * bracket.
 */
static unsigned depth_behind(unsigned depth, const char *text, const char *at)
{
	bool is_arrow = *at == '>' && at > text && at[-1] == '-';

	if (*at == '<' || *at == '(' || *at == '{')
		return depth + 1;
	return depth && (*at == ')' || *at == '}' || (*at == '>' && !is_arrow)) ? depth - 1 : depth;
}

/* Converts Rust's "generic::<u64>" to "generic<u64>", the name in debuginfo. */
static const char *drop_turbofish(struct arena *a, const char *text)
{
	char *ret, *to;

	if (!strstr(text, "::<"))
		return text;
	ret = to = arena_strdup(a, text);
	for (const char *at = text; *at; at++) {
		if (at > text && is_name_char(at[-1]) && !strncmp(at, "::<", 3) &&
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
		depth = depth_behind(depth, scope, at);
		if ((!depth && at[1]) || (depth == 1 && !strncmp(at, " as ", 4)) ||
		    !strncmp(at, "<impl ", 6) || !strncmp(at, "<lambda", 7))
			return scope;
	}
	return arena_strndup(a, scope + 1, len - 2);
}

/* True: parameters begin here; false for Go's "main.(*Order).total". */
static bool is_list(const char *text, const char *at)
{
	return *at == '(' && (at == text || at[-1] != '.');
}

/* True for Go's "main.Map[struct { n int }]", which is one word with blanks in it. */
static bool is_of_go(const char *text)
{
	return strstr(text, "struct {") || strstr(text, "interface {");
}

struct cplus_name cplus_split(struct arena *a, const char *written)
{
	const char *text = drop_turbofish(a, written);
	struct cplus_name ret = { 0 };
	const char *begin = text, *name = text, *at = text;
	unsigned depth = 0;

	if (is_of_go(text)) {
		ret.function = text;
		return ret;
	}
	while (*at && (!is_list(text, at) || depth || !strncmp(at, ANONYMOUS, strlen(ANONYMOUS)))) {
		const char *behind = depth ? NULL : skip_operator(text, at);

		if (behind) {
			at = behind;
		} else if (!strncmp(at, ANONYMOUS, strlen(ANONYMOUS))) {
			at += strlen(ANONYMOUS);
		} else if (!depth && !strncmp(at, "::", 2)) {
			name = at += 2;
		} else {
			depth = depth_behind(depth, text, at);
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
		ret.parameters = arena_strndup(
			a, at, strstr(at, CLONE) ? (size_t)(strstr(at, CLONE) - at) : strlen(at));
	return ret;
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

const char *cplus_plain(struct arena *a, const char *text)
{
	const char *begin = text, *at = text, *clone = strstr(text, CLONE);
	unsigned depth = 0;

	if (is_of_go(text))
		return text;
	while (*at && at != clone) {
		const char *behind = depth ? NULL : skip_operator(text, at);

		if (behind) {
			at = behind;
		} else if (!strncmp(at, ANONYMOUS, strlen(ANONYMOUS))) {
			at += strlen(ANONYMOUS);
		} else if (is_list(text, at) && !depth) {
			behind = skip_list(at);
			if (strncmp(behind, "::", 2) && at > begin)
				break;
			at = behind; /* part of an enclosing function, or of the result type */
		} else {
			depth += *at == '{';
			depth -= depth && *at == '}';
			depth = depth_behind(depth, text, at);
			if (*at++ == ' ' && !depth)
				begin = at;
		}
	}
	return arena_printf(a, "%.*s%s", (int)(at - begin), begin, clone ? clone : "");
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
		depth = depth_behind(depth, scope, at);
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
		if (*at != ' ' || (at > name && is_name_char(at[-1]) && is_name_char(at[1])))
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

		if (left && !strcmp(all.data[left - 1], ANONYMOUS) &&
		    strcmp(wanted.data[i - 1], ANONYMOUS)) {
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

/* ---- demangling ---- */

typedef char *(*demangler)(const char *symbol, char *room, size_t *len, int *status);

static demangler load(struct session *s)
{
	void *library;

	if (!s->demangler_asked)
		library = dlopen("libstdc++.so.6", RTLD_LAZY);
	else
		return (demangler)s->demangler;
	s->demangler_asked = true;
	s->demangler = library ? dlsym(library, "__cxa_demangle") : NULL;
	return (demangler)s->demangler;
}

const char *cplus_demangle(struct session *s, const char *symbol)
{
	demangler demangle = strncmp(symbol, "_Z", 2) ? NULL : load(s);
	char *text = demangle ? demangle(symbol, NULL, NULL, NULL) : NULL;
	const char *copy = text ? arena_strdup(s->arena, text) : NULL;

	free(text);
	return copy;
}
