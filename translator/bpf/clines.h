/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the generated C as places in the script, by the notes of emit_statement(). */
#ifndef BPF_CLINES_H
#define BPF_CLINES_H

#include <stddef.h>

struct arena;

struct clines {
	const char **places; /* of each line, the first is 1; NULL: of no statement */
	size_t count;
};

void clines_read(struct arena *a, const char *c_text, struct clines *ret);
/* Returns the place of a line, or NULL. */
const char *clines_place(const struct clines *c, size_t line);

#endif
