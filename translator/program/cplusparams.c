/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both texts are rewritten in one form, "(std::vector<A> const&)", and then compared name
 * by name.
 */
#include "program/cplusparams.h"

#include <ctype.h>
#include <string.h>

#include "lib/arena.h"
#include "lib/strbuf.h"

#define MAX_NESTING 64

static bool in_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == ':' || c == '$';
}

static size_t name_length(const char *text)
{
	size_t n = 0;

	while (in_name(text[n]))
		n++;
	return n;
}

/* ---- the common form ---- */

struct reader {
	struct arena *arena;
	const char *at;
};

/* Templates whose objects are default arguments of others. */
static const char *const defaults[] = {
	"std::allocator<", "std::char_traits<",	   "std::less<",
	"std::hash<",	   "std::default_delete<", "std::equal_to<",
};

static bool is_default(const char *argument)
{
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
		if (!strncmp(argument, defaults[i], strlen(defaults[i])))
			return true;
	return false;
}

static const char *read_type(struct reader *r, unsigned depth);

/* Reads "<A, B>", "(A, B)", without default arguments of templates. */
static void read_list(struct reader *r, char end, unsigned depth, struct strbuf *out)
{
	unsigned n = 0;

	strbuf_addf(out, "%c", *r->at++);
	while (*r->at && *r->at != end) {
		const char *type = read_type(r, depth + 1);

		if (!n || end != '>' || !is_default(type))
			strbuf_addf(out, "%s%s", n ? "," : "", type);
		n++;
		r->at += strspn(r->at, ", ");
		if (*r->at && *r->at != end && strchr(">)", *r->at))
			break;
	}
	if (*r->at)
		r->at++;
	strbuf_addf(out, "%c", end);
}

/* Returns "std::string" for "std::basic_string<char>", and similar names. */
static const char *plain_name(struct arena *a, const char *type)
{
	static const char basic[] = "std::basic_", of_char[] = "<char>";
	size_t len = strlen(type), behind = sizeof(of_char) - 1;

	if (strncmp(type, basic, sizeof(basic) - 1) || len < behind ||
	    strcmp(type + len - behind, of_char))
		return type;
	type += sizeof(basic) - 1;
	return arena_printf(a, "std::%.*s", (int)(strlen(type) - behind), type);
}

/* Adds a name; inline namespaces of the library are left out. */
static void add_name(struct strbuf *out, const char *name, size_t len, bool follows)
{
	static const char version[] = "std::__cxx11::";

	strbuf_addf(out, "%s", follows ? " " : "");
	if (len > sizeof(version) - 1 && !strncmp(name, version, sizeof(version) - 1))
		strbuf_addf(out, "std::%.*s", (int)(len - sizeof(version) + 1),
			    name + sizeof(version) - 1);
	else
		strbuf_addf(out, "%.*s", (int)len, name);
}

/* Reads a type's names: const, wherever it is among them, is put after them. */
static const char *read_names(struct reader *r, unsigned depth, bool *is_const)
{
	struct strbuf out;
	bool follows = false;

	strbuf_init(&out, r->arena);
	*is_const = false;
	for (;;) {
		size_t len;

		r->at += strspn(r->at, " ");
		len = name_length(r->at);
		if (len == 5 && !strncmp(r->at, "const", 5))
			*is_const = true;
		else if (len)
			add_name(&out, r->at, len, follows);
		else if (*r->at == '<' && depth < MAX_NESTING)
			read_list(r, '>', depth, &out);
		else
			return plain_name(r->arena, out.s ? out.s : "");
		follows |= len && !(len == 5 && !strncmp(r->at, "const", 5));
		r->at += len;
	}
}

static const char *read_type(struct reader *r, unsigned depth)
{
	struct strbuf out;
	bool is_const;
	const char *names = read_names(r, depth, &is_const);

	strbuf_init(&out, r->arena);
	strbuf_addf(&out, "%s", names);
	/* const on a parameter passed by value concerns only the function itself. */
	if (is_const && (depth > 1 || strchr("*&([", *r->at)))
		strbuf_addf(&out, " const");
	while (*r->at && !strchr(",>)", *r->at)) {
		if (*r->at == '(' && depth < MAX_NESTING)
			read_list(r, ')', depth, &out);
		else if (*r->at != ' ')
			strbuf_addf(&out, "%c", *r->at++);
		else
			r->at++;
	}
	return out.s;
}

static const char *one_form(struct arena *a, const char *text, const char **rest)
{
	struct reader r = { a, text };
	struct strbuf out;

	strbuf_init(&out, a);
	r.at += strspn(r.at, " ");
	if (*r.at == '(')
		read_list(&r, ')', 0, &out);
	*rest = r.at + strspn(r.at, " ");
	return out.s ? out.s : "";
}

/* ---- comparing ---- */

/* Compares names; the first one may lack leading scopes. */
static bool names_match(const char *pattern, size_t n, const char *name, size_t len)
{
	return n <= len && !strncmp(pattern, name + len - n, n) &&
	       (n == len || name[len - n - 1] == ':');
}

static bool forms_match(const char *pattern, const char *text)
{
	while (*pattern && *text) {
		size_t n = name_length(pattern), len = name_length(text);

		if (n && len) {
			if (!names_match(pattern, n, text, len))
				return false;
		} else {
			n = len = 1;
			if (*pattern != *text)
				return false;
		}
		pattern += n;
		text += len;
	}
	return !*pattern && !*text;
}

bool cplusparams_match(struct arena *a, const char *pattern, const char *parameters)
{
	const char *rest, *its_rest, *form, *its;

	if (!pattern)
		return true;
	if (!parameters)
		return false;
	form = one_form(a, pattern, &rest);
	its = one_form(a, parameters, &its_rest);
	return (!*rest || !strcmp(rest, its_rest)) && forms_match(form, its);
}
