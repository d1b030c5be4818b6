/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of operations with one row and one file for each kind. A row does not compile if
 * an operation is missing or in the wrong place.
 */
#ifndef LIB_OPS_H
#define LIB_OPS_H

/* At file scope: checks that `op` is a function of the type of this member of `ops`. */
#define OPS_NEEDS(ops, name, op, member)                                                           \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&(op)),                             \
						    __typeof__(((struct ops *)0)->member)),        \
		       #ops " " #name ": " #member " is missing, or another operation")

#endif
