/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocations of a module's code against itself are done here, once: a linker leaves even a call from one function to the next to the
 * kernel, because in an object that is not final each symbol may yet move. Here nothing moves any more within ".text"; the kernel
 * would write the same four bytes. Each such relocation is 24 bytes of the module.
 *
 * Comes after objtool, which wants to know what refers to a function.
 */
#include <elf.h>
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "base/session.h"
#include "build/recipe.h"

struct object {
	char *data;
	size_t len;
	Elf64_Ehdr *header;
	Elf64_Shdr *sections;
};

/* The section's bytes, if they are in the file. */
static void *bytes_of(const struct object *o, const Elf64_Shdr *s)
{
	bool inside = s->sh_type != SHT_NOBITS && s->sh_offset <= o->len && s->sh_size <= o->len - s->sh_offset;

	return inside ? o->data + s->sh_offset : NULL;
}

static bool open_object(struct object *o)
{
	o->header = (Elf64_Ehdr *)o->data;
	if (o->len < sizeof(*o->header) || memcmp(o->header->e_ident, ELFMAG, SELFMAG) ||
	    o->header->e_machine != EM_X86_64 || o->header->e_shentsize != sizeof(Elf64_Shdr) ||
	    o->header->e_shoff > o->len || o->header->e_shnum > (o->len - o->header->e_shoff) / sizeof(Elf64_Shdr) ||
	    o->header->e_shstrndx >= o->header->e_shnum)
		return false;
	o->sections = (Elf64_Shdr *)(o->data + o->header->e_shoff);
	return true;
}

static bool has_name(const struct object *o, const Elf64_Shdr *s, const char *name)
{
	const Elf64_Shdr *names = &o->sections[o->header->e_shstrndx];
	const char *text = bytes_of(o, names);
	size_t len = strlen(name) + 1;

	return text && s->sh_name < names->sh_size && names->sh_size - s->sh_name >= len &&
	       !memcmp(text + s->sh_name, name, len);
}

/* Does it, when it is relative to its own place and its symbol lies in the same section. */
static bool fold_one(const Elf64_Rela *r, const Elf64_Sym *symbol, size_t section, char *code, size_t size)
{
	uint32_t type = ELF64_R_TYPE(r->r_info), value;

	if ((type != R_X86_64_PC32 && type != R_X86_64_PLT32) || symbol->st_shndx != section ||
	    r->r_offset > size - sizeof(value))
		return false;
	value = (uint32_t)(symbol->st_value + (uint64_t)r->r_addend - r->r_offset);
	memcpy(code + r->r_offset, &value, sizeof(value));
	return true;
}

static void fold_section(const struct object *o, Elf64_Shdr *relocations)
{
	const Elf64_Shdr *table = &o->sections[relocations->sh_link], *target = &o->sections[relocations->sh_info];
	const Elf64_Sym *symbols = bytes_of(o, table);
	Elf64_Rela *all = bytes_of(o, relocations);
	char *code = bytes_of(o, target);
	size_t kept = 0, nsymbols = table->sh_size / sizeof(*symbols);

	if (!symbols || !all || !code || target->sh_size < sizeof(uint32_t))
		return;
	for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
		size_t symbol = ELF64_R_SYM(all[i].r_info);

		if (symbol >= nsymbols ||
		    !fold_one(&all[i], &symbols[symbol], relocations->sh_info, code, target->sh_size))
			all[kept++] = all[i];
	}
	relocations->sh_size = kept * sizeof(*all);
}

struct error *fold_relocations(struct build *b, const char *path)
{
	struct object o;
	struct error *err = path_read(b->s->arena, path, &o.data, &o.len);

	if (err)
		return err;
	if (!open_object(&o))
		return error_create(b->s->arena, ERROR_ENVIRONMENT, "%s: no object file of this machine", path);
	for (size_t i = 0; i < o.header->e_shnum; i++) {
		Elf64_Shdr *s = &o.sections[i];

		if (s->sh_type == SHT_RELA && s->sh_link < o.header->e_shnum && s->sh_info < o.header->e_shnum &&
		    s->sh_entsize == sizeof(Elf64_Rela) && has_name(&o, &o.sections[s->sh_info], ".text"))
			fold_section(&o, s);
	}
	return path_write(b->s->arena, path, o.data, o.len);
}
