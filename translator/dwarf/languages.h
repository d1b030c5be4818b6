/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Languages of units, by their numbers in DW_AT_language. */
#ifndef STAP_DWARF_LANGUAGES_H
#define STAP_DWARF_LANGUAGES_H

#include <stdbool.h>

bool languages_is_c(int language);
bool languages_is_plus_plus(int language);

#endif
