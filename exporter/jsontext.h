/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes texts as JSON. The output has no line feeds, and no '<' inside a string. */
#ifndef EXPORTER_JSONTEXT_H
#define EXPORTER_JSONTEXT_H

#include <stddef.h>

struct text;

/*
 * Adds a string in quotes. A byte that is not part of UTF-8 becomes U+FFFD and its two
 * digits.
 */
void jsontext_string(struct text *t, const char *s, size_t len);

#endif
