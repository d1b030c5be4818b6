/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes rows for runtime/core/pretty.c: the parts of a type that `$x$` and `$x$$` print.
 */
#ifndef STAP_SHAPE_H
#define STAP_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pretty.h"
#include "lib/vec.h"

struct access;
struct access_field;
struct btf;
struct session;

typedef VEC(struct stp_shape) shape;
/*
 * The place of each row in the kernel's types (types/relocation.h), or NULL; it may be
 * shorter.
 */
typedef VEC(const struct access_field *) shape_fields;

/*
 * Appends the rows of the value that the access finds in memory or in words, END
 * included: as deep as `pretty` says. Rows are left out that would not fit in a string of
 * `room` bytes.
 */
void shape_of(struct session *s, const struct access *a, size_t room, shape *ret,
	      shape_fields *fields);
/* The same for a number that is already available: 8 bytes, cut and sign-extended. */
void shape_of_number(struct session *s, const struct access *a, shape *ret);
/* True: such a number is shown by itself, without other memory of the program. */
bool shape_is_number(struct session *s, const struct access *a);
/* True: the rows are for stp_show(), not for stp_pretty(). */
bool shape_is_shown(const shape *rows);
/* True: they have addresses in the program's file, which is loaded anywhere. */
bool shape_is_moved(const shape *rows);

/* True for char, signed char, unsigned char: strings are made of them. */
bool shape_is_char(const struct btf *btf, uint32_t type_id);

#endif
