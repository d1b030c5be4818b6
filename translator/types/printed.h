/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rows for values of the types in printers.def. */
#ifndef STAP_TYPES_PRINTED_H
#define STAP_TYPES_PRINTED_H

#include <stdbool.h>
#include <stdint.h>

struct printer;
struct shaper;

/* Appends a value's rows; false: it is printed in the plain way. */
bool printed_add(struct shaper *sh, const struct printer *p, uint32_t id, uint64_t offset,
		 const char *name, unsigned level);
/* Appends the rows of a string's bare text. */
void printed_text(struct shaper *sh, const struct printer *p, uint64_t offset);
/* Appends the size of a map or channel, of which a pointer is at `offset`. */
void printed_referred(struct shaper *sh, const struct printer *p, uint64_t offset,
		      const char *name);

#endif
