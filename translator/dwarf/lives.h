/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_DWARF_LIVES_H
#define STAP_DWARF_LIVES_H

#include <elfutils/libdw.h>

struct session;

/* Lines of the source file, from `first` on, at which the variable can be read, as "12-20, 25"; NULL: at none, or they are not known. */
const char *variable_lives(struct session *s, Dwarf_Die *variable, const char *file, int first);

#endif
