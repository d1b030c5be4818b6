/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lets the module itself relocate the addresses in its tables (runtime/uapi/packed.h has
 * the form): with the kernel's relocations the tables of many probe points are twice as
 * long. All constants become a part of .data..ro_after_init, which can be written until
 * the module's init function returns. Data that the kernel reads before that, such as
 * parameters, is in sections of its own.
 */
#include <string.h>

#include "arch/arch.h"
#include "build/elf64.h"
#include "build/recipe.h"
#include "lib/arena.h"
#include "uapi/packed.h"

#define TABLES		  ".rodata"
#define WRITABLE_AT_FIRST ".data..ro_after_init"

struct place {
	size_t section, at;
};

struct packing {
	struct arena *a;
	struct elf64 *o;
	size_t tables, packed; /* sections */
	struct place anchors[STP_ANCHORS];
	struct stp_packed *head;
	size_t size; /* size of all tables together */
};

static bool find_anchors(struct packing *p)
{
	const Elf64_Shdr *relocations = elf64_relocations(p->o, &p->o->sections[p->packed]);
	const Elf64_Rela *all = relocations ? elf64_bytes(p->o, relocations) : NULL;
	size_t nsymbols, n = all ? relocations->sh_size / sizeof(*all) : 0;
	const Elf64_Sym *symbols =
		n == STP_ANCHORS ? elf64_symbols(p->o, relocations, &nsymbols) : NULL;

	for (size_t i = 0; symbols && i < n; i++) {
		size_t anchor = all[i].r_offset / sizeof(void *),
		       symbol = ELF64_R_SYM(all[i].r_info);

		if (ELF64_R_TYPE(all[i].r_info) != p->o->arch->module->address ||
		    anchor >= STP_ANCHORS || symbol >= nsymbols)
			return false;
		p->anchors[anchor] =
			(struct place){ symbols[symbol].st_shndx,
					symbols[symbol].st_value + (uint64_t)all[i].r_addend };
	}
	return symbols && p->anchors[STP_ANCHOR_TABLES].section == p->tables;
}

/* Packs one relocation. False: the kernel has to do it. */
static bool pack_one(struct packing *p, const Elf64_Rela *r, const Elf64_Sym *symbol, char *tables,
		     size_t size)
{
	for (uint64_t anchor = 0; anchor < STP_ANCHORS; anchor++) {
		int64_t distance =
			(int64_t)(symbol->st_value + (uint64_t)r->r_addend - p->anchors[anchor].at);
		uint64_t word = anchor << 32 | (uint32_t)distance;

		if (symbol->st_shndx != p->anchors[anchor].section || distance != (int32_t)distance)
			continue;
		if (ELF64_R_TYPE(r->r_info) != p->o->arch->module->address ||
		    r->r_offset % sizeof(word) || r->r_offset > size - sizeof(word))
			return false;
		memcpy(tables + r->r_offset, &word, sizeof(word));
		p->head->places[r->r_offset / 512] |= UINT64_C(1) << (r->r_offset / 8 % 64);
		return true;
	}
	return false;
}

static void pack_all(struct packing *p, Elf64_Shdr *relocations)
{
	const Elf64_Shdr *tables = &p->o->sections[p->tables];
	Elf64_Rela *all = elf64_bytes(p->o, relocations);
	size_t kept = 0, nsymbols;
	const Elf64_Sym *symbols = elf64_symbols(p->o, relocations, &nsymbols);

	for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
		size_t symbol = ELF64_R_SYM(all[i].r_info);

		if (symbol >= nsymbols || !pack_one(p, &all[i], &symbols[symbol],
						    elf64_bytes(p->o, tables), tables->sh_size))
			all[kept++] = all[i];
	}
	relocations->sh_size = kept * sizeof(*all);
}

/* Makes the tables writable. Sections with the same name are merged in the end. */
static void make_writable(struct packing *p)
{
	size_t section = p->o->header->e_shstrndx, size = p->o->sections[section].sh_size;
	char *names = arena_array(p->a, char, size + sizeof(WRITABLE_AT_FIRST));

	memcpy(names, elf64_bytes(p->o, &p->o->sections[section]), size);
	memcpy(names + size, WRITABLE_AT_FIRST, sizeof(WRITABLE_AT_FIRST));
	elf64_replace(p->a, p->o, section, names, size + sizeof(WRITABLE_AT_FIRST));
	p->o->sections[p->tables].sh_name = (uint32_t)size;
	p->o->sections[p->tables].sh_flags |= SHF_WRITE;
}

void pack_tables(struct arena *a, struct elf64 *o)
{
	Elf64_Shdr *tables = elf64_find(o, TABLES), *packed = elf64_find(o, STP_PACKED_SECTION);
	Elf64_Shdr *relocations = tables ? elf64_relocations(o, tables) : NULL;
	struct packing p = { .a = a, .o = o };
	size_t nplaces;

	if (!relocations || !packed || packed->sh_size != sizeof(*p.head) ||
	    !elf64_bytes(o, tables) || tables->sh_size < sizeof(uint64_t))
		return;
	p.tables = (size_t)(tables - o->sections);
	p.packed = (size_t)(packed - o->sections);
	if (!find_anchors(&p))
		return;
	nplaces = (tables->sh_size + 511) / 512;
	p.size = sizeof(*p.head) + nplaces * sizeof(p.head->places[0]);
	p.head = (struct stp_packed *)arena_array(a, uint64_t, p.size / sizeof(uint64_t));
	p.head->before = (uint32_t)p.anchors[STP_ANCHOR_TABLES].at;
	p.head->count = (uint32_t)nplaces;
	pack_all(&p, relocations);
	elf64_replace(a, o, p.packed, p.head, p.size);
	make_writable(&p);
}
