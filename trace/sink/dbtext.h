/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the text of SQL statements: a growable buffer, names and constants. */
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
/* Appends a text as UTF-8, see utf8_mend(). */
void dbtext_put_text(struct dbtext *b, const char *s, size_t len);
/* Appends an identifier in quotes. */
void dbtext_put_name(struct dbtext *b, const char *name);
void dbtext_put_string(struct dbtext *b, const char *s);
/* Appends a constant. Connections are set up so that backslashes are not special. */
void dbtext_put_constant(struct dbtext *b, const char *s);

/* Updates the checksum over rows, which tells the rest of this trace from another one. */
uint64_t dbtext_checksum(uint64_t check, const char *s, size_t len);
/* Stores a name that fits into the room. A long name is cut and ends in a hash of it. */
void dbtext_fit(const char *name, size_t room, char *ret);

#endif
