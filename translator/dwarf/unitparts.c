/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "dwarf/unitparts.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/session.h"
#include "dwarf/debugfile.h"
#include "dwarf/units.h"
#include "lib/cleanup.h"

/* Smaller sections are read as a whole; a part is about as large as PART_BYTES. */
#define LARGE_BYTES (32u << 20)
#define PART_BYTES  (4u << 20)

/* ---- the file ---- */

static bool map_image(struct dwarf_file *f, struct unit_parts *x)
{
	const char *main_file = NULL, *separate = NULL, *path;
	_cleanup_close_ int fd = -1;
	struct stat st;
	void *p;

	dwfl_module_info(f->module, NULL, NULL, NULL, NULL, NULL, &main_file, &separate);
	path = separate ? separate : main_file;
	fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size < (off_t)(LARGE_BYTES + sizeof(Elf64_Ehdr)))
		return false;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return false;
	x->image = p;
	x->len = (size_t)st.st_size;
	return true;
}

static bool is_within(const struct unit_parts *x, uint64_t at, uint64_t len)
{
	return at <= x->len && len <= x->len - at;
}

/* Returns the section's header, or NULL. */
static Elf64_Shdr *find_section(const struct unit_parts *x, const char *name)
{
	const Elf64_Ehdr *h = (const void *)x->image;
	Elf64_Shdr *all = (void *)(x->image + h->e_shoff), *names;

	if (h->e_shoff % 8 || !is_within(x, h->e_shoff, h->e_shnum * sizeof(*all)) ||
	    h->e_shstrndx >= h->e_shnum)
		return NULL;
	names = &all[h->e_shstrndx];
	if (!is_within(x, names->sh_offset, names->sh_size))
		return NULL;
	for (unsigned i = 0; i < h->e_shnum; i++)
		if (all[i].sh_name < names->sh_size &&
		    !strncmp((char *)x->image + names->sh_offset + all[i].sh_name, name,
			     names->sh_size - all[i].sh_name) &&
		    is_within(x, all[i].sh_offset, all[i].sh_size))
			return &all[i];
	return NULL;
}

/* ---- references ---- */

struct reader {
	const uint8_t *at, *end;
};

static uint64_t read_leb(struct reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;

	while (r->at < r->end) {
		uint8_t byte = *r->at++;

		if (shift < 64)
			v |= (uint64_t)(byte & 127) << shift;
		shift += 7;
		if (!(byte & 128))
			break;
	}
	return v;
}

static bool leads_out(uint64_t form)
{
	switch (form) {
	case DW_FORM_ref_addr:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_GNU_strp_alt:
		return true;
	default:
		return false;
	}
}

/* True: some abbreviation has a reference to another unit or file. */
static bool refers_out(const struct unit_parts *x, const Elf64_Shdr *abbrev)
{
	struct reader r = { x->image + abbrev->sh_offset,
			    x->image + abbrev->sh_offset + abbrev->sh_size };

	while (r.at < r.end) {
		uint64_t attribute, form;

		if (!read_leb(&r)) /* the end of a table */
			continue;
		read_leb(&r); /* tag */
		r.at++;	      /* has children */
		do {
			attribute = read_leb(&r);
			form = read_leb(&r);
			if (form == DW_FORM_implicit_const)
				read_leb(&r);
			if (leads_out(form))
				return true;
		} while ((attribute || form) && r.at < r.end);
	}
	return false;
}

/* ---- parts ---- */

/* Forgets the pages that were read, and all changes of headers. */
static void forget(struct unit_parts *x)
{
	madvise(x->image, x->len, MADV_DONTNEED);
}

static bool is_same_file(struct session *s, const struct dwarf_file *f, const struct unit_parts *x)
{
	const char *id = dwarf_build_id(s, f);
	Elf *elf = elf_memory((char *)x->image, x->len);
	const void *bits;
	ssize_t n = elf ? dwelf_elf_gnu_build_id(elf, &bits) : 0;
	const unsigned char *its;
	GElf_Addr where;
	bool ret = id && n > 0 && dwfl_module_build_id(f->module, &its, &where) == n &&
		   !memcmp(its, bits, (size_t)n);

	elf_end(elf);
	return ret;
}

static bool is_fit(struct session *s, struct dwarf_file *f, struct unit_parts *x)
{
	const Elf64_Ehdr *h = (const void *)x->image;
	const Elf64_Shdr *info, *abbrev;

	if (memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64 ||
	    h->e_ident[EI_DATA] != ELFDATA2LSB || (h->e_type != ET_EXEC && h->e_type != ET_DYN))
		return false;
	info = find_section(x, ".debug_info");
	abbrev = find_section(x, ".debug_abbrev");
	if (!info || !abbrev || info->sh_size < LARGE_BYTES || find_section(x, ".debug_types") ||
	    ((info->sh_flags | abbrev->sh_flags) & SHF_COMPRESSED) || refers_out(x, abbrev))
		return false;
	x->section = (uint64_t)((const uint8_t *)info - x->image);
	x->info = x->next = info->sh_offset;
	x->info_end = info->sh_offset + info->sh_size;
	return is_same_file(s, f, x);
}

bool unitparts_open(struct session *s, struct dwarf_file *f, struct unit_parts *ret)
{
	*ret = (struct unit_parts){ 0 };
	if (units_are_split(s, f) || dwarf_getalt(f->dwarf) || !map_image(f, ret))
		return false;
	if (is_fit(s, f, ret))
		return true;
	munmap(ret->image, ret->len);
	return false;
}

/* Returns the end of the unit that begins there, or 0: it has no end. */
static uint64_t unit_end(const struct unit_parts *x, uint64_t at)
{
	uint64_t left = x->info_end - at, length;
	uint32_t small;

	if (left < 12)
		return 0;
	memcpy(&small, x->image + at, sizeof(small));
	if (small != UINT32_MAX)
		return small && small <= left - 4 ? at + 4 + small : 0;
	memcpy(&length, x->image + at + 4, sizeof(length));
	return length && length <= left - 12 ? at + 12 + length : 0;
}

static void close_part(struct unit_parts *x)
{
	dwarf_end(x->dwarf);
	elf_end(x->elf);
	x->dwarf = NULL;
	x->elf = NULL;
	forget(x);
}

bool unitparts_next(struct unit_parts *x)
{
	uint64_t begin = x->next, end = begin;
	Elf64_Shdr *info;

	close_part(x);
	while (x->next < x->info_end && x->next - begin < PART_BYTES) {
		end = unit_end(x, x->next);
		if (!end)
			return false;
		x->next = end;
	}
	if (begin == x->next)
		return false;
	info = (void *)(x->image + x->section);
	info->sh_offset = begin;
	info->sh_size = x->next - begin;
	x->base = begin - x->info;
	x->elf = elf_memory((char *)x->image, x->len);
	x->dwarf = x->elf ? dwarf_begin_elf(x->elf, DWARF_C_READ, NULL) : NULL;
	return x->dwarf != NULL;
}

bool unitparts_close(struct unit_parts *x)
{
	bool are_all_read = x->next == x->info_end && !x->dwarf;

	if (x->dwarf)
		close_part(x);
	munmap(x->image, x->len);
	return are_all_read;
}
