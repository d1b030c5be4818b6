/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One program or library, read for its table. */
#ifndef STAP_UNWIND_MODULETABLE_H
#define STAP_UNWIND_MODULETABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/vec.h"
#include "program/executable.h"

struct session;
struct error;

struct unwind_module {
	const struct executable *program; /* NULL: the vdso, */
	const uint8_t *image;		  /* and its bytes, */
	uint64_t image_size;
	uint64_t base;	     /* lowest address */
	uint64_t id_address; /* of the build-id in memory; 0: there is none */
	const uint8_t *id;
	size_t id_size;
	executable_segments segments;
	const uint8_t *table;
	uint32_t table_size;
};

/*
 * Finds a table in the cache by its name; false: there is none, or it cannot be used. The
 * name may be NULL.
 */
bool unwind_table_cached(struct session *s, const char *name, const uint8_t **table,
			 uint32_t *size);

/* Fills in where the file is in a process, without a table. */
void unwind_module_place(struct session *s, const struct executable *p, struct unwind_module *ret);

/*
 * Reads everything that the table needs. Damaged parts of the file draw a warning and are
 * left out. with_lines: source lines too, if there is debuginfo.
 */
struct error *unwind_module_read(struct session *s, struct unwind_module *m, bool with_lines);

#endif
