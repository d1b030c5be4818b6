/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See symbolrank.h. */
#include "cfi/symbolrank.h"

unsigned symbolrank_of(const Elf64_Sym *sym, const char *name)
{
	unsigned bind = ELF64_ST_BIND(sym->st_info), type = ELF64_ST_TYPE(sym->st_info);

	return (sym->st_size ? 16u : 0) + (type != STT_NOTYPE ? 8u : 0) +
	       (name[0] != '_'	 ? 4u
		: name[1] != '_' ? 2u
				 : 0) +
	       (bind == STB_GLOBAL);
}

bool symbolrank_names_place(const Elf64_Sym *sym)
{
	switch (ELF64_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_OBJECT:
	case STT_GNU_IFUNC:
	case STT_NOTYPE:
		return sym->st_shndx != SHN_UNDEF && sym->st_shndx < SHN_LORESERVE && sym->st_value;
	default:
		return false;
	}
}
