/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The numbers are those of DW_AT_language, and of the names by which DWARF 6 replaces
 * them, with the version of the language apart. Older libraries know neither the newest
 * numbers nor the names.
 */
#include "dwarf/languages.h"

#include <dwarf.h>

#define ATTRIBUTE_LANGUAGE_NAME 0x90

enum kind {
	IS_C = 1,
	IS_PLUS_PLUS = 2,
	IS_RUST = 4,
	IS_GO = 8,
	HAS_SCOPES = 16, /* its functions have namespaces or classes */
	THROWS = 32,	 /* exceptions, or panics, may leave a function */
};

static const struct language {
	int number, name; /* of DW_AT_language, of DW_AT_language_name; 0: there is none */
	unsigned kind;
} languages[] = {
	{ DW_LANG_C89, 0, IS_C },
	{ DW_LANG_C, 3, IS_C },
	{ DW_LANG_C99, 0, IS_C },
	{ DW_LANG_C11, 0, IS_C },
	{ 0x2c, 0, IS_C }, /* C17 */
	{ 0x3e, 0, IS_C }, /* C23 */
	{ DW_LANG_C_plus_plus, 4, IS_PLUS_PLUS | HAS_SCOPES | THROWS },
	{ DW_LANG_C_plus_plus_03, 0, IS_PLUS_PLUS | HAS_SCOPES | THROWS },
	{ DW_LANG_C_plus_plus_11, 0, IS_PLUS_PLUS | HAS_SCOPES | THROWS },
	{ DW_LANG_C_plus_plus_14, 0, IS_PLUS_PLUS | HAS_SCOPES | THROWS },
	{ 0x2a, 0, IS_PLUS_PLUS | HAS_SCOPES | THROWS }, /* C++17 */
	{ 0x2b, 0, IS_PLUS_PLUS | HAS_SCOPES | THROWS }, /* C++20 */
	{ 0x3a, 0, IS_PLUS_PLUS | HAS_SCOPES | THROWS }, /* C++23 */
	{ DW_LANG_ObjC, 0x11, THROWS },
	{ DW_LANG_ObjC_plus_plus, 0x12, HAS_SCOPES | THROWS },
	{ DW_LANG_Ada83, 1, THROWS },
	{ DW_LANG_Ada95, 0, THROWS },
	{ 0x2e, 0, THROWS }, /* Ada 2005 */
	{ 0x2f, 0, THROWS }, /* Ada 2012 */
	{ DW_LANG_D, 7, HAS_SCOPES | THROWS },
	{ DW_LANG_Go, 0xa, IS_GO },
	{ DW_LANG_Rust, 0x19, IS_RUST | HAS_SCOPES | THROWS },
	{ DW_LANG_Swift, 0x1a, HAS_SCOPES },
};

/* Returns the kinds of the unit's language, or of the name that it has beside it. */
static unsigned kind_of(Dwarf_Die *unit)
{
	int number = dwarf_srclang(unit);
	Dwarf_Attribute attr;
	Dwarf_Word name = 0;

	if (number <= 0 && dwarf_formudata(dwarf_attr(unit, ATTRIBUTE_LANGUAGE_NAME, &attr), &name))
		return 0;
	for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
		if (number > 0 ? languages[i].number == number : languages[i].name == (int)name)
			return languages[i].kind;
	return 0;
}

bool languages_is_c(Dwarf_Die *unit)
{
	return kind_of(unit) & IS_C;
}

bool languages_is_plus_plus(Dwarf_Die *unit)
{
	return kind_of(unit) & IS_PLUS_PLUS;
}

bool languages_is_rust(Dwarf_Die *unit)
{
	return kind_of(unit) & IS_RUST;
}

bool languages_is_go(Dwarf_Die *unit)
{
	return kind_of(unit) & IS_GO;
}

bool languages_has_scopes(Dwarf_Die *unit)
{
	return kind_of(unit) & HAS_SCOPES;
}

bool languages_throws(Dwarf_Die *unit)
{
	return kind_of(unit) & THROWS;
}

bool languages_is_unknown(Dwarf_Die *unit)
{
	return dwarf_srclang(unit) < 0 && !dwarf_hasattr(unit, ATTRIBUTE_LANGUAGE_NAME);
}
