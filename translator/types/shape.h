/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `$x$` and `$x$$` print of a type, as rows for runtime/core/pretty.c. */
#ifndef STAP_SHAPE_H
#define STAP_SHAPE_H

#include <stdbool.h>

#include "base/vec.h"
#include "core/pretty.h"
#include "kernel/kernel.h"

typedef VEC(struct stp_shape) shape;

/*
 * Appends the rows of a value of the type, END included. Deep: structures and arrays
 * inside are looked into as well. Rows that cannot be seen any more in a string of `room`
 * bytes are left out.
 */
void shape_of(struct session *s, const struct btf *btf, uint32_t type_id, bool deep, size_t room,
	      shape *ret);
/* Of a number that is at hand: 8 bytes, already cut and sign-extended. */
void shape_of_number(struct session *s, const struct btf *btf, uint32_t type_id, shape *ret);

/* char, signed char, unsigned char: what strings are made of. */
bool shape_is_char(const struct btf *btf, uint32_t type_id);

#endif
