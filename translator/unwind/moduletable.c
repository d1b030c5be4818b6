/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The contents of a table, read from a file: libelf reads and checks sections, cfi.c call
 * frame information, libdw lines.
 */
#include "unwind/moduletable.h"

#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "cfi/symbolrank.h"
#include "cfi/unwindtable.h"
#include "dwarf/rows.h"
#include "formats/file.h"
#include "formats/gosection.h"
#include "formats/hiddensymbols.h"
#include "kernel/factcache.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "program/executable.h"
#include "program/symbolname.h"

struct reading {
	struct session *s;
	const char *file;
	struct table table;
};

static void warn(struct reading *r, const struct error *err)
{
	diag_warning(r->s, (struct loc){ 0 }, "%s; stacks through this file may end there",
		     err->text);
}

/* ---- sections ---- */

static void read_frames(struct reading *r, Elf_Scn *scn, const GElf_Shdr *h, bool is_debug)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	struct cfi_section section = {
		.file = r->file, .offset = h->sh_offset, .address = h->sh_addr, .is_debug = is_debug
	};
	struct error *err;

	if (h->sh_flags & SHF_COMPRESSED) {
		if (elf_compress(scn, 0, 0) < 0)
			return;
		data = elf_getdata(scn, NULL);
	}
	if (!data || !data->d_buf)
		return;
	section.data = data->d_buf;
	section.size = data->d_size;
	err = cfi_read(&r->table.cfi, &section);
	if (err)
		warn(r, err);
}

static void read_symbols(struct reading *r, Elf *elf, Elf_Scn *scn, const GElf_Shdr *h)
{
	struct arena *a = r->s->arena;
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		const char *name, *plain;
		GElf_Sym sym;

		if (!gelf_getsym(data, (int)i, &sym) || !symbolrank_names_place(&sym))
			continue;
		name = elf_strptr(elf, h->sh_link, sym.st_name);
		if (!name || !*name)
			continue;
		plain = arena_strndup(a, name, strcspn(name, "@"));

		struct table_symbol out = { sym.st_value, sym.st_size,
					    symbolname_shown(r->s, plain),
					    symbolrank_of(&sym, name) };

		vec_push(a, &r->table.symbols, out);
	}
}

static void read_hidden_symbols(struct reading *r, Elf_Scn *section)
{
	Elf *elf = hiddensymbols_open(r->s->arena, r->file, section);
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while (elf && (scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			read_symbols(r, elf, scn, &h);
	elf_end(elf); /* names have been copied */
}

static void read_sections(struct reading *r, Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return;
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h) || h.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, h.sh_name);
		if (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM)
			read_symbols(r, elf, scn, &h);
		else if (name && !strcmp(name, ".gnu_debugdata"))
			read_hidden_symbols(r, scn);
		else if (r->s->options->stack == STACK_FP)
			continue;
		else if (name && !strcmp(name, ".eh_frame"))
			read_frames(r, scn, &h, false);
		else if (name && !strcmp(name, ".debug_frame"))
			read_frames(r, scn, &h, true);
	}
}

/* Adds frames and functions of a Go program that lacks debuginfo, or symbols. */
static void read_go(struct reading *r, Elf *elf, uint64_t entry)
{
	bool is_complete = r->table.symbols.count && r->table.cfi.functions.count;
	struct gotable t;

	if (!is_complete && gosection_find(elf, entry, &t))
		gotable_add(&t, &r->table, r->s->options->stack != STACK_FP);
}

/* ---- debuginfo ---- */

static void add_line(void *ctx, uint64_t address, const char *file, unsigned line)
{
	struct reading *r = ctx;
	struct table_line out = { address, file, line, (unsigned)r->table.lines.count };

	if (file || !line)
		vec_push(r->s->arena, &r->table.lines, out);
}

static void read_debuginfo(struct reading *r, Elf *own, bool with_lines)
{
	struct dwarf_file *f;
	Elf *elf;

	if (dwarf_open(r->s, r->file, &f))
		return;
	elf = dwarf_debug_elf(f);
	if (elf && elf != own && gelf_getclass(elf) == ELFCLASS64) {
		r->file = arena_printf(r->s->arena, "debuginfo of %s", r->file);
		read_sections(r, elf);
	}
	if (with_lines)
		dwarf_rows(r->s, f, add_line, r);
}

/* ---- the file ---- */

/* Reads the build-id from the vdso's own notes; for files executable.c has read it. */
static void read_build_id(struct session *s, struct unwind_module *m, const GElf_Phdr *p, Elf *elf)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, (int64_t)p->p_offset, p->p_filesz, ELF_T_NHDR);
	size_t at = 0, name, desc, next;
	GElf_Nhdr note;
	uint8_t *id;

	while (data && (next = gelf_getnote(data, at, &note, &name, &desc)) > 0) {
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    !memcmp((char *)data->d_buf + name, "GNU", 4)) {
			m->id = id = arena_alloc(s->arena, note.n_descsz);
			memcpy(id, (char *)data->d_buf + desc, note.n_descsz);
			m->id_size = note.n_descsz;
			m->id_address = p->p_vaddr + desc;
		}
		at = next;
	}
}

