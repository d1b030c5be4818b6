/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stap --fmt: rewrites a script in the standard layout. */
#ifndef STAP_PARSE_REFORMAT_H
#define STAP_PARSE_REFORMAT_H

#include <stdbool.h>

struct session;
struct source;
struct strbuf;

/*
 * Redoes indentation and blanks between words. Line breaks stay where the author put
 * them; comments and embedded C stay as they are. The result has exactly the same tokens
 * as the source. False: the text has errors, which were reported.
 */
bool reformat_source(struct session *s, struct source *src, struct strbuf *ret);

#endif
