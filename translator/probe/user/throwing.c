/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/user/throwing.h"

#include <string.h>

#include "base/session.h"
#include "dwarf/find.h"
#include "program/symbolname.h"

static bool is_any(const char *symbol, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

bool throwing_is_thrower(const char *function)
{
	static const char *const throwers[] = {
		"__cxa_throw",
		"__cxa_rethrow",
		"_Unwind_RaiseException",
		"_Unwind_Resume",
		"_Unwind_Resume_or_Rethrow",
		"_Unwind_ForcedUnwind",
	};

	return is_any(function, throwers, sizeof(throwers) / sizeof(*throwers));
}

bool throwing_may_leave(const char *symbol)
{
	return symbolname_is_mangled(symbol) || throwing_is_thrower(symbol);
}

/* True: the compiler's code that runs when a program starts or ends. */
static bool is_startup(const char *symbol)
{
	static const char *const names[] = {
		"_init",
		"_fini",
		"_start",
		"_dl_relocate_static_pie",
		"frame_dummy",
		"register_tm_clones",
		"deregister_tm_clones",
		"__do_global_dtors_aux",
	};

	return is_any(symbol, names, sizeof(names) / sizeof(*names));
}

/*
 * True: an exception may leave the function. In a program that throws, it may go through
 * functions of C, and those of C++ may have names of C.
 */
static bool is_left(const struct executable *p, const char *symbol)
{
	return symbolname_is_mangled(symbol) || (p->throws && !is_startup(symbol));
}

/* Returns the largest function that begins at the address; NULL: none may be left. */
static const struct executable_symbol *symbol_at(const struct executable *p, uint64_t address)
{
	const struct executable_symbol *ret = NULL;

	vec_each(&p->symbols, i) {
		const struct executable_symbol *symbol = &p->symbols.data[i];

		if (symbol->address == address && is_left(p, symbol->name) &&
		    (!ret || symbol->size > ret->size))
			ret = symbol;
	}
	return ret;
}

enum throwing throwing_returns(struct session *s, struct executable *p, uint64_t address,
			       const struct dwarf_place *place, executable_addresses *ret,
			       const char **why)
{
	const struct executable_symbol *symbol = place ? NULL : symbol_at(p, address);
	code_ranges parts = { 0 };
	bool calls;

	if (place ? !dwarf_throws(place) && !p->throws : !symbol)
		return THROWING_NOT;
	if (place)
		dwarf_code(s, place, &parts);
	else if (symbol->size)
		vec_push(s->arena, &parts,
			 ((struct code_range){ address, address + symbol->size }));
	*why = returnsites_find(s, p, &parts, ret, &calls);
	if (!calls)
		return THROWING_NOT;
	return *why ? THROWING_BLIND : ret->count ? THROWING_KNOWN : THROWING_ENDS;
}
