/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the text of documentation comments. */
#include <ctype.h>
#include <string.h>

#include "base/lexical.h"
#include "base/session.h"
#include "base/source.h"
#include "lib/arena.h"
#include "stap/doc/doc.h"

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* Returns the place where `text` has this word, as a whole word. */
static const char *find_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
		if ((at == text || !is_word(at[-1])) && !is_word(at[len]))
			return at;
	return NULL;
}

/*
 * Returns the next line without a comment's frame: blanks and one star before it, blanks
 * after it.
 */
static char *next_line(struct session *s, const char **at, const char *end)
{
	const char *line = *at, *stop = memchr(line, '\n', (size_t)(end - line));

	stop = stop ? stop : end;
	*at = stop < end ? stop + 1 : end;
	while (line < stop && (*line == ' ' || *line == '\t'))
		line++;
	if (line < stop && *line == '*')
		line += 1 + (line + 1 < stop && line[1] == ' ');
	while (stop > line && isspace((unsigned char)stop[-1]))
		stop--;
	return arena_strndup(s->arena, line, (size_t)(stop - line));
}

static const char *joined(struct session *s, const char *text, const char *more)
{
	return *text ? arena_printf(s->arena, "%s %s", text, more) : more;
}

static bool is_note(const char *line)
{
	static const char *const names[] = { "Context:", "Since:", "Until:" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(line, names[i], strlen(names[i])))
			return true;
	return false;
}

/* Splits "@name: text" or "Context: text". */
static struct doc_item make_item(struct session *s, const char *line)
{
	size_t len = strcspn(line, ":");
	const char *text = line + len + (line[len] == ':');

	return (struct doc_item){ arena_strndup(s->arena, line, len), text + strspn(text, " \t") };
}

/*
 * Takes lines. A line continues the item of the line before, unless it begins a sentence
 * with a capital letter.
 */
static void take_lines(struct session *s, struct doc *d, const char *at, const char *end)
{
	const char **open = &d->summary;
	bool in_paragraph = false;

	while (at < end) {
		const char *line = next_line(s, &at, end);

		if (*line == '@' && strchr(line, ':')) {
			vec_push(s->arena, &d->items, make_item(s, line + 1));
			open = &d->items.data[d->items.count - 1].text;
			in_paragraph = false;
		} else if (is_note(line)) {
			vec_push(s->arena, &d->notes, make_item(s, line));
			open = &d->notes.data[d->notes.count - 1].text;
			in_paragraph = false;
		} else if (!*line) {
			open = NULL;
		} else if (open && (in_paragraph || !isupper((unsigned char)*line))) {
			*open = joined(s, *open, line);
		} else {
			vec_push(s->arena, &d->paragraphs, line);
			open = &d->paragraphs.data[d->paragraphs.count - 1];
			in_paragraph = true;
		}
	}
}

/* Cuts the values off "event: value (…), value": they are shown separately. */
static void cut_values(struct session *s, struct doc *d)
{
	for (const char *at = d->summary; (at = strstr(at, ": ")) != NULL; at += 2)
		for (size_t i = 0; i < d->given.count; i++)
			if (find_word(at + 2, d->given.data[i]) == at + 2) {
				const char *rest = strstr(at, ". ");

				if (rest)
					vec_push(s->arena, &d->paragraphs, rest + 2);
				d->summary = arena_strndup(s->arena, d->summary,
							   (size_t)(at - d->summary));
				return;
			}
}

/*
 * Begins a name's documentation. Each overload may have a comment; the summary of the
 * first one is used for the name.
 */
static void begin_doc(struct session *s, struct doc *d, const char *summary, const char *all)
{
	if (d->summary)
		vec_push(s->arena, &d->paragraphs, summary);
	else
		d->summary = summary;
	d->all = d->all ? arena_printf(s->arena, "%s\n%s", d->all, all) : all;
}

static void take_comment(struct session *s, struct docs *docs, const char *text, const char *end)
{
	const char *at = text, *first = "", *dash;
	struct doc *found = NULL;
	char *name;

	while (at < end && !*first)
		first = next_line(s, &at, end);
	dash = strstr(first, " - ");
	if (!dash)
		return;
	name = arena_strndup(s->arena, first, (size_t)(dash - first));
	for (int kind = 0; kind < DOC_KINDS; kind++) {
		struct doc *d = docs_find(docs, kind,
					  kind == DOC_MACRO && *name != '@'
						  ? arena_printf(s->arena, "@%s", name)
						  : name);

		if (!d)
			continue;
		found = d;
		begin_doc(s, d, dash + 3, arena_strndup(s->arena, text, (size_t)(end - text)));
		take_lines(s, d, at, end);
		cut_values(s, d);
	}
	if (!found && *name != '_')
		vec_push(s->arena, &docs->strays, name);
}

/* Finds the first block comment at or after *at, and moves *at to it. */
static bool find_block(const char **at, struct lexical *ret)
{
	while (lexical_find(at, LEXICAL_COMMENT, ret)) {
		if (ret->tail)
			return true;
		*at += ret->len;
	}
	return false;
}

