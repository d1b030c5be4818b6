/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of formats and probes as modules give them (uapi/msg.h). */
#ifndef TABLEBYTES_H
#define TABLEBYTES_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns the rows, which end with NULL, as allocated bytes. */
static inline char *table_bytes(const char *const *rows, size_t *size)
{
	char *ret = NULL;

	*size = 0;
	for (; *rows; rows++) {
		uint32_t len = (uint32_t)strlen(*rows);

		ret = realloc(ret, *size + sizeof(len) + len);
		memcpy(ret + *size, &len, sizeof(len));
		memcpy(ret + *size + sizeof(len), *rows, len);
		*size += sizeof(len) + len;
	}
	return ret;
}

#endif
