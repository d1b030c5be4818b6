/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Symbols of programs in the form that users write: those of C++ and Rust are demangled.
 * Names of C and Go are those in the source; all others stay as they are.
 *
 * Names are demangled where tables of symbols are made, at translation: a hit just copies
 * the name, everything that a script does with it (keys, comparisons, prints, --json,
 * --to) sees the same text, and the table of a file is made once and kept in the cache. A
 * reader of the records could not do it: they contain texts that scripts have composed.
 *
 * Names come without parameters, as perf shows them and as points are written: a frame of
 * a flame graph is readable, and a stack fits into a string. Functions of one name differ
 * in their place and size, "f+0x4/0x20"; --no-demangle tells them apart.
 */
#ifndef STAP_SYMBOLNAME_H
#define STAP_SYMBOLNAME_H

#include <stdbool.h>

struct session;

/* Returns the name by which stacks and usymname() show a symbol. */
const char *symbolname_shown(struct session *s, const char *symbol);
/* Demangles a symbol, with its parameters, if any. NULL: it is not mangled. */
const char *symbolname_demangle(struct session *s, const char *symbol);
/* True for "_Z…" and "_R…". */
bool symbolname_is_mangled(const char *symbol);
/* False: there were symbols of C++, and this system lacks libstdc++.so.6. */
bool symbolname_can_demangle(const struct session *s);

#endif
