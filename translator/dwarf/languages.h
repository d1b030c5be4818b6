/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Languages of units: by DW_AT_language, or DWARF 6's DW_AT_language_name. */
#ifndef STAP_DWARF_LANGUAGES_H
#define STAP_DWARF_LANGUAGES_H

#include <elfutils/libdw.h>
#include <stdbool.h>

bool languages_is_c(Dwarf_Die *unit);
bool languages_is_plus_plus(Dwarf_Die *unit);
bool languages_is_rust(Dwarf_Die *unit);
bool languages_is_go(Dwarf_Die *unit);
/* True: its functions can be in namespaces and classes. */
bool languages_has_scopes(Dwarf_Die *unit);
/* True: exceptions or panics may leave a function. */
bool languages_throws(Dwarf_Die *unit);
/* True: the unit does not name its language, like the shared parts that dwz makes. */
bool languages_is_unknown(Dwarf_Die *unit);

#endif