void doc_comments(struct session *s, struct docs *docs, const struct source *source)
{
	const char *at = source->text;
	struct lexical piece;

	for (; find_block(&at, &piece); at += piece.len) {
		const char *text = at + piece.head, *end = at + piece.len - piece.tail;

		if (text < end && *text == '*')
			take_comment(s, docs, text + 1, end);
	}
}

/* ---- descriptions of one word ---- */

/* Returns the text in brackets after a word: "word (description)". */
static const char *in_brackets(struct session *s, const char *text, const char *word)
{
	const char *at = find_word(text, word), *open;
	unsigned depth = 0;

	if (!at || strncmp(at + strlen(word), " (", 2))
		return "";
	open = at + strlen(word) + 2;
	for (at = open; *at; at++) {
		depth += *at == '(';
		if (*at == ')' && !depth--)
			return arena_strndup(s->arena, open, (size_t)(at - open));
	}
	return "";
}

static const char *own_words(struct session *s, const struct doc *d, const char *word)
{
	vec_each(&d->items, i)
		if (!strcmp(d->items.data[i].name, word))
			return d->items.data[i].text;
	return d->all ? in_brackets(s, d->all, word) : "";
}

static const struct doc *entry_of(struct session *s, const struct docs *docs, const struct doc *d)
{
	size_t len = strlen(d->name), end = strlen(".return");

	if (d->kind != DOC_PROBE || len <= end || strcmp(d->name + len - end, ".return"))
		return NULL;
	return docs_find(docs, DOC_PROBE, arena_strndup(s->arena, d->name, len - end));
}

/*
 * Finds a line " word description" in the file's head comment, or "@word: description".
 */
static const char *head_words(struct session *s, const struct doc *d, const char *word)
{
	const char *text = d->source ? doc_topic_text(s, d->source) : "", *at = text,
		   *end = text + strlen(text);

	while (at < end) {
		const char *line = next_line(s, &at, end);
		size_t len = strlen(word);

		line += strspn(line, " \t@");
		if (!strncmp(line, word, len) &&
		    (line[len] == ':' || !strncmp(line + len, "  ", 2)))
			return line + len + strspn(line + len, ": \t");
	}
	return in_brackets(s, text, word);
}

/* Returns the description that another name in the file gives for the word. */
static const char *neighbours_words(struct session *s, const struct docs *docs, const struct doc *d,
				    const char *word)
{
	const char *text = "";

	for (size_t i = 0; i < docs->list.count && !*text; i++)
		if (docs->list.data[i]->source == d->source && docs->list.data[i]->kind == d->kind)
			text = own_words(s, docs->list.data[i], word);
	return text;
}

/* Returns the documentation of the alias that this one refers to. */
static const struct doc *meant_by(const struct docs *docs, const struct doc *d)
{
	const struct doc *found = NULL;

	for (size_t i = 0; i < d->stands_for.count && !found; i++)
		found = docs_find(docs, DOC_PROBE, d->stands_for.data[i]);
	return found != d ? found : NULL;
}

const char *doc_words(struct session *s, const struct docs *docs, const struct doc *d,
		      const char *word)
{
	const struct doc *entry = entry_of(s, docs, d);
	const char *text = own_words(s, d, word);

	if (!*text && entry)
		text = own_words(s, entry, word);
	if (!*text && meant_by(docs, d))
		text = doc_words(s, docs, meant_by(docs, d), word);
	if (!*text)
		text = head_words(s, d, word);
	if (!*text && d->source)
		text = neighbours_words(s, docs, d, word);
	if (!*text && d->kind == DOC_PROBE && !strcmp(word, "name"))
		text = "name of the point";
	return text;
}

bool doc_mentions(struct session *s, const struct docs *docs, const struct doc *d, const char *word)
{
	const struct doc *entry = entry_of(s, docs, d);

	return *doc_words(s, docs, d, word) || (d->all && find_word(d->all, word)) ||
	       (entry && entry->all && find_word(entry->all, word)) ||
	       (d->source && find_word(doc_topic_text(s, d->source), word)) ||
	       (meant_by(docs, d) && doc_mentions(s, docs, meant_by(docs, d), word));
}

const char *doc_topic_text(struct session *s, const struct source *source)
{
	const char *at = source->text, *end;
	struct lexical piece;
	struct strbuf out;

	strbuf_init(&out, s->arena);
	if (!find_block(&at, &piece))
		return "";
	end = at + piece.len - piece.tail;
	at += piece.head;
	if (*at == '*')
		return "";
	while (at < end)
		strbuf_addf(&out, "%s\n", next_line(s, &at, end));
	return out.s + strspn(out.s, " \n");
}

const char *doc_topic(struct session *s, const struct source *source)
{
	const char *slash = source ? strrchr(source->name, '/') : NULL,
		   *name = slash    ? slash + 1
			   : source ? source->name
				    : "language";

	return arena_strndup(s->arena, name, strcspn(name, "."));
}
