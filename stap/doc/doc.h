/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Documentation of the library, from its own comments. Each public name has one, before
 * its declaration:
 *
 *   / ** NAME - what it does or when it happens: value (what that is), value (bytes) * /
 *
 *   / **
 *    * NAME - what it does or when it happens
 *    * @thing: an argument, or a value that the probe gives; its unit, what it means
 *    * Context: in which task, or what is held
 *    * Since: kernel, or version; Until: the same
 *    * Anything else, in sentences. An empty line begins a paragraph.
 *    * /
 *
 * Arguments, values and points of a name are taken from the declaration and not from the
 * comment. A value without a description takes it from the same value of the name
 * without ".return", else of the alias that this one stands for, else of the file's head
 * comment (a line "@value: …"), else of another name in the file. Names that the language
 * itself has are documented in tapset/language.stp.
 */
#ifndef STAP_DOC_DOC_H
#define STAP_DOC_DOC_H

#include <stdbool.h>

#include "lib/strbuf.h"
#include "lib/vec.h"

struct session;
struct source;

enum doc_kind { DOC_PROBE, DOC_FUNCTION, DOC_MACRO, DOC_KINDS };
extern const char *const doc_kind_names[];

/* A word and its description. */
struct doc_item {
	const char *name, *text; /* text "": nothing */
};
typedef VEC(struct doc_item) doc_items;

struct doc {
	enum doc_kind kind;
	const char *name;	      /* "vm.pagefault", "strlen", "@choose_defined" */
	const struct source *source;  /* source of the declaration, NULL: the language's own */
	VEC(const char *) synopsis;   /* declarations, a line each */
	VEC(const char *) given;      /* the names of its arguments or values */
	VEC(const char *) stands_for; /* points of an alias, which may be aliases */

	const char *summary; /* NULL: it is not documented */
	const char *all;     /* the whole comment, to search for words */
	/* items of `given`, and others that the comment has with '@' */
	doc_items items;
	doc_items notes; /* "Context", "Since", "Until" */
	VEC(const char *) paragraphs;
};

/*
 * All documentation, sorted by name. Strays are comments that belong to no declaration.
 */
struct docs {
	VEC(struct doc *) list;
	VEC(const char *) strays;
	VEC(const struct source *) sources;
};

void docs_read(struct session *s, struct docs *ret);
/* Returns "string" of …/tapset/string.stp; "language" for names of the language. */
const char *doc_topic(struct session *s, const struct source *source);
/* Returns the file's head comment. */
const char *doc_topic_text(struct session *s, const struct source *source);
/* Adds the comments of a source to the docs of their names. */
void doc_comments(struct session *s, struct docs *docs, const struct source *source);
/*
 * Returns the comment's description of this word, or of the same word elsewhere; "":
 * none.
 */
const char *doc_words(struct session *s, const struct docs *docs, const struct doc *d,
		      const char *word);
/*
 * True: the documentation explains the word: in brackets, by '@', or in the sentences
 * themselves.
 */
bool doc_mentions(struct session *s, const struct docs *docs, const struct doc *d,
		  const char *word);
/* Adds the name of an argument or a value, unless it is there. */
void docs_add_given(struct session *s, struct doc *d, const char *name);
/* Sorts the names for docs_find(); overloads become one. */
void docs_sort(struct session *s, struct docs *docs);
/* Returns NULL if there is no such name. */
struct doc *docs_find(const struct docs *docs, enum doc_kind kind, const char *name);

/*
 * -l and -L: prints the points of the program. On a terminal, or with -v, the points of
 * -l that the library describes are followed by their summaries; programs that read the
 * list get only the points. False: there are none.
 */
bool doc_list_points(struct session *s, bool variables);
/* Writes all of one name's documentation, in lines. */
void doc_text(struct session *s, const struct docs *docs, const struct doc *d, struct strbuf *out);
/* Write the page of a name, or of a file. */
void doc_page(struct session *s, const struct docs *docs, const struct doc *d, struct strbuf *out);
void doc_topic_page(struct session *s, const struct docs *docs, const struct source *source,
		    struct strbuf *out);

#endif
