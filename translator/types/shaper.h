/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table that shape.c and shown.c write, row by row. */
#ifndef STAP_TYPES_SHAPER_H
#define STAP_TYPES_SHAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pretty.h"
#include "types/shape.h"

struct btf;
struct btf_type;
struct session;

struct shaper {
	struct session *s;
	const struct btf *btf;
	bool of_program;  /* types of libraries and of other languages are known */
	bool is_cut;	  /* numbers have 8 bytes, whatever their type */
	unsigned lists;	  /* around the value */
	size_t len, room; /* len: characters that all rows so far print at least */
	shape *rows;
	shape_fields *fields;
	const struct access_field *origin; /* place of the whole value, or NULL */
	const char *path;		   /* from there to the present part, */
	uint32_t type;			   /* which is of this type */
};

void shape_row(struct shaper *sh, struct stp_shape row);
/* Appends a row that prints name and text. */
void shape_text(struct shaper *sh, enum stp_shape_kind kind, const char *name, const char *text);
/* Appends the rows of a value; structures are expanded `level` deep. */
void shape_type(struct shaper *sh, uint32_t type, uint64_t offset, const char *name,
		unsigned level);
void shape_members(struct shaper *sh, const struct btf_type *t, uint64_t offset, unsigned level);

#endif
