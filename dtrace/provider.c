/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dtrace/provider.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/error.h"
#include "lib/strbuf.h"

enum token { TOKEN_END, TOKEN_NAME, TOKEN_OTHER }; /* OTHER: one character, or a whole literal */

struct parser {
	struct arena *a;
	const char *file;
	const char *at, *end, *line_begin;
	unsigned line;
	bool preprocessed;
	enum token kind;  /* the next token: */
	const char *text; /* … its first character */
	size_t len;
	unsigned token_line, token_column;
	struct error *err; /* the first error; the parser then skips to the end */
};

/* ---- tokens ---- */

static bool fail(struct parser *p, const char *wanted)
{
	if (p->err)
		return false;

	const char *found = p->kind == TOKEN_END
				    ? "the end of the file"
				    : arena_printf(p->a, "'%.*s'", (int)p->len, p->text);

	p->err = error_create(p->a, ERROR_SCRIPT, "%s:%u:%u: error: %s expected, not %s", p->file,
			      p->token_line, p->token_column, wanted, found);
	p->at = p->end;
	p->kind = TOKEN_END;
	return false;
}

static void newline(struct parser *p)
{
	p->line++;
	p->line_begin = p->at;
}

/* Reads cpp's line "# 12 "file.h"": the next line is line 12 of that file. */
static void line_marker(struct parser *p, const char *number, const char *end)
{
	char *rest;
	unsigned long line = strtoul(number, &rest, 10);
	const char *open = memchr(rest, '"', (size_t)(end - rest));
	const char *close = open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;

	p->line = (unsigned)line - 1;
	if (close)
		p->file = arena_strndup(p->a, open + 1, (size_t)(close - open - 1));
}

static bool word_is(const char *at, const char *end, const char *word)
{
	size_t len = strlen(word);

	return (size_t)(end - at) >= len && !memcmp(at, word, len) &&
	       (at + len == end || !isalnum((unsigned char)at[len]));
}

static void directive(struct parser *p)
{
	const char *end = memchr(p->at, '\n', (size_t)(p->end - p->at)), *at = p->at + 1;

	end = end ? end : p->end;
	while (at < end && isblank((unsigned char)*at))
		at++;
	if (word_is(at, end, "line"))
		for (at += 4; at < end && isblank((unsigned char)*at);)
			at++;
	if (at < end && isdigit((unsigned char)*at))
		line_marker(p, at, end);
	else if (!p->preprocessed && !word_is(at, end, "pragma"))
		fprintf(stderr,
			"%s:%u:%td: warning: '#%.*s' is ignored: option -C runs the preprocessor\n",
			p->file, p->line, p->at - p->line_begin + 1, (int)strcspn(at, " \t\r\n"),
			at);
	p->at = end;
}

static void comment(struct parser *p)
{
	for (p->at += 2; p->at < p->end; p->at++) {
		if (p->at[0] == '*' && p->end - p->at > 1 && p->at[1] == '/') {
			p->at += 2;
			return;
		}
		if (*p->at == '\n') {
			p->line++;
			p->line_begin = p->at + 1;
		}
	}
}

static void skip_blank(struct parser *p)
{
	bool line_is_empty = p->at == p->line_begin;

	while (p->at < p->end) {
		char c = *p->at, next = p->end - p->at > 1 ? p->at[1] : 0;

		if (c == '\n') {
			p->at++;
			newline(p);
			line_is_empty = true;
		} else if (isspace((unsigned char)c)) {
			p->at++;
		} else if (c == '/' && next == '*') {
			comment(p);
		} else if (c == '/' && next == '/') {
			while (p->at < p->end && *p->at != '\n')
				p->at++;
		} else if (c == '#' && line_is_empty) {
			directive(p);
		} else {
			return;
		}
	}
}

/* Returns the length of a string or character literal, up to the end of its line. */
static size_t literal_length(const struct parser *p)
{
	const char *at = p->at + 1;

	for (; at < p->end && *at != *p->at && *at != '\n'; at++)
		if (*at == '\\' && p->end - at > 1)
			at++;
	return (size_t)(at - p->at) + (at < p->end && *at == *p->at);
}

static void next(struct parser *p)
{
	skip_blank(p);
	p->text = p->at;
	p->len = 0;
	p->token_line = p->line;
	p->token_column = (unsigned)(p->at - p->line_begin) + 1;
	if (p->at == p->end) {
		p->kind = TOKEN_END;
		return;
	}
	while (p->at + p->len < p->end &&
	       (isalnum((unsigned char)p->at[p->len]) || p->at[p->len] == '_'))
		p->len++;
	p->kind = p->len && !isdigit((unsigned char)*p->at) ? TOKEN_NAME : TOKEN_OTHER;
	if (!p->len)
		p->len = *p->at == '"' || *p->at == '\'' ? literal_length(p) : 1;
	p->at += p->len;
}

static bool is(const struct parser *p, const char *text)
{
	return p->kind != TOKEN_END && p->len == strlen(text) && !memcmp(p->text, text, p->len);
}

