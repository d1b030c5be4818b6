/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of statements: bytes that grow, names and constants of SQL. */
#ifndef TRACE_SINK_DBTEXT_H
#define TRACE_SINK_DBTEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dbtext {
	char *s;
	size_t len, room;
	bool no_memory;
};

/* Returns room for n bytes more, or NULL. */
char *dbtext_room(struct dbtext *b, size_t n);
void dbtext_put(struct dbtext *b, const void *from, size_t n);
/* Puts a text as UTF-8: see utf8_mend(). */
void dbtext_put_text(struct dbtext *b, const char *s, size_t len);
/* Puts an identifier, in quotes. */
void dbtext_put_name(struct dbtext *b, const char *name);
void dbtext_put_string(struct dbtext *b, const char *s);
/* Puts a constant: backslashes mean nothing in it, as connections are set up. */
void dbtext_put_constant(struct dbtext *b, const char *s);

/* Returns a sum over rows: another trace is not taken for the rest of this one. */
uint64_t dbtext_checksum(uint64_t check, const char *s, size_t len);
/* Stores a name that fits into the room: a long one ends in a number made of it. */
void dbtext_fit(const char *name, size_t room, char *ret);

#endif
