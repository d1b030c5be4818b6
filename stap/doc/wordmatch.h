/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search by words, as users type them. Case is ignored, words such as "who" and "the"
 * are left out, and endings count little: "writes" finds "write" and "written", but
 * "lock" does not find "clock".
 */
#ifndef STAP_DOC_WORDMATCH_H
#define STAP_DOC_WORDMATCH_H

/* Returns the number of words of the question that are not left out. */
unsigned wordmatch_asked(const char *question);

/* Returns the number of these with which a word of the text begins. */
unsigned wordmatch_count(const char *question, const char *text);

#endif
