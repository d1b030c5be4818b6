/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of variables as Go's compiler writes them. It names a piece for each number of
 * the value that lives at the place, without the gaps between them; up to Go 1.19 it
 * names a number again for each of its uses: the first word of an interface twice, then
 * the second word twice.
 */
#ifndef STAP_DWARF_GOPIECES_H
#define STAP_DWARF_GOPIECES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

struct session;

/*
 * Rewrites the operations of a variable of Go: a number comes once, and gaps are pieces
 * without a place. Variables of other languages, and without pieces, are left as they
 * are. False: the pieces do not fit the variable's type.
 */
bool gopieces_put_right(struct session *s, Dwarf_Die *variable, Dwarf_Op **ops, size_t *n);

#endif
