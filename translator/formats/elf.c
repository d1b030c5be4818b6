/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sections of an ELF file, by libelf. */
#include <gelf.h>
#include <string.h>

#include "formats/file.h"
#include "lib/error.h"

static struct error *malformed(struct arena *a, const struct bytes *elf, uint64_t offset,
			       const char *what)
{
	return error_create(a, ERROR_ENVIRONMENT, "%s: malformed ELF file at offset %#llx: %s",
			    elf->file, (unsigned long long)offset, what);
}

bool elf_is(const struct bytes *b)
{
	return b->len >= sizeof(Elf64_Ehdr) && !memcmp(b->data, ELFMAG, SELFMAG) &&
	       b->data[EI_CLASS] == ELFCLASS64 && b->data[EI_DATA] == ELFDATA2LSB;
}

bool elf_is_here(uint32_t type, uint64_t size)
{
	return type != SHT_NOBITS && size;
}

static struct error *find_section(struct arena *a, const struct bytes *file, Elf *elf,
				  const char *name, struct bytes *ret)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return malformed(a, file, offsetof(Elf64_Ehdr, e_shstrndx), elf_errmsg(-1));
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr h;
		const char *found;

		if (!gelf_getshdr(scn, &h))
			return malformed(a, file, offsetof(Elf64_Ehdr, e_shoff), elf_errmsg(-1));
		found = elf_strptr(elf, names, h.sh_name);
		if (!found || strcmp(found, name) || !elf_is_here(h.sh_type, h.sh_size))
			continue;
		/*
		 * Returns the bytes in the file: libelf gives a copy, or a view that ends
		 * with its handle.
		 */
		if (h.sh_offset > file->len || h.sh_size > file->len - h.sh_offset)
			return malformed(a, file, h.sh_offset,
					 "section reaches past the end of the file");
		*ret = (struct bytes){ file->file, file->data + h.sh_offset, h.sh_size };
		return NULL;
	}
	return error_create(a, ERROR_ABSENT, "%s has no section %s", file->file, name);
}

struct error *elf_section(struct arena *a, const struct bytes *file, const char *name,
			  struct bytes *ret)
{
	struct error *err;
	Elf *elf;

	if (!elf_is(file))
		return malformed(a, file, 0, "not a 64-bit little-endian ELF file");
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)file->data, file->len);
	if (!elf)
		return malformed(a, file, 0, elf_errmsg(-1));
	err = find_section(a, file, elf, name, ret);
	elf_end(elf);
	return err;
}

/* Returns the number of the section with that name; 0: there is none. */
static size_t section_number(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr h;
		const char *found =
			gelf_getshdr(scn, &h) ? elf_strptr(elf, names, h.sh_name) : NULL;

		if (found && !strcmp(found, name))
			return elf_ndxscn(scn);
	}
	return 0;
}

static void functions_of(struct arena *a, Elf *elf, const struct bytes *file, size_t section,
			 void (*callback)(void *ctx, const char *name), void *ctx)
{
	struct bytes symbols, names;

	if (find_section(a, file, elf, ".symtab", &symbols) ||
	    find_section(a, file, elf, ".strtab", &names))
		return;
	if (!names.len || names.data[names.len - 1])
		return;
	for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols.len; at += sizeof(Elf64_Sym)) {
		Elf64_Sym sym;

		memcpy(&sym, symbols.data + at, sizeof(sym));
		if (sym.st_shndx == section && ELF64_ST_TYPE(sym.st_info) == STT_FUNC &&
		    sym.st_name < names.len)
			callback(ctx, (const char *)names.data + sym.st_name);
	}
}

void elf_functions_of(struct arena *a, const struct bytes *file, const char *section,
		      void (*callback)(void *ctx, const char *name), void *ctx)
{
	size_t number;
	Elf *elf;

	if (!elf_is(file))
		return;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)file->data, file->len);
	number = elf ? section_number(elf, section) : 0;
	if (number)
		functions_of(a, elf, file, number, callback, ctx);
	elf_end(elf);
}
