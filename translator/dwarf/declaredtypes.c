/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/declaredtypes.h"

#include <string.h>

/* The names of members are those that rows of types/printers.def look for. */
static const struct declared_type types[] = {
	/* libstdc++; other allocators may need room */
	{ "std::__cxx11::basic_string<",
	  ", std::allocator<",
	  ">::_Alloc_hider",
	  8,
	  { { "_M_p", 0, true } } },
	{ "std::__cxx11::basic_string<",
	  ", std::allocator<",
	  "> >",
	  32,
	  { { "_M_p", 0, true }, { "_M_string_length", 8, false } } },
	{ "std::basic_string_view<",
	  "",
	  "> >",
	  16,
	  { { "_M_len", 0, false }, { "_M_str", 8, true } } },
	/* libc++ */
	{ "std::__1::basic_string<",
	  ", std::__1::allocator<",
	  "> >",
	  24,
	  { { "__size_", 8, false }, { "__data_", 16, true } } },
	{ "std::__1::basic_string_view<",
	  "",
	  "> >",
	  16,
	  { { "__data_", 0, true }, { "__size_", 8, false } } },
};

static const struct declared_letter letters[] = {
	{ "char", 1 }, { "char8_t", 1 }, { "char16_t", 2 }, { "char32_t", 4 }, { "wchar_t", 4 },
};

/* Returns the first parameter of a template, if that is a type of characters; or NULL. */
static const struct declared_letter *letter_of(const char *text)
{
	size_t len = strcspn(text, ",<>");

	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (strlen(letters[i].name) == len && !strncmp(letters[i].name, text, len))
			return &letters[i];
	return NULL;
}

static bool ends_in(const char *name, const char *end)
{
	size_t len = strlen(name), n = strlen(end);

	return len >= n && !strcmp(name + len - n, end);
}

const struct declared_type *declaredtypes_find(const char *name,
					       const struct declared_letter **letter)
{
	for (size_t i = 0; name && i < sizeof(types) / sizeof(*types); i++) {
		size_t begin = strlen(types[i].begin);

		if (strncmp(name, types[i].begin, begin) || !ends_in(name, types[i].end) ||
		    !strstr(name, types[i].part))
			continue;
		*letter = letter_of(name + begin);
		return *letter ? &types[i] : NULL;
	}
	return NULL;
}
