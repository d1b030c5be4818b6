/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local variables without a location in debuginfo, because compilers for arm64
 * have no relocation for it. The file's symbols have the offset.
 */
#ifndef STAP_DWARF_THREADSYMBOLS_H
#define STAP_DWARF_THREADSYMBOLS_H

#include <elfutils/libdw.h>

struct session;
struct dwarf_file;

/* Finds the offset that a variable of a file or namespace has in each thread's block. */
bool threadsymbols_offset(struct session *s, struct dwarf_file *f, Dwarf_Die *die, Dwarf_Addr *ret);

#endif
