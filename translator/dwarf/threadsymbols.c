/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/threadsymbols.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/session.h"
#include "dwarf/debugfile.h"

/* Keeps offsets by name, each with 1 added. */
static void read_symbols(struct session *s, struct dwarf_file *f)
{
	int n = dwfl_module_getsymtab(f->module);

	hashmap_init(&f->thread_symbols, s->arena);
	for (int i = 1; i < n; i++) {
		GElf_Addr placed; /* for which the library accepts it, wherever it is */
		GElf_Sym sym;
		const char *name =
			dwfl_module_getsym_info(f->module, i, &sym, &placed, NULL, NULL, NULL);

		if (name && GELF_ST_TYPE(sym.st_info) == STT_TLS && sym.st_shndx != SHN_UNDEF)
			hashmap_put(&f->thread_symbols, arena_strdup(s->arena, name),
				    (void *)(uintptr_t)(sym.st_value + 1));
	}
}

/*
 * True: it does not belong to a function, whose variables may have the names of others.
 */
static bool is_of_file(Dwarf_Die *die)
{
	Dwarf_Die *scopes;
	int n = dwarf_getscopes_die(die, &scopes);
	bool ret = n > 0;

	for (int i = 1; i < n; i++)
		ret &= dwarf_tag(&scopes[i]) == DW_TAG_namespace ||
		       dwarf_tag(&scopes[i]) == DW_TAG_compile_unit;
	if (n > 0)
		free(scopes);
	return ret;
}

bool threadsymbols_offset(struct session *s, struct dwarf_file *f, Dwarf_Die *die, Dwarf_Addr *ret)
{
	Dwarf_Attribute attr;
	const char *linkage = NULL, *name;
	void *found;

	if (f->is_kernel || dwarf_hasattr_integrate(die, DW_AT_location) ||
	    dwarf_hasattr_integrate(die, DW_AT_const_value) ||
	    dwarf_hasattr(die, DW_AT_declaration))
		return false;
	if (!f->thread_symbols.arena)
		read_symbols(s, f);
	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr))
		linkage = dwarf_formstring(&attr);
	name = linkage ? linkage : dwarf_diename(die);
	found = name ? hashmap_get(&f->thread_symbols, name) : NULL;
	if (!found || !is_of_file(die))
		return false;
	*ret = (uintptr_t)found - 1;
	return true;
}
