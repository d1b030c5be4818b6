/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocations of a module's code against itself are done here, once: a linker leaves even a call from one function to the next to the
 * kernel, because in an object that is not final each symbol may yet move. Here nothing moves any more within ".text"; the kernel
 * would write the same four bytes. Each such relocation is 24 bytes of the module.
 *
 * Comes after objtool, which wants to know what refers to a function; so do pack.c and names.c.
 */
#include <string.h>

#include "base/error.h"
#include "base/path.h"
#include "base/session.h"
#include "build/elf64.h"
#include "build/recipe.h"

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

static void fold_code(const struct elf64 *o)
{
	Elf64_Shdr *code = elf64_find(o, ".text"), *relocations = code ? elf64_relocations(o, code) : NULL;
	size_t kept = 0, nsymbols;
	const Elf64_Sym *symbols = relocations ? elf64_symbols(o, relocations, &nsymbols) : NULL;
	char *bytes = code ? elf64_bytes(o, code) : NULL;
	Elf64_Rela *all;

	if (!symbols || !bytes || code->sh_size < sizeof(uint32_t))
		return;
	all = elf64_bytes(o, relocations);
	for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
		size_t symbol = ELF64_R_SYM(all[i].r_info);

		if (symbol >= nsymbols || !fold_one(&all[i], &symbols[symbol], relocations->sh_info, bytes, code->sh_size))
			all[kept++] = all[i];
	}
	relocations->sh_size = kept * sizeof(*all);
}

struct error *fold_relocations(struct build *b, const char *path)
{
	struct arena *a = b->s->arena;
	struct elf64 o;
	struct error *err = path_read(a, path, &o.data, &o.len);

	if (err)
		return err;
	if (!elf64_open(&o))
		return error_create(a, ERROR_ENVIRONMENT, "%s: no object file of this machine", path);
	fold_code(&o);
	pack_tables(a, &o);
	calls_drop(&o);
	names_drop(a, &o);
	return path_write(a, path, o.data, o.len);
}
