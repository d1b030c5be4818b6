/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small structures as results of Rust: which of them are where C's convention says. */
#ifndef STAP_DWARF_RUSTRESULTS_H
#define STAP_DWARF_RUSTRESULTS_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/* True: a structure of at most 16 bytes, of a unit of Rust, is returned as in C. */
bool rustresults_are_as_in_c(Dwarf_Die *unit, Dwarf_Die *type);

#endif
