/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts in JSON. What is written has no line feed, and no '<' inside a string. */
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
