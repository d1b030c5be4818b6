/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See conf.h. */
#include "stap/service/conf.h"

#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "lib/error.h"

enum conf_kind { CONF_WORDS, CONF_OPTION, CONF_SWITCH };

static const struct conf_row {
	const char *name;
	enum conf_kind kind;
	size_t member;	    /* of struct conf, for CONF_WORDS */
	const char *option; /* for the others */
} rows[] = {
#define WORDS(name, member)  { #name, CONF_WORDS, offsetof(struct conf, member), NULL },
#define OPTION(name, option) { #name, CONF_OPTION, 0, option },
#define SWITCH(name, option) { #name, CONF_SWITCH, 0, option },
#include "stap/service/conf.def"
#undef WORDS
#undef OPTION
#undef SWITCH
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

struct reading {
	struct session *s;
	struct conf *conf;
	unsigned line;
	unsigned given[ROWS]; /* the line number of each name; 0: none yet */
};

static struct error *wrong(const struct reading *r, const char *text)
{
	return error_create(r->s->arena, ERROR_USAGE, "%s:%u: %s", r->conf->path, r->line, text);
}

/*
 * Reads the word at *at, without its quotes: '…' is literal, "…" may contain \" and \\.
 * Returns NULL, or the error.
 */
static const char *read_word(struct arena *a, const char **at, const char **ret)
{
	char *to = arena_alloc(a, strlen(*at) + 1), quote = 0;
	const char *c = *at;

	*ret = to;
	for (; *c && (quote || (*c != ' ' && *c != '\t')); c++) {
		if (quote && *c == quote)
			quote = 0;
		else if (!quote && (*c == '"' || *c == '\''))
			quote = *c;
		else if (quote == '"' && *c == '\\' && (c[1] == '"' || c[1] == '\\'))
			*to++ = *++c;
		else
			*to++ = *c;
	}
	*to = 0;
	*at = c + strspn(c, " \t");
	return quote ? "a quote is not closed in this line" : NULL;
}

static struct error *read_words(struct reading *r, const char *text, conf_words *ret)
{
	struct arena *a = r->s->arena;

	while (*text) {
		struct conf_word word = { .line = r->line };
		const char *why = read_word(a, &text, &word.text);

		if (why)
			return wrong(r, why);
		vec_push(a, ret, word);
	}
	return NULL;
}

static void add_option(struct reading *r, const char *text)
{
	struct conf_word word = { text, r->line };

	vec_push(r->s->arena, &r->conf->options, word);
}

static struct error *take_option(struct reading *r, const struct conf_row *row, const char *text)
{
	struct arena *a = r->s->arena;
	conf_words words = { 0 };
	struct error *err = read_words(r, text, &words);
	const char *value;

	if (err)
		return err;
	if (words.count != 1 || !*words.data[0].text)
		return wrong(r, arena_printf(a, "%s= takes one word; quotes hold blanks together",
					     row->name));
	value = words.data[0].text;
	if (row->kind == CONF_OPTION && row->option[1] == '-') {
		add_option(r, arena_printf(a, "%s=%s", row->option, value));
	} else if (row->kind == CONF_OPTION) {
		add_option(r, row->option);
		add_option(r, value);
	} else if (!strcmp(value, "yes")) {
		add_option(r, row->option);
	} else if (strcmp(value, "no")) {
		return wrong(r, arena_printf(a, "%s= is yes or no, not '%s'", row->name, value));
	}
	return NULL;
}

static struct error *unknown_name(struct reading *r, const char *name)
{
	struct arena *a = r->s->arena;
	const char *names[ROWS], *near;

	for (size_t i = 0; i < ROWS; i++)
		names[i] = rows[i].name;
	near = diag_near(r->s, name, names, ROWS);
	return wrong(r, near ? arena_printf(a, "there is no '%s' here; did you mean %s", name, near)
			     : arena_printf(a,
					    "there is no '%s' here; variables of the environment "
					    "are Environment= of systemctl edit",
					    name));
}

static struct error *take_setting(struct reading *r, const char *name, const char *value)
{
	struct arena *a = r->s->arena;
	size_t i = 0;

	while (i < ROWS && strcmp(rows[i].name, name))
		i++;
	if (i == ROWS)
		return unknown_name(r, name);
	if (rows[i].kind == CONF_WORDS)
		return read_words(r, value, (conf_words *)((char *)r->conf + rows[i].member));
	if (r->given[i])
		return wrong(r, arena_printf(a, "%s= is given twice, first in line %u", name,
					     r->given[i]));
	r->given[i] = r->line;
	return take_option(r, &rows[i], value);
}

/*
 * Parses a line without its newline; blanks around the name, the '=' and the value are
 * ignored.
 */
static struct error *take_line(struct reading *r, const char *line, size_t len)
{
	struct arena *a = r->s->arena;
	size_t name;

	for (size_t i = 0; i < len; i++)
		if (((unsigned char)line[i] < ' ' && line[i] != '\t') || line[i] == 0x7f)
			return wrong(r, arena_printf(a, "a control character, of code %u",
						     (unsigned char)line[i]));
	line = arena_strndup(a, line, len);
	line += strspn(line, " \t");
	if (!*line || *line == '#' || *line == ';')
		return NULL;
	name = strcspn(line, "= \t");
	if (!name || line[name + strspn(line + name, " \t")] != '=')
		return wrong(r, "not NAME=VALUE; '#' begins a comment");
	if (line[strlen(line) - 1] == '\\')
		return wrong(r, "lines are not continued; OPTIONS= may be repeated");
	return take_setting(r, arena_strndup(a, line, name),
			    strchr(line, '=') + 1 + strspn(strchr(line, '=') + 1, " \t"));
}

struct error *conf_parse(struct session *s, const char *path, const char *text, size_t len,
			 struct conf *ret)
{
	struct reading r = { .s = s, .conf = ret };
	struct error *err = NULL;

	*ret = (struct conf){ .path = path };
	while (!err && len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		r.line++;
		err = take_line(&r, text, n);
		n += end != NULL;
		text += n;
		len -= n;
	}
	return err;
}
