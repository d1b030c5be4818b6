/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See commandline.h. The text is scanned first: wordexp(3) alone would expand some things
 * as no shell does ("$$" and "$1" are the caller's), and would look "~NAME" up in
 * libraries that it loads.
 */
#include "lib/commandline.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wordexp.h>

#define BLANKS	   " \t"
#define MOST_DEPTH 16 /* nested substitutions */
/* The search path if PATH is not set, the same as a shell's. */
#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"

/* ---- the text, as a shell would read it ---- */

struct scan {
	const char *at;
	bool plain; /* wordexp() does what a shell does */
	unsigned depth;
	const char *word, *word_end; /* the program's name */
	bool is_word_plain;
	unsigned assigned; /* assignments before it */
};

static bool skip_one(struct scan *s);

static bool skip_blanks(struct scan *s)
{
	for (;;) {
		s->at += strspn(s->at, BLANKS);
		if (s->at[0] != '\\' || s->at[1] != '\n')
			return true;
		s->at += 2;
	}
}

/* Skips to the end of a part that ends with this character. */
static bool skip_until(struct scan *s, char end)
{
	while (*s->at && *s->at != end)
		if (!skip_one(s))
			return false;
	return *s->at++ == end;
}

static bool skip_double_quoted(struct scan *s)
{
	s->at++;
	while (*s->at && *s->at != '"') {
		if (*s->at == '\'' || *s->at == '{' || *s->at == '}')
			s->at++;
		else if (!skip_one(s))
			return false;
	}
	return *s->at++ == '"';
}

/*
 * Skips the "(…)" of a substitution. Refuses text in which counting brackets could go
 * wrong.
 */
static bool skip_brackets(struct scan *s)
{
	bool ok = s->depth < MOST_DEPTH;

	s->depth++;
	for (s->at++; ok && *s->at && *s->at != ')';) {
		if (*s->at == '#' || *s->at == '\n')
			return false;
		ok = *s->at == '(' ? skip_brackets(s) : skip_one(s);
	}
	s->depth--;
	return ok && *s->at++ == ')';
}

static bool skip_backquoted(struct scan *s)
{
	for (s->at++; *s->at && *s->at != '`'; s->at++)
		if (*s->at == '\\' && s->at[1])
			s->at++;
	return *s->at++ == '`';
}

static size_t name_length(const char *text)
{
	size_t n = 0;

	if (isdigit((unsigned char)*text))
		return 0;
	while (isalnum((unsigned char)text[n]) || text[n] == '_')
		n++;
	return n;
}

/* Only "$NAME" and "${NAME}" are plain. */
static bool skip_dollar(struct scan *s)
{
	bool braced = s->at[1] == '{';
	size_t name = name_length(s->at + 1 + braced);

	if (name && (!braced || s->at[2 + name] == '}')) {
		s->at += 1 + name + 2 * braced;
		return true;
	}
	s->plain = false;
	s->at++;
	if (*s->at == '(')
		return skip_brackets(s);
	s->at += braced;
	return !braced || skip_until(s, '}');
}

/*
 * Skips a character, or the construct that begins with it. False: the construct does not
 * end, or is nested too deeply.
 */
static bool skip_one_here(struct scan *s)
{
	switch (*s->at) {
	case '\\':
		s->at += s->at[1] ? 2 : 1;
		return true;
	case '\'':
		s->at = strchrnul(s->at + 1, '\'');
		return *s->at && s->at++;
	case '"':
		return skip_double_quoted(s);
	case '`':
		s->plain = false;
		return skip_backquoted(s);
	case '$':
		return skip_dollar(s);
	case '{':
	case '}':
		s->plain = false;
		/* fallthrough */
	default:
		s->at++;
		return true;
	}
}

static bool skip_one(struct scan *s)
{
	bool ok = s->depth < MOST_DEPTH;

	s->depth++;
	ok = ok && skip_one_here(s);
	s->depth--;
	return ok;
}

/* "~" is plain where HOME is set. */
static void note_tilde(struct scan *s)
{
	if (*s->at == '~' && (!strchr("/ \t\n", s->at[1]) || !getenv("HOME")))
		s->plain = false;
}

static bool skip_word(struct scan *s)
{
	note_tilde(s);
	while (*s->at && !strchr(" \t\n|&;<>()", *s->at)) {
		bool is_assignment = *s->at == '=' || *s->at == ':';

		if (!skip_one(s))
			return false;
		if (is_assignment)
			note_tilde(s);
	}
	return true;
}

static bool is_redirection(const char *at)
{
	return strchr("<>", at[strspn(at, "0123456789")]) && at[strspn(at, "0123456789")];
}

/*
 * Skips "2>&1", "> FILE" and similar redirections; a here-document ("<<") needs the
 * shell.
 */
static bool skip_redirection(struct scan *s)
{
	char which;

	s->plain = false;
	s->at += strspn(s->at, "0123456789");
	which = *s->at++;
	if (which == '<' && *s->at == '<')
		return false;
	if (*s->at && strchr(which == '<' ? ">&" : ">&|", *s->at))
		s->at++;
	return skip_blanks(s) && *s->at && !strchr("\n|&;<>()", *s->at) && skip_word(s);
}

/*
 * Skips a word, and records the first one that is the program's name. An assignment
 * before it is plain only if its value is literal: other values would be split.
 */
static bool take_word(struct scan *s)
{
	const char *begin = s->at;
	size_t name = name_length(begin);
	bool was_plain = s->plain, is_plain;

	s->plain = true;
	if (!skip_word(s))
		return false;
	is_plain = s->plain;
	s->plain &= was_plain;
	if (s->word)
		return true;
	if (name && begin[name] == '=') {
		s->assigned++;
		if ((name == 4 && !memcmp(begin, "PATH", 4)) ||
		    strcspn(begin, "$`~*?[{") < (size_t)(s->at - begin))
			s->plain = false;
		return true;
	}
	s->word = begin;
	s->word_end = s->at;
	s->is_word_plain = is_plain;
	return true;
}

/* True: one command, of words and redirections. */
static bool scan_simple(struct scan *s, const char *text)
{
	*s = (struct scan){ .at = text, .plain = true };
	while (skip_blanks(s) && *s->at) {
		if (is_redirection(s->at) ? !skip_redirection(s)
					  : strchr("\n|&;()", *s->at) || !take_word(s))
			return false;
	}
	return s->word;
}

/* ---- words ---- */

/* Expands words without running anything. False: wordexp() refuses them. */
static bool expand(wordexp_t *w, const char *text)
{
	int rc = wordexp(text, w, WRDE_NOCMD);

	/* wordexp() keeps the words that it had memory for. */
	if (rc == WRDE_NOSPACE)
		wordfree(w);
	return rc == 0;
}

static bool is_program(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* Returns the path of a program, which the caller frees, or NULL. */
static char *find_program(const char *name)
{
	const char *dir = getenv("PATH"), *end;
	char *path = NULL;

	if (strchr(name, '/'))
		return strdup(name);
	for (dir = dir ? dir : USUAL_PATH; *name; dir = end + 1) {
		end = strchrnul(dir, ':');
		if (asprintf(&path, "%.*s%s%s", (int)(end - dir), dir, end > dir ? "/" : "./",
			     name) < 0)
			return NULL;
		if (is_program(path))
			return path;
		free(path);
		if (!*end)
			break;
	}
	return NULL;
}

/* Returns copies of words, which commandline_deinit() frees, or NULL. */
static char **copied(char *const *words, size_t n)
{
	char **ret = calloc(n + 1, sizeof(*ret));
	bool ok = ret;

	for (size_t i = 0; ok && i < n; i++)
		ok = (ret[i] = strdup(words[i])) != NULL;
	for (size_t i = 0; !ok && ret && i < n; i++)
		free(ret[i]);
	if (!ok)
		free(ret);
	return ok ? ret : NULL;
}

static void free_words(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}

/* Returns the expanded first word that the scan found, or NULL. */
static char *program_word(const struct scan *s)
{
	char *text, *ret = NULL;
	wordexp_t w;

	if (!s->is_word_plain)
		return NULL;
	text = strndup(s->word, (size_t)(s->word_end - s->word));
	if (text && expand(&w, text)) {
		ret = w.we_wordc ? strdup(w.we_wordv[0]) : NULL;
		wordfree(&w);
	}
	free(text);
	return ret;
}

char *commandline_program(const char *text)
{
	struct scan s;

	return scan_simple(&s, text) ? program_word(&s) : NULL;
}

/* ---- the whole ---- */

/* Gets the words of a plain command. False: they do not name a program. */
static bool take_expanded(struct commandline *c, const char *text, unsigned assigned)
{
	wordexp_t w;
	bool ok;

	if (!expand(&w, text))
		return false;
	ok = w.we_wordc > assigned && (c->path = find_program(w.we_wordv[assigned])) != NULL;
	if (ok) {
		c->assigned = copied(w.we_wordv, assigned);
		c->words = copied(w.we_wordv + assigned, w.we_wordc - assigned);
		ok = c->assigned && c->words;
	}
	wordfree(&w);
	if (!ok)
		commandline_deinit(c);
	return ok;
}

/* Gives the whole text to the shell. */
static int init_shell(struct commandline *c, const char *text)
{
	char *words[] = { "sh", "-c", (char *)text };

	*c = (struct commandline){ .is_shells = true };
	c->path = strdup(COMMANDLINE_SHELL);
	c->words = copied(words, sizeof(words) / sizeof(words[0]));
	if (c->path && c->words)
		return 0;
	commandline_deinit(c);
	return -ENOMEM;
}

/* Lets the shell replace itself with the command, if that is a program. */
static int init_exec(struct commandline *c, const char *text, const struct scan *s)
{
	char *name = program_word(s), *path = name ? find_program(name) : NULL, *with = NULL;
	int rc = 0;

	if (path && asprintf(&with, "%.*sexec %s", (int)(s->word - text), text, s->word) < 0)
		rc = -ENOMEM;
	if (!rc)
		rc = init_shell(c, with ? with : text);
	free(with);
	free(path);
	free(name);
	return rc;
}

int commandline_init(struct commandline *c, const char *text)
{
	struct scan s;

	*c = (struct commandline){ 0 };
	if (!scan_simple(&s, text))
		return init_shell(c, text);
	if (s.plain && take_expanded(c, text, s.assigned))
		return 0;
	return init_exec(c, text, &s);
}

void commandline_deinit(struct commandline *c)
{
	free(c->path);
	free_words(c->words);
	free_words(c->assigned);
	*c = (struct commandline){ 0 };
}
