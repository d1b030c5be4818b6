/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/doc/explain.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/diag.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/vec.h"

#define NAMED_MAX 2 /* classes that the last line of a run names */

struct class
{
	const char *name, *what;
	const char *head, *text; /* the lines "KEY: VALUE"; the text below them */
};
typedef VEC(struct class) class_vec;

static void add_class(struct session *s, class_vec *ret, const char *path)
{
	struct class c = { 0 };
	const char *dash, *below;
	char *text;
	size_t len;

	if (path_read(s->arena, path, &text, &len))
		return;
	dash = strstr(text, " - ");
	below = strstr(text, "\n\n");
	if (!dash || !below || dash > below)
		return;
	c.name = arena_strndup(s->arena, text, (size_t)(dash - text));
	c.what = arena_strndup(s->arena, dash + 3, strcspn(dash + 3, "\n"));
	c.head = arena_strndup(s->arena, text, (size_t)(below + 1 - text));
	c.text = below + 2;
	vec_push(s->arena, ret, c);
}

static void find_classes(struct session *s, class_vec *ret)
{
	glob_t found;

	if (!glob(arena_printf(s->arena, "%s/explain/*.txt", s->data_dir), 0, NULL, &found))
		for (size_t i = 0; i < found.gl_pathc; i++)
			add_class(s, ret, found.gl_pathv[i]);
	globfree(&found);
}

/* True: the text matches the pattern of `len` bytes; case is ignored, '*' is any text. */
static bool matches(const char *pattern, size_t len, const char *text)
{
	const char *end = pattern + len, *star = NULL, *from = NULL;

	while (*text) {
		if (pattern < end && *pattern == '*') {
			star = pattern++;
			from = text;
		} else if (pattern < end &&
			   tolower((unsigned char)*pattern) == tolower((unsigned char)*text)) {
			pattern++;
			text++;
		} else if (star) {
			pattern = star + 1;
			text = ++from;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

/*
 * Returns how many characters the best matching pattern of the class has; 0: none
 * matches.
 */
static size_t fit_of(const struct class *c, const char *message)
{
	static const char key[] = "\nmessage: ";
	size_t best = 0;

	for (const char *at = strstr(c->head, key); at; at = strstr(at, key)) {
		size_t len, said = 1;

		at += sizeof(key) - 1;
		len = strcspn(at, "\n");
		for (size_t i = 0; i < len; i++)
			said += at[i] != '*';
		if (said > best && matches(at, len, message))
			best = said;
	}
	return best;
}

static const struct class *class_of(const class_vec *all, const char *message)
{
	const struct class *ret = NULL;
	size_t best = 0;

	vec_each(all, i) {
		size_t fit = fit_of(&all->data[i], message);

		if (fit > best) {
			best = fit;
			ret = &all->data[i];
		}
	}
	return ret;
}

/*
 * Returns a pasted message without the text printed around it: the place and "error: "
 * before it, the references to pages after it, and the lines that follow.
 */
static const char *bare_message(struct session *s, const char *text)
{
	static const char *const levels[] = { "error: ", "warning: ", "note: " };
	const char *ret = text, *end;

	for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		const char *at = strcasestr(text, levels[i]);

		if (at && (at == text || at[-1] == ' ')) {
			ret = at + strlen(levels[i]);
			break;
		}
	}
	if (ret == text && !strncmp(text, "stap: ", 6))
		ret += 6;
	end = strstr(ret, "  [");
	return arena_strndup(s->arena, ret,
			     end && end < ret + strcspn(ret, "\n") ? (size_t)(end - ret)
								   : strcspn(ret, "\n"));
}

/* True: each word of the text is in the class's name, its messages or its text. */
static bool has_words(struct session *s, const struct class *c, const char *words)
{
	while (*words) {
		size_t len = strcspn(words, " ");
		const char *word = arena_strndup(s->arena, words, len);

		if (!strcasestr(c->head, word) && !strcasestr(c->text, word))
			return false;
		words += len + strspn(words + len, " ");
	}
	return true;
}

/* Prints the lines of the head that are messages, with "…" for any text. */
static void print_messages(const struct class *c)
{
	static const char key[] = "\nmessage: ";

	for (const char *at = strstr(c->head, key); at; at = strstr(at, key)) {
		printf("  ");
		for (at += sizeof(key) - 1; *at && *at != '\n'; at++)
			if (*at == '*')
				printf("…");
			else
				putchar(*at);
		putchar('\n');
	}
}

static void print_class(const struct class *c)
{
	printf("%s - %s\n\n", c->name, c->what);
	print_messages(c);
	putchar('\n');
	for (const char *at = c->text; *at;) {
		size_t len = strcspn(at, "\n");

		if (!strncmp(at, "wrong:", 6) || !strncmp(at, "right:", 6))
			printf("%c%.4s%s%.*s:\n", toupper((unsigned char)*at), at + 1,
			       len > 7 ? ", with" : "", (int)len - 6, at + 6);
		else if (*at == '\t')
			printf("  %.*s\n", (int)len - 1, at + 1);
		else
			printf("%.*s\n", (int)len, at);
		at += len + (at[len] == '\n');
	}
}

static bool list(struct session *s, const class_vec *all, const char *words)
{
	const struct class *only = NULL;
	size_t found = 0;

	vec_each(all, i) {
		if (has_words(s, &all->data[i], words)) {
			only = &all->data[i];
			found++;
		}
	}
	if (found == 1 && *words) {
		print_class(only);
		return true;
	}
	vec_each(all, i) {
		if (has_words(s, &all->data[i], words))
			printf("%-22s %s\n", all->data[i].name, all->data[i].what);
	}
	return found;
}

static bool refuse(struct session *s, const class_vec *all, const char *asked)
{
	VEC(const char *) names = { 0 };
	const char *near;

	vec_each(all, i)
		vec_push(s->arena, &names, all->data[i].name);
	near = diag_near(s, asked, names.data, names.count);
	fprintf(stderr, "stap: no message is explained by '%s'%s%s; stap --explain lists all\n",
		diag_printable(s->arena, asked, strlen(asked)), near ? "; did you mean " : "",
		near ? near : "");
	return false;
}

/* Prints the class of each line of standard input. False: a line has none. */
static bool name_lines(struct session *s, const class_vec *all)
{
	bool ret = true;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, stdin) > 0) {
		const char *message = bare_message(s, line);
		const struct class *c = class_of(all, message);

		printf("%s: %s\n", c ? c->name : "?",
		       diag_printable(s->arena, message, strlen(message)));
		ret &= c != NULL;
	}
	free(line);
	return ret;
}

