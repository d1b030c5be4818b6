/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares calls: code that no hit runs calls each function of the kernel through one jump.
 * A relocation is 24 bytes of the module. A return through the kernel's thunk has two,
 * and an entry in .return_sites, by which the kernel patches in the return that the
 * processor needs. If there is a jump to the same function anyway, at the end of another
 * one, that jump is used: calls and jumps go there. At such a jump the stack is as if the
 * function itself were called, so the function finds its caller as before, and so does
 * the unwinder; the one remaining return or indirect jump is protected as all of them
 * were.
 *
 * Runs after objtool, which must find the ends of each function.
 */
#include "arch/x86_64/size.h"

#include <string.h>

#include "build/elf64.h"
#include "build/recipe.h"
#include "lib/arena.h"

enum {
	CALL = 0xe8,
	JUMP = 0xe9,
	/*
	 * number of bytes that may be patched after a place that one of the kernel's
	 * tables names
	 */
	PATCHED_AFTER = 64,
};

/* Facts about a byte of the code. */
enum {
	PATCHED = 1, /* the kernel may patch this byte */
	LISTED = 2,  /* in one of `lists`: a jump or call to a thunk is here */
	GONE = 4,    /* that jump or call was removed */
};

/* Places of jumps and calls to thunks: 4 bytes with a relocation for each. */
static const char *const lists[] = { ".return_sites", ".retpoline_sites" };
enum { LISTS = sizeof(lists) / sizeof(*lists), PLACE_SIZE = 4 };

struct jumps {
	const struct elf64 *o;
	const Elf64_Shdr *code;
	unsigned char *bytes;
	uint64_t cold; /* end of the code that no hit runs */
	Elf64_Shdr *relocations;
	const Elf64_Shdr *table;
	const Elf64_Sym *symbols;
	size_t nsymbols;
	uint8_t *known;	  /* facts about each byte of the code */
	uint64_t *shared; /* by symbol: the one jump to it, from 1; 0: there is none */
};

static const Elf64_Sym *symbol_of(const struct jumps *j, const Elf64_Rela *r)
{
	return ELF64_R_SYM(r->r_info) < j->nsymbols ? &j->symbols[ELF64_R_SYM(r->r_info)]
						    : &j->symbols[0];
}

/* ---- tables ---- */

/*
 * Returns the place in the code that an entry of a table names; sh_size: none.
 */
static uint64_t place_of(const struct jumps *j, const Elf64_Rela *r)
{
	const Elf64_Sym *s = symbol_of(j, r);
	uint64_t at = s->st_value + (uint64_t)r->r_addend;

	return ELF64_R_TYPE(r->r_info) == R_X86_64_PC32 &&
			       s->st_shndx == j->code - j->o->sections && at < j->code->sh_size
		       ? at
		       : j->code->sh_size;
}

/* Returns one of `lists`; NULL: there is none, or it is not of the expected form. */
static Elf64_Shdr *list_relocations(const struct jumps *j, const char *name)
{
	const Elf64_Shdr *list = elf64_find(j->o, name);
	Elf64_Shdr *relocations = list ? elf64_relocations(j->o, list) : NULL;
	const Elf64_Rela *all = relocations ? elf64_bytes(j->o, relocations) : NULL;
	size_t n = all ? relocations->sh_size / sizeof(*all) : 0;

	if (!n || list->sh_size != n * PLACE_SIZE)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (all[i].r_offset != i * PLACE_SIZE)
			return NULL;
	return relocations;
}

/* Tables of places that are not calls: the unwinder's, and beginnings of functions. */
static const char *const harmless[] = { ".orc_unwind_ip", ".ibt_endbr_seal", ".cfi_sites" };

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static bool is_understood(const char *name)
{
	return is_one_of(name, lists, LISTS) ||
	       is_one_of(name, harmless, sizeof(harmless) / sizeof(*harmless));
}

/*
 * Marks code that the kernel patches: alternatives, static calls and similar tables name
 * its places by relative addresses.
 */
static void note_patched(struct jumps *j)
{
	for (size_t i = 0; i < j->o->header->e_shnum; i++) {
		const Elf64_Shdr *of = &j->o->sections[i], *s = elf64_relocations(j->o, of);
		const Elf64_Rela *all = s ? elf64_bytes(j->o, s) : NULL;

		if (!all || !(of->sh_flags & SHF_ALLOC) || (of->sh_flags & SHF_EXECINSTR) ||
		    is_understood(elf64_name(j->o, of)))
			continue;
		for (size_t k = 0; k < s->sh_size / sizeof(*all); k++)
			for (uint64_t at = place_of(j, &all[k]), n = 0;
			     at < j->code->sh_size && n < PATCHED_AFTER; at++, n++)
				j->known[at] |= PATCHED;
	}
}

