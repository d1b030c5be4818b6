/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/gosection.h"

#include <string.h>

bool gosection_find(Elf *elf, uint64_t entry, struct gotable *ret)
{
	Elf_Data *table = NULL;
	Elf_Scn *scn = NULL;
	uint64_t text = 0;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, h.sh_name);
		if (name && !strcmp(name, ".text"))
			text = h.sh_addr;
		else if (name && gotable_is_section(name))
			table = elf_rawdata(scn, NULL);
	}
	return table && table->d_buf && gotable_open(table->d_buf, table->d_size, text, entry, ret);
}
