/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An object file of this machine in memory, which can be changed in place. */
#ifndef STAP_BUILD_ELF64_H
#define STAP_BUILD_ELF64_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

struct arch;
struct arena;

struct elf64 {
	const struct arch *arch;
	char *data;
	size_t len;
	Elf64_Ehdr *header;
	Elf64_Shdr *sections;
};

/*
 * Reads the object's head; arch, data and len are set. False: the file is not of a known
 * form.
 */
bool elf64_open(struct elf64 *o);
/* Returns the section's bytes, or NULL: they are not in the file. */
void *elf64_bytes(const struct elf64 *o, const Elf64_Shdr *s);
/* Returns the section's name, or "". */
const char *elf64_name(const struct elf64 *o, const Elf64_Shdr *s);
/* Returns the section of that name. NULL: there is none, or more than one. */
Elf64_Shdr *elf64_find(const struct elf64 *o, const char *name);
/* Returns the relocations of a section; NULL: it has none. */
Elf64_Shdr *elf64_relocations(const struct elf64 *o, const Elf64_Shdr *of);
/* Returns the symbols that the relocations refer to; *count becomes their number. */
Elf64_Sym *elf64_symbols(const struct elf64 *o, const Elf64_Shdr *relocations, size_t *count);
/* Returns a symbol's name, or ""; `table` is the section that the symbol is in. */
const char *elf64_symbol_name(const struct elf64 *o, const Elf64_Shdr *table, const Elf64_Sym *s);
/*
 * Replaces the contents of a section, at the end of the file. Pointers into the object
 * become invalid.
 */
void elf64_replace(struct arena *a, struct elf64 *o, size_t section, const void *contents,
		   size_t size);

#endif
