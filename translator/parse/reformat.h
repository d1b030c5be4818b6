/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap --fmt: a script in the house's layout. */
#ifndef STAP_PARSE_REFORMAT_H
#define STAP_PARSE_REFORMAT_H

#include <stdbool.h>

struct session;
struct source;
struct strbuf;

/*
 * Indentation is made anew and blanks between words are evened out; lines stay as the
 * author broke them, comments and embedded C as they are. What comes out has the very
 * tokens of what went in. False: the text has mistakes, which have been reported.
 */
bool reformat_source(struct session *s, struct source *src, struct strbuf *ret);

#endif