static void note_listed(struct jumps *j)
{
	for (size_t i = 0; i < LISTS; i++) {
		const Elf64_Shdr *s = list_relocations(j, lists[i]);
		const Elf64_Rela *all = s ? elf64_bytes(j->o, s) : NULL;

		for (size_t k = 0; s && k < s->sh_size / sizeof(*all); k++)
			if (place_of(j, &all[k]) < j->code->sh_size)
				j->known[place_of(j, &all[k])] |= LISTED;
	}
}

static void list_shrink(struct jumps *j, const char *name)
{
	Elf64_Shdr *s = list_relocations(j, name);
	Elf64_Rela *all = s ? elf64_bytes(j->o, s) : NULL;
	size_t kept = 0;

	for (size_t i = 0; s && i < s->sh_size / sizeof(*all); i++) {
		uint64_t at = place_of(j, &all[i]);

		if (at < j->code->sh_size && j->known[at] & GONE)
			continue;
		all[kept] = all[i];
		all[kept].r_offset = kept * PLACE_SIZE;
		kept++;
	}
	if (!s)
		return;
	s->sh_size = kept * sizeof(*all);
	j->o->sections[s->sh_info].sh_size = kept * PLACE_SIZE;
}

/* ---- the code ---- */

/* True for a call or jump that may be redirected; *at becomes its beginning. */
static bool may_change(const struct jumps *j, const Elf64_Rela *r, uint64_t *at)
{
	const Elf64_Sym *s = symbol_of(j, r);
	const char *name = elf64_symbol_name(j->o, j->table, s);

	*at = r->r_offset - 1;
	if (r->r_offset < 1 || r->r_offset >= j->cold || r->r_addend != -4 ||
	    s->st_shndx != SHN_UNDEF || !*name ||
	    (ELF64_R_TYPE(r->r_info) != R_X86_64_PLT32 && ELF64_R_TYPE(r->r_info) != R_X86_64_PC32))
		return false;
	if (j->known[*at] & PATCHED || (j->bytes[*at] != CALL && j->bytes[*at] != JUMP))
		return false;
	/*
	 * The kernel patches the places of thunks, so each of them must be known from a
	 * list.
	 */
	return strncmp(name, "__x86_", strlen("__x86_")) || j->known[*at] & LISTED;
}

static void find_shared(struct jumps *j, const Elf64_Rela *all, size_t n)
{
	uint64_t at;

	for (size_t i = 0; i < n; i++) {
		uint64_t *shared = &j->shared[ELF64_R_SYM(all[i].r_info)];

		if (may_change(j, &all[i], &at) && j->bytes[at] == JUMP && !*shared)
			*shared = at + 1;
	}
}

/*
 * Redirects the other calls and jumps to the shared jump. Returns the number of remaining
 * relocations.
 */
static size_t lead_there(struct jumps *j, Elf64_Rela *all, size_t n)
{
	size_t kept = 0;
	uint64_t at;

	for (size_t i = 0; i < n; i++) {
		uint64_t shared =
			may_change(j, &all[i], &at) ? j->shared[ELF64_R_SYM(all[i].r_info)] : 0;
		uint32_t distance = (uint32_t)(shared - 1 - (at + 5));

		if (!shared || shared - 1 == at) {
			all[kept++] = all[i];
			continue;
		}
		memcpy(j->bytes + all[i].r_offset, &distance, sizeof(distance));
		j->known[at] |= GONE;
	}
	return kept;
}

static bool find_cold(struct jumps *j)
{
	for (size_t i = 1; i < j->nsymbols; i++)
		if (!strcmp(elf64_symbol_name(j->o, j->table, &j->symbols[i]), LAYOUT_HOT_CODE) &&
		    j->symbols[i].st_shndx == j->code - j->o->sections)
			j->cold = j->symbols[i].st_value;
	return j->cold && j->cold <= j->code->sh_size;
}

void jumps_share(struct arena *a, const struct elf64 *o)
{
	struct jumps j = { .o = o, .code = elf64_find(o, ".text") };
	Elf64_Rela *all;

	j.relocations = j.code ? elf64_relocations(o, j.code) : NULL;
	j.bytes = j.code ? elf64_bytes(o, j.code) : NULL;
	j.symbols = j.relocations ? elf64_symbols(o, j.relocations, &j.nsymbols) : NULL;
	if (!j.bytes || !j.symbols || !j.nsymbols)
		return;
	j.table = &o->sections[j.relocations->sh_link];
	/*
	 * The kernel rewrites clang's checks of indirect calls according to
	 * .retpoline_sites.
	 */
	if (elf64_find(o, ".kcfi_traps") || !find_cold(&j))
		return;
	j.known = arena_array(a, uint8_t, j.code->sh_size);
	j.shared = arena_array(a, uint64_t, j.nsymbols);
	note_patched(&j);
	note_listed(&j);
	all = elf64_bytes(o, j.relocations);
	find_shared(&j, all, j.relocations->sh_size / sizeof(*all));
	j.relocations->sh_size =
		lead_there(&j, all, j.relocations->sh_size / sizeof(*all)) * sizeof(*all);
	for (size_t i = 0; i < LISTS; i++)
		list_shrink(&j, lists[i]);
}