static bool accept(struct parser *p, const char *text)
{
	if (!is(p, text))
		return false;
	next(p);
	return true;
}

static bool expect(struct parser *p, const char *text)
{
	return accept(p, text) || fail(p, arena_printf(p->a, "'%s'", text));
}

static const char *expect_name(struct parser *p, const char *what)
{
	const char *name = arena_strndup(p->a, p->text, p->len);

	if (p->kind != TOKEN_NAME) {
		fail(p, what);
		return "";
	}
	next(p);
	return name;
}

/* ---- declarations ---- */

/* Adds a token to a type, with a blank where C requires or people write one. */
static void append_token(struct strbuf *b, const struct parser *p)
{
	char last = b->len ? b->s[b->len - 1] : 0;
	bool is_word = p->kind == TOKEN_NAME || isdigit((unsigned char)*p->text);

	if (last == ',' ||
	    (last && (is_word || *p->text == '*') && (isalnum((unsigned char)last) || last == '_')))
		strbuf_addc(b, ' ');
	strbuf_add(b, p->text, p->len);
}

/*
 * Reads ( TYPE [NAME], … ), and counts the arguments by the commas outside brackets.
 */
static const char *arguments(struct parser *p, unsigned *count)
{
	unsigned depth = 0;
	struct strbuf b;

	strbuf_init(&b, p->a);
	*count = 0;
	if (!expect(p, "("))
		return "";
	while (p->kind != TOKEN_END && (depth || !is(p, ")"))) {
		if (is(p, ";") || is(p, "{") || is(p, "}"))
			break;
		depth += is(p, "(") || is(p, "[");
		depth -= depth && (is(p, ")") || is(p, "]"));
		*count += !depth && is(p, ",");
		append_token(&b, p);
		next(p);
	}
	*count += b.len && strcmp(b.s, "void");
	expect(p, ")");
	return b.s;
}

static bool probe_is_new(struct parser *p, const struct provider *provider, const char *name,
			 unsigned line, unsigned column)
{
	vec_each(&provider->probes, i) {
		if (strcmp(provider->probes.data[i].name, name) || p->err)
			continue;
		p->err = error_create(p->a, ERROR_SCRIPT,
				      "%s:%u:%u: error: probe '%s' is declared a second time; the "
				      "first is in line %u",
				      p->file, line, column, name, provider->probes.data[i].line);
		return false;
	}
	return true;
}

/*
 * Reads probe NAME(…) [: (…)]; the part after the colon describes how D scripts see the
 * arguments.
 */
static bool probe(struct parser *p, struct provider *provider)
{
	unsigned line = p->token_line, column = p->token_column, unused;
	struct probe new = { .name = expect_name(p, "a probe's name"), .line = line };

	new.arguments = arguments(p, &new.count);
	if (accept(p, ":"))
		arguments(p, &unused);
	if (!expect(p, ";") || !probe_is_new(p, provider, new.name, line, column))
		return false;
	if (new.count > PROBE_ARGUMENTS_MAX) {
		p->err = error_create(
			p->a, ERROR_SCRIPT,
			"%s:%u:%u: error: probe '%s' has %u arguments; there can be %d", p->file,
			line, column, new.name, new.count, PROBE_ARGUMENTS_MAX);
		return false;
	}
	vec_push(p->a, &provider->probes, new);
	return true;
}

static bool provider(struct parser *p, provider_list *ret)
{
	struct provider new = { .name = expect_name(p, "a provider's name") };

	if (!expect(p, "{"))
		return false;
	while (!accept(p, "}"))
		if (!(accept(p, "probe") || fail(p, "'probe' or '}'")) || !probe(p, &new))
			return false;
	accept(p, ";");
	vec_push(p->a, ret, new);
	return true;
}

/* Skips struct, union, enum or typedef, to the semicolon that ends it. */
static void other_declaration(struct parser *p)
{
	unsigned depth = 0;

	for (; p->kind != TOKEN_END && (depth || !is(p, ";")); next(p)) {
		depth += is(p, "{");
		depth -= depth && is(p, "}");
	}
	expect(p, ";");
}

static bool begins_declaration(const struct parser *p)
{
	static const char *const words[] = { "struct", "union",	 "enum", "typedef",
					     "extern", "inline", "const" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (is(p, words[i]))
			return true;
	return false;
}

struct error *provider_parse(struct arena *a, const char *file, const char *text, size_t len,
			     int preprocessed, provider_list *ret)
{
	struct parser p = {
		.a = a,
		.file = file,
		.at = text,
		.end = text + len,
		.line_begin = text,
		.line = 1,
		.preprocessed = preprocessed,
	};

	next(&p);
	while (p.kind != TOKEN_END && !p.err) {
		if (accept(&p, "provider"))
			provider(&p, ret);
		else if (begins_declaration(&p) ||
			 preprocessed) /* headers also declare functions */
			other_declaration(&p);
		else
			fail(&p, "'provider'");
	}
	if (!p.err && !ret->count)
		p.err = error_create(a, ERROR_SCRIPT, "%s: error: no provider is declared here",
				     file);
	return p.err;
}
