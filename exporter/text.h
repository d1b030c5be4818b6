/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A growable text. If there is no memory for it, the program ends. */
#ifndef EXPORTER_TEXT_H
#define EXPORTER_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
	char *s; /* NUL-terminated; NULL: nothing was added yet */
	size_t len, room;
};

void text_add(struct text *t, const char *s, size_t len);
void text_adds(struct text *t, const char *s);
void text_addf(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *t);
/* Ends the program, which has no memory. */
void text_no_memory(void) __attribute__((noreturn));
/* Returns memory or ends the program. */
void *text_memory(size_t bytes);
char *text_copy(const char *s);

#endif
