/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Resolves relocations within a module's code, once for all loads. A linker leaves even a
 * call between two functions to the kernel, because symbols of a relocatable object may
 * still move. Here nothing moves within ".text" any more; the kernel would write the same
 * four bytes. Each such relocation is 24 bytes of the module.
 */
#include "arch/x86_64/size.h"

#include <string.h>

#include "build/elf64.h"

static bool is_relative(const Elf64_Rela *r)
{
	return ELF64_R_TYPE(r->r_info) == R_X86_64_PC32 ||
	       ELF64_R_TYPE(r->r_info) == R_X86_64_PLT32;
}

/*
 * Replaces `mov $FUNCTION, %REGISTER` with `lea FUNCTION(%rip), %REGISTER`. This is as
 * long and does not depend on its own address: REX.W C7 /0 with a register becomes REX.W
 * 8D, which encodes the register in other bits of the operand and the prefix.
 */
static bool make_relative(Elf64_Rela *r, unsigned char *code)
{
	unsigned char *at = code + r->r_offset - 3;

	if (ELF64_R_TYPE(r->r_info) != R_X86_64_32S || r->r_offset < 3 || (at[0] & 0xfe) != 0x48 ||
	    at[1] != 0xc7 || (at[2] & 0xf8) != 0xc0)
		return false;
	at[0] = at[0] & 1 ? 0x4c : 0x48;
	at[1] = 0x8d;
	at[2] = (unsigned char)((at[2] & 7) << 3 | 5);
	r->r_info = ELF64_R_INFO(ELF64_R_SYM(r->r_info), R_X86_64_PC32);
	r->r_addend -= 4;
	return true;
}

/*
 * Resolves a relocation if it is, or can be made, relative to its own place, and its
 * symbol is in the same section.
 */
static bool fold_one(Elf64_Rela *r, const Elf64_Sym *symbol, size_t section, unsigned char *code,
		     size_t size)
{
	uint32_t value;

	if (symbol->st_shndx != section || r->r_offset > size - sizeof(value) ||
	    (!is_relative(r) && !make_relative(r, code)))
		return false;
	value = (uint32_t)(symbol->st_value + (uint64_t)r->r_addend - r->r_offset);
	memcpy(code + r->r_offset, &value, sizeof(value));
	return true;
}

void fold_code(const struct elf64 *o)
{
	Elf64_Shdr *code = elf64_find(o, ".text"),
		   *relocations = code ? elf64_relocations(o, code) : NULL;
	size_t kept = 0, nsymbols;
	const Elf64_Sym *symbols = relocations ? elf64_symbols(o, relocations, &nsymbols) : NULL;
	unsigned char *bytes = code ? elf64_bytes(o, code) : NULL;
	Elf64_Rela *all;

	if (!symbols || !bytes || code->sh_size < sizeof(uint32_t))
		return;
	all = elf64_bytes(o, relocations);
	for (size_t i = 0; i < relocations->sh_size / sizeof(*all); i++) {
		size_t symbol = ELF64_R_SYM(all[i].r_info);

		if (symbol >= nsymbols || !fold_one(&all[i], &symbols[symbol], relocations->sh_info,
						    bytes, code->sh_size))
			all[kept++] = all[i];
	}
	relocations->sh_size = kept * sizeof(*all);
}
