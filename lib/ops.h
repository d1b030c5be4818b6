/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of operations, a row and a file each: a row that lacks an operation, or has
 * another one in its place, does not compile.
 */
#ifndef LIB_OPS_H
#define LIB_OPS_H

/* At file scope: `op` is a function of the type that this member of `ops` points to. */
#define OPS_NEEDS(ops, name, op, member)                                                           \
	_Static_assert(__builtin_types_compatible_p(__typeof__(&(op)),                             \
						    __typeof__(((struct ops *)0)->member)),        \
		       #ops " " #name ": " #member " is missing, or another operation")

#endif
