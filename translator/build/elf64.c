/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "build/elf64.h"

#include <string.h>

#include "arch/arch.h"
#include "lib/arena.h"

bool elf64_open(struct elf64 *o)
{
	o->header = (Elf64_Ehdr *)o->data;
	if (o->len < sizeof(*o->header) || memcmp(o->header->e_ident, ELFMAG, SELFMAG) ||
	    o->header->e_machine != o->arch->machine->elf ||
	    o->header->e_shentsize != sizeof(Elf64_Shdr) || o->header->e_shoff > o->len ||
	    o->header->e_shnum > (o->len - o->header->e_shoff) / sizeof(Elf64_Shdr) ||
	    o->header->e_shstrndx >= o->header->e_shnum)
		return false;
	o->sections = (Elf64_Shdr *)(o->data + o->header->e_shoff);
	return true;
}

void *elf64_bytes(const struct elf64 *o, const Elf64_Shdr *s)
{
	bool inside = s->sh_type != SHT_NOBITS && s->sh_offset <= o->len &&
		      s->sh_size <= o->len - s->sh_offset;

	return inside ? o->data + s->sh_offset : NULL;
}

const char *elf64_name(const struct elf64 *o, const Elf64_Shdr *s)
{
	const Elf64_Shdr *names = &o->sections[o->header->e_shstrndx];
	const char *text = elf64_bytes(o, names);

	if (!text || s->sh_name >= names->sh_size ||
	    !memchr(text + s->sh_name, 0, names->sh_size - s->sh_name))
		return "";
	return text + s->sh_name;
}

Elf64_Shdr *elf64_find(const struct elf64 *o, const char *name)
{
	Elf64_Shdr *ret = NULL;

	for (size_t i = 0; i < o->header->e_shnum; i++) {
		if (strcmp(elf64_name(o, &o->sections[i]), name))
			continue;
		if (ret)
			return NULL;
		ret = &o->sections[i];
	}
	return ret;
}

Elf64_Shdr *elf64_relocations(const struct elf64 *o, const Elf64_Shdr *of)
{
	for (size_t i = 0; i < o->header->e_shnum; i++) {
		Elf64_Shdr *s = &o->sections[i];

		if (s->sh_type == SHT_RELA && s->sh_link < o->header->e_shnum &&
		    s->sh_entsize == sizeof(Elf64_Rela) && s->sh_info < o->header->e_shnum &&
		    &o->sections[s->sh_info] == of && elf64_bytes(o, s))
			return s;
	}
	return NULL;
}

Elf64_Sym *elf64_symbols(const struct elf64 *o, const Elf64_Shdr *relocations, size_t *count)
{
	const Elf64_Shdr *table = &o->sections[relocations->sh_link];

	*count = table->sh_size / sizeof(Elf64_Sym);
	return elf64_bytes(o, table);
}

const char *elf64_symbol_name(const struct elf64 *o, const Elf64_Shdr *table, const Elf64_Sym *s)
{
	const Elf64_Shdr *names = &o->sections[table->sh_link];
	const char *text = elf64_bytes(o, names);

	return text && s->st_name < names->sh_size && !text[names->sh_size - 1] ? text + s->st_name
										: "";
}

void elf64_replace(struct arena *a, struct elf64 *o, size_t section, const void *contents,
		   size_t size)
{
	size_t at = (o->len + 63) & ~(size_t)63;
	char *data = arena_array(a, char, at + size);

	memcpy(data, o->data, o->len);
	memcpy(data + at, contents, size);
	o->data = data;
	o->len = at + size;
	elf64_open(o);
	o->sections[section].sh_offset = at;
	o->sections[section].sh_size = size;
}
