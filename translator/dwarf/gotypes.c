/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/gotypes.h"

#include <dwarf.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>

#define SYMBOL "runtime.types" /* the linker's, the first type */

/* True: Go 1.17 or later, whose names have lengths that core/prettylists.c can read. */
static bool is_new(Dwarf_Die *unit)
{
	Dwarf_Attribute attr;
	const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attr));

	return producer && strstr(producer, "regabi");
}

static uint64_t symbol_in(Elf *elf, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		const char *name;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym))
			return 0;
		name = elf_strptr(elf, h->sh_link, sym.st_name);
		if (name && !strcmp(name, SYMBOL))
			return sym.st_value;
	}
	return 0;
}

uint32_t gotypes_names(Dwarf_Die *unit)
{
	Elf *elf = dwarf_getelf(dwarf_cu_getdwarf(unit->cu));
	Elf_Scn *scn = NULL;
	uint64_t found = 0;
	GElf_Shdr h;

	if (!is_new(unit))
		return 0;
	while (!found && (scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			found = symbol_in(elf, scn, &h);
	return found <= UINT32_MAX ? (uint32_t)found : 0;
}
