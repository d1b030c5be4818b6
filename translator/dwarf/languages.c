/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/languages.h"

#include <dwarf.h>

/* Older libraries do not name these. */
#define LANGUAGE_C_PLUS_PLUS_17 0x2a
#define LANGUAGE_C_PLUS_PLUS_20 0x2b

bool languages_is_c(int language)
{
	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
	       language == DW_LANG_C11;
}

bool languages_is_plus_plus(int language)
{
	switch (language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANGUAGE_C_PLUS_PLUS_17:
	case LANGUAGE_C_PLUS_PLUS_20:
		return true;
	}
	return false;
}
