/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Removes names of a module that nobody uses: names of its variables, constants and
 * sources, and names needed only by parts that the linker has left out. Symbols that
 * relocations refer to remain, and functions, for stack traces.
 *
 * Removes the list of its calls as well. Kernels use it to count calls, so that no return
 * is predicted beyond the calls before it: if calls are not counted, the kernel starts
 * again earlier, not later.
 */
#include <string.h>

#include "build/elf64.h"
#include "build/recipe.h"
#include "lib/arena.h"

/*
 * Names of the bytes before a function: "__pfx_NAME" is objtool's for the padding,
 * "__cfi_NAME" clang's for the function's type.
 */
static bool is_in_front(const char *name)
{
	return !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6);
}

static bool is_wanted(const Elf64_Sym *s, const char *name)
{
	unsigned type = ELF64_ST_TYPE(s->st_info);

	/* The module itself, which its other object refers to. */
	if (!strcmp(name, "__this_module"))
		return true;
	return type == STT_SECTION ||
	       (type == STT_FUNC && s->st_shndx != SHN_UNDEF && !is_in_front(name));
}

/* True: the table is used as expected: only relocations refer to its symbols. */
static bool is_understood(const struct elf64 *o, const Elf64_Shdr *table)
{
	size_t index = (size_t)(table - o->sections);

	for (size_t i = 0; i < o->header->e_shnum; i++) {
		const Elf64_Shdr *s = &o->sections[i];

		if (s->sh_link == index && s->sh_type != SHT_RELA)
			return false;
		if (s->sh_link == index &&
		    (s->sh_entsize != sizeof(Elf64_Rela) || !elf64_bytes(o, s)))
			return false;
	}
	return table->sh_link < o->header->e_shnum && elf64_bytes(o, table) &&
	       table->sh_entsize == sizeof(Elf64_Sym);
}

/* Calls visit for the symbol's number in each relocation. */
static void each_reference(const struct elf64 *o, const Elf64_Shdr *table,
			   void (*visit)(uint32_t *numbers, size_t n, Elf64_Rela *r),
			   uint32_t *numbers)
{
	size_t index = (size_t)(table - o->sections), n = table->sh_size / sizeof(Elf64_Sym);

	for (size_t i = 0; i < o->header->e_shnum; i++) {
		const Elf64_Shdr *s = &o->sections[i];
		Elf64_Rela *all = elf64_bytes(o, s);

		for (size_t k = 0;
		     s->sh_type == SHT_RELA && s->sh_link == index && k < s->sh_size / sizeof(*all);
		     k++)
			visit(numbers, n, &all[k]);
	}
}

static void note(uint32_t *numbers, size_t n, Elf64_Rela *r)
{
	if (ELF64_R_SYM(r->r_info) < n)
		numbers[ELF64_R_SYM(r->r_info)] = 1;
}

static void renumber(uint32_t *numbers, size_t n, Elf64_Rela *r)
{
	if (ELF64_R_SYM(r->r_info) < n)
		r->r_info = ELF64_R_INFO((uint64_t)numbers[ELF64_R_SYM(r->r_info)],
					 ELF64_R_TYPE(r->r_info));
}

static void section_drop(Elf64_Shdr *section, Elf64_Shdr *relocations)
{
	section->sh_size = relocations->sh_size = 0;
}

void strip_calls(const struct elf64 *o)
{
	/*
	 * Sections where module_init() and module_exit() have put an address, so that no
	 * compiler leaves the functions out.
	 */
	static const char *const addresses[] = { ".init.data", ".exit.data" };
	Elf64_Shdr *calls = elf64_find(o, ".call_sites"),
		   *relocations = calls ? elf64_relocations(o, calls) : NULL;

	if (relocations)
		section_drop(calls, relocations);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		Elf64_Shdr *address = elf64_find(o, addresses[i]);

		relocations = address ? elf64_relocations(o, address) : NULL;
		if (relocations && address->sh_size == sizeof(Elf64_Addr))
			section_drop(address, relocations);
	}
}

void strip_names(struct arena *a, struct elf64 *o)
{
	Elf64_Shdr *table = elf64_find(o, ".symtab");
	size_t n = table ? table->sh_size / sizeof(Elf64_Sym) : 0, kept = 1, nlocals = 1;
	Elf64_Sym *all = n ? elf64_bytes(o, table) : NULL;
	uint32_t *numbers = arena_array(a, uint32_t, n + 1);

	if (!all || !is_understood(o, table))
		return;
	each_reference(o, table, note, numbers);
	for (size_t i = 1; i < n; i++) {
		if (!numbers[i] && !is_wanted(&all[i], elf64_symbol_name(o, table, &all[i])))
			continue;
		nlocals += i < table->sh_info;
		numbers[i] = (uint32_t)kept;
		all[kept++] = all[i];
	}
	each_reference(o, table, renumber, numbers);
	table->sh_size = kept * sizeof(*all);
	table->sh_info = (uint32_t)nlocals;
}