/*
 * Prints the class with that name, or the class of a message, or lists the classes that
 * contain the words; without an argument, lists all. For '-', prints the class of each
 * line of standard input. False: there is none.
 */
static bool show(struct session *s)
{
	const char *question = optioncommand_question(s), *asked = question ? question : "";
	const struct class *c;
	class_vec all = { 0 };

	find_classes(s, &all);
	if (!strcmp(asked, "-"))
		return name_lines(s, &all);
	vec_each(&all, i) {
		if (!strcasecmp(all.data[i].name, asked)) {
			print_class(&all.data[i]);
			return true;
		}
	}
	c = *asked ? class_of(&all, bare_message(s, asked)) : NULL;
	if (c) {
		print_class(c);
		return true;
	}
	return list(s, &all, asked) || refuse(s, &all, asked);
}

struct error *explain_show(struct session *s, int *status)
{
	*status = show(s) ? 0 : 1;
	return NULL;
}

void explain_reported(struct session *s)
{
	const struct class *named[NAMED_MAX] = { NULL };
	class_vec all = { 0 };

	if (s->reported[0])
		find_classes(s, &all);
	for (size_t i = 0; i < SESSION_REPORTED && s->reported[i]; i++) {
		const struct class *c = class_of(&all, s->reported[i]);
		size_t n = 0;

		while (n < NAMED_MAX && named[n] && named[n] != c)
			n++;
		if (c && n < NAMED_MAX && !named[n]) {
			named[n] = c;
			s->explained = s->explained
					       ? arena_printf(s->arena, "%s] [stap --explain %s",
							      s->explained, c->name)
					       : c->name;
		}
	}
}
