/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/doc/wordmatch.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

struct word {
	const char *at;
	size_t len;
};

/* Words of questions that say nothing about their subject. */
static const char *const left_out[] = {
	"an",	 "and",	 "another", "any",  "are",  "at",    "be",    "because", "been", "by",
	"can",	 "did",	 "do",	    "does", "each", "for",   "from",  "get",	 "gets", "has",
	"have",	 "how",	 "i",	    "if",   "in",   "into",  "is",    "it",	 "its",	 "make",
	"makes", "many", "me",	    "much", "my",   "not",   "of",    "on",	 "or",	 "our",
	"same",	 "take", "takes",   "that", "the",  "them",  "there", "these",	 "they", "this",
	"to",	 "was",	 "were",    "what", "when", "where", "which", "who",	 "whom", "whose",
	"why",	 "with", "you",	    "your",
};

/* Takes the next word of the text. False: there is none. */
static bool next_word(const char **at, struct word *ret)
{
	while (**at && !isalnum((unsigned char)**at))
		(*at)++;
	ret->at = *at;
	while (isalnum((unsigned char)**at))
		(*at)++;
	ret->len = (size_t)(*at - ret->at);
	return ret->len > 0;
}

static bool is_left_out(struct word w)
{
	if (w.len == 1) /* the s of "file's" */
		return true;
	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		if (strlen(left_out[i]) == w.len && !strncasecmp(left_out[i], w.at, w.len))
			return true;
	return false;
}

/* True: the word is part of a file's path, which no description contains. */
static bool is_of_path(const char *question, struct word w)
{
	const char *begin = w.at;

	while (begin > question && !isspace((unsigned char)begin[-1]))
		begin--;
	return *begin == '/';
}

static bool is_counted(const char *question, struct word w)
{
	return !is_left_out(w) && !is_of_path(question, w);
}

/* Removes an ending, if four letters or more are left. */
static struct word stem(struct word w)
{
	static const char *const endings[] = { "ing", "ed", "es", "s" };

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t len = strlen(endings[i]);

		if (w.len >= len + 4 && !strncasecmp(w.at + w.len - len, endings[i], len)) {
			w.len -= len;
			break;
		}
	}
	/* "dropped" comes from "drop" */
	if (w.len > 4 && w.at[w.len - 1] == w.at[w.len - 2])
		w.len--;
	return w;
}

static bool begins_a_word(struct word w, const char *text)
{
	struct word of;

	while (next_word(&text, &of))
		if (of.len >= w.len && !strncasecmp(of.at, w.at, w.len))
			return true;
	return false;
}

unsigned wordmatch_asked(const char *question)
{
	const char *at = question;
	unsigned ret = 0;
	struct word w;

	while (next_word(&at, &w))
		ret += is_counted(question, w);
	return ret;
}

unsigned wordmatch_count(const char *question, const char *text)
{
	const char *at = question;
	unsigned ret = 0;
	struct word w;

	while (next_word(&at, &w))
		ret += is_counted(question, w) && begins_a_word(stem(w), text);
	return ret;
}
