/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See programfile.h. */
#include "cfi/programfile.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include "cfi/gotable.h"
#include "cfi/symbolrank.h"
#include "cfi/unwindtable.h"
#include "lib/demangle.h"

#define SEGMENTS_MOST 32
#define HEADERS_MOST  4096	    /* of segments or sections */
#define BYTES_MOST    (32ull << 20) /* that are read of one file */

struct reading {
	int fd;
	struct arena *arena;
	uint64_t left; /* bytes that may still be read */
	const Elf64_Shdr *sections;
	unsigned nsections;
	struct demangler *demangler;
	struct table table;
};

/* Returns bytes of the file; NULL: the file is too short, or too much would be read. */
static const void *read_bytes(struct reading *r, uint64_t at, uint64_t size)
{
	uint8_t *bytes;

	if (!size || size > r->left || at > INT64_MAX - size)
		return NULL;
	bytes = arena_alloc(r->arena, size);
	for (uint64_t have = 0; have < size;) {
		ssize_t n = pread(r->fd, bytes + have, size - have, (off_t)(at + have));

		if (n <= 0)
			return NULL;
		have += (uint64_t)n;
	}
	r->left -= size;
	return bytes;
}

static const void *read_section(struct reading *r, const Elf64_Shdr *h)
{
	bool has_bytes = h->sh_type != SHT_NOBITS && !(h->sh_flags & SHF_COMPRESSED);

	return has_bytes ? read_bytes(r, h->sh_offset, h->sh_size) : NULL;
}

/* ---- segments ---- */

static bool read_segments(struct reading *r, const Elf64_Ehdr *e, struct programfile *ret)
{
	const Elf64_Phdr *p;

	if (e->e_phentsize != sizeof(*p) || e->e_phnum > HEADERS_MOST)
		return false;
	p = read_bytes(r, e->e_phoff, (uint64_t)e->e_phnum * sizeof(*p));
	ret->base = UINT64_MAX;
	for (unsigned i = 0; p && i < e->e_phnum; i++) {
		struct programfile_segment segment = { p[i].p_vaddr, p[i].p_offset, p[i].p_filesz };

		if (p[i].p_type != PT_LOAD)
			continue;
		vec_push(r->arena, &ret->segments, segment);
		ret->base = p[i].p_vaddr < ret->base ? p[i].p_vaddr : ret->base;
	}
	return ret->segments.count && ret->segments.count <= SEGMENTS_MOST;
}

/* ---- sections ---- */

static void read_frames(struct reading *r, const Elf64_Shdr *h, bool is_debug)
{
	struct cfi_section section = { .file = "",
				       .data = read_section(r, h),
				       .size = h->sh_size,
				       .offset = h->sh_offset,
				       .address = h->sh_addr,
				       .is_debug = is_debug };

	if (section.data) /* the part before a damaged place is useful */
		cfi_read(&r->table.cfi, &section);
}

#define NAME_MOST 2048 /* characters of a name that is demangled */

/* Returns the name that stacks show. */
static const char *shown_name(struct reading *r, const char *symbol)
{
	return r->demangler && strlen(symbol) <= NAME_MOST
		       ? demangle_shown(r->demangler, r->arena, symbol)
		       : symbol;
}

/* Returns the text at an offset of a string table; "": it has no end. */
static const char *text_at(const char *texts, uint64_t size, uint64_t at)
{
	return texts && at < size && memchr(texts + at, 0, size - at) ? texts + at : "";
}

static void read_symbols(struct reading *r, const Elf64_Shdr *h)
{
	const Elf64_Shdr *link = h->sh_link < r->nsections ? &r->sections[h->sh_link] : NULL;
	const Elf64_Sym *symbols = link ? read_section(r, h) : NULL;
	const char *texts = symbols ? read_section(r, link) : NULL;

	for (uint64_t i = 0; texts && i < h->sh_size / sizeof(*symbols); i++) {
		const Elf64_Sym *sym = &symbols[i];
		const char *name = text_at(texts, link->sh_size, sym->st_name);
		struct table_symbol out = { sym->st_value, sym->st_size, name,
					    symbolrank_of(sym, name) };

		if (!*name || !symbolrank_names_place(sym))
			continue;
		out.name = shown_name(r, name);
		vec_push(r->arena, &r->table.symbols, out);
	}
}

/* Reads the table of a Go program without debuginfo or symbols; its code is .text. */
static void read_go(struct reading *r, const Elf64_Shdr *h, uint64_t text, uint64_t entry)
{
	bool is_complete = r->table.symbols.count && r->table.cfi.functions.count;
	const void *data = h && !is_complete ? read_section(r, h) : NULL;
	struct gotable t;

	if (data && gotable_open(data, h->sh_size, text, entry, &t))
		gotable_add(&t, &r->table, true);
}

static void read_sections(struct reading *r, const Elf64_Ehdr *e)
{
	const Elf64_Shdr *names, *go = NULL;
	const char *texts;
	uint64_t text = 0;

	if (e->e_shentsize != sizeof(*r->sections) || e->e_shnum > HEADERS_MOST ||
	    e->e_shstrndx >= e->e_shnum)
		return;
	r->sections = read_bytes(r, e->e_shoff, (uint64_t)e->e_shnum * sizeof(*r->sections));
	if (!r->sections)
		return;
	r->nsections = e->e_shnum;
	names = &r->sections[e->e_shstrndx];
	texts = read_section(r, names);
	for (unsigned i = 0; i < r->nsections; i++) {
		const Elf64_Shdr *h = &r->sections[i];
		const char *name = text_at(texts, names->sh_size, h->sh_name);

		if (!strcmp(name, ".eh_frame"))
			read_frames(r, h, false);
		else if (!strcmp(name, ".debug_frame"))
			read_frames(r, h, true);
		else if (gotable_is_section(name))
			go = h;
		else if (!strcmp(name, ".text"))
			text = h->sh_addr;
	}
	for (unsigned i = 0; i < r->nsections; i++)
		if (r->sections[i].sh_type == SHT_SYMTAB || r->sections[i].sh_type == SHT_DYNSYM)
			read_symbols(r, &r->sections[i]);
	read_go(r, go, text, e->e_entry);
}

bool programfile_read(int fd, uint16_t machine, const struct arch_unwind *arch,
		      struct demangler *demangler, struct arena *a, struct programfile *ret)
{
	struct reading r = { .fd = fd, .arena = a, .left = BYTES_MOST, .demangler = demangler };
	const Elf64_Ehdr *e = read_bytes(&r, 0, sizeof(*e));

	*ret = (struct programfile){ 0 };
	if (!e || memcmp(e->e_ident, ELFMAG, SELFMAG) || e->e_ident[EI_CLASS] != ELFCLASS64 ||
	    e->e_ident[EI_DATA] != ELFDATA2LSB || e->e_machine != machine ||
	    !read_segments(&r, e, ret))
		return false;
	rules_init(&r.table.cfi, a, arch);
	r.table.base = ret->base;
	read_sections(&r, e);
	unwindtable_write(a, &r.table, &ret->table, &ret->table_size);
	return true;
}
