/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds variables of a program by the symbols of its file. */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>

#include "lib/cleanup.h"
#include "program/executable.h"

struct sought {
	const char *name;
	int type; /* STT_… */
};

static bool find_symbol(Elf *elf, Elf_Scn *scn, const GElf_Shdr *h, const struct sought *q,
			uint64_t *ret)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Sym sym;
		const char *its;

		if (!gelf_getsym(data, (int)i, &sym) || sym.st_shndx == SHN_UNDEF ||
		    GELF_ST_TYPE(sym.st_info) != q->type)
			continue;
		its = elf_strptr(elf, h->sh_link, sym.st_name);
		if (!its || strcmp(its, q->name))
			continue;
		*ret = sym.st_value;
		return true;
	}
	return false;
}

static bool find_in_file(const struct executable *p, const struct sought *q, uint64_t *ret)
{
	_cleanup_close_ int fd = open(p->path, O_RDONLY | O_CLOEXEC);
	Elf_Scn *scn = NULL;
	bool found = false;
	GElf_Shdr h;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	while (elf && !found && (scn = elf_nextscn(elf, scn)) && gelf_getshdr(scn, &h))
		if (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM)
			found = find_symbol(elf, scn, &h, q, ret);
	elf_end(elf);
	return found;
}

bool datasymbol_variable(const struct executable *p, const char *name, uint64_t *ret)
{
	return find_in_file(p, &(struct sought){ .name = name, .type = STT_OBJECT }, ret);
}

bool datasymbol_thread_local(const struct executable *p, const char *name, uint64_t *ret)
{
	return find_in_file(p, &(struct sought){ .name = name, .type = STT_TLS }, ret);
}