static struct error *read_segments(struct session *s, struct unwind_module *m, const char *file,
				   Elf *elf)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s", file, elf_errmsg(-1));
	m->base = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p))
			continue;
		if (p.p_type == PT_NOTE && !m->program)
			read_build_id(s, m, &p, elf);
		if (p.p_type != PT_LOAD)
			continue;

		struct executable_segment segment = { p.p_vaddr, p.p_offset, p.p_filesz,
						      p.p_flags & PF_X };

		vec_push(s->arena, &m->segments, segment);
		m->base = p.p_vaddr < m->base ? p.p_vaddr : m->base;
	}
	if (!m->segments.count)
		return error_create(s->arena, ERROR_ABSENT, "%s has no segments", file);
	return NULL;
}

static uint64_t address_of(const struct unwind_module *m, uint64_t offset)
{
	vec_each(&m->segments, i) {
		const struct executable_segment *g = &m->segments.data[i];

		if (offset >= g->offset && offset - g->offset < g->size)
			return offset - g->offset + g->address;
	}
	return 0;
}

/* ---- the cache: tables with debuginfo take long to make ---- */

#define CACHE_FORM "5" /* changes with the table's format */

/*
 * Returns NULL for a file without build-id or debuginfo, whose table is not kept.
 */
static const char *cache_name(struct session *s, const struct unwind_module *m, const char *file,
			      bool with_lines)
{
	struct dwarf_file *f;
	const char *id;

	if (!m->program || dwarf_open(s, file, &f))
		return NULL;
	id = dwarf_cache_id(s, f);
	return id ? arena_printf(s->arena, "unwind" CACHE_FORM "%s%s%s-%s",
				 with_lines ? "-lines" : "",
				 s->options->no_demangle ? "-mangled" : "",
				 s->options->stack == STACK_FP ? "-fp" : "", id)
		  : NULL;
}

bool unwind_table_cached(struct session *s, const char *name, const uint8_t **table, uint32_t *size)
{
	struct stp_program_view view;
	struct bytes b;

	if (!name || !factcache_get(s, name, &b) || b.len > UINT32_MAX ||
	    !stp_program_table_open(b.data, (uint32_t)b.len, &view))
		return false;
	*table = b.data;
	*size = (uint32_t)b.len;
	return true;
}

/* ---- the whole ---- */

static struct error *read_elf(struct session *s, struct unwind_module *m, const char *file,
			      Elf *elf, bool with_lines)
{
	struct reading r = { .s = s, .file = file };
	struct error *err = read_segments(s, m, file, elf);
	const char *name = err ? NULL : cache_name(s, m, file, with_lines);

	if (err || unwind_table_cached(s, name, &m->table, &m->table_size))
		return err;
	rules_init(&r.table.cfi, s->arena, arch_of(s)->unwind);
	r.table.base = m->base;
	read_sections(&r, elf);
	if (m->program)
		read_debuginfo(&r, elf, with_lines);
	if (m->program && m->program->is_go)
		read_go(&r, elf, m->program->entry);
	unwindtable_write(s->arena, &r.table, &m->table, &m->table_size);
	if (name && symbolname_can_demangle(s))
		factcache_put(s, name, m->table, m->table_size);
	return NULL;
}

static void take_build_id(struct unwind_module *m)
{
	if (!m->program || !m->program->id_size)
		return;
	m->id = m->program->id;
	m->id_size = m->program->id_size;
	m->id_address = address_of(m, m->program->id_offset);
}

void unwind_module_place(struct session *s, const struct executable *p, struct unwind_module *ret)
{
	*ret = (struct unwind_module){ .program = p };
	vec_each(&p->segments, i)
		vec_push(s->arena, &ret->segments, p->segments.data[i]);
	take_build_id(ret);
}

struct error *unwind_module_read(struct session *s, struct unwind_module *m, bool with_lines)
{
	const char *file = m->program ? m->program->path : "the vdso";
	_cleanup_close_ int fd = m->program ? open(file, O_RDONLY | O_CLOEXEC) : -1;
	struct error *err;
	Elf *elf;

	if (m->program && fd < 0)
		return error_errno(s->arena, "%s", file);
	elf_version(EV_CURRENT);
	elf = m->program ? elf_begin(fd, ELF_C_READ_MMAP, NULL)
			 : elf_memory((char *)m->image, m->image_size);
	if (!elf)
		return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s", file, elf_errmsg(-1));
	err = read_elf(s, m, file, elf, with_lines);
	elf_end(elf);
	if (!err)
		take_build_id(m);
	return err;
}
