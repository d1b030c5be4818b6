/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search by words, as a person types them: upper and lower case are the same, words
 * like "who" and "the" are left out, and endings count little: "writes" finds "write" and
 * "written", but "lock" does not find "clock".
 */
#ifndef STAP_DOC_WORDMATCH_H
#define STAP_DOC_WORDMATCH_H

/* Returns how many words of the question can be found: those that are not left out. */
unsigned wordmatch_asked(const char *question);

/* Returns how many of them begin a word of the text. */
unsigned wordmatch_count(const char *question, const char *text);

#endif
