/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places of a file's thread-local variables in threads. A program's block is at the
 * thread pointer. A library's block may be anywhere: the library itself finds it by words
 * that the dynamic linker fills in, with the block's number among the thread's blocks,
 * with the distance of one of its variables from the thread pointer, or with a descriptor
 * for either.
 */
#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "program/executable.h"

struct reader {
	const struct arch_programs *arch;
	bool is_program, has_block;
	uint64_t size, align;
	struct thread_block found;
};

static bool is_own_symbol(const GElf_Sym *sym)
{
	return sym->st_shndx != SHN_UNDEF || !sym->st_name;
}

/*
 * Prefers numbers, which need the fewest steps, then descriptors, then distances, which
 * libraries use that are always loaded.
 */
static void read_relocation(struct reader *r, const GElf_Rela *rela, const GElf_Sym *sym)
{
	static const int rank[] = {
		[THREAD_BLOCK_DISTANCE] = 1,
		[THREAD_BLOCK_DESCRIPTOR] = 2,
		[THREAD_BLOCK_NUMBER] = 3,
	};
	uint64_t type = GELF_R_TYPE(rela->r_info);
	int kind = type == r->arch->tls_module	     ? THREAD_BLOCK_NUMBER
		   : type == r->arch->tls_descriptor ? THREAD_BLOCK_DESCRIPTOR
		   : type == r->arch->tls_distance   ? THREAD_BLOCK_DISTANCE
						     : 0;

	if (!kind || !is_own_symbol(sym) || rank[kind] <= rank[r->found.kind])
		return;
	r->found.kind = kind;
	r->found.word = rela->r_offset;
	r->found.distance = (int64_t)(sym->st_value + (uint64_t)rela->r_addend);
}

static void read_relocations(struct reader *r, Elf *elf, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Scn *table = elf_getscn(elf, h->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = table ? elf_getdata(table, NULL) : NULL;
	size_t n = data && symbols && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		GElf_Rela rela;
		GElf_Sym sym;

		if (gelf_getrela(data, (int)i, &rela) &&
		    gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym))
			read_relocation(r, &rela, &sym);
	}
}

static void read_dynamic(struct reader *r, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Dyn d;

	for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++)
		r->is_program |= d.d_tag == DT_FLAGS_1 && d.d_un.d_val & DF_1_PIE;
}

static void read_sections(struct reader *r, Elf *elf)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h))
			return;
		if (h.sh_type == SHT_RELA)
			read_relocations(r, elf, scn, &h);
		else if (h.sh_type == SHT_DYNAMIC)
			read_dynamic(r, scn);
	}
}

static void read_segment(struct reader *r, Elf *elf)
{
	size_t n;
	GElf_Phdr h;

	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, (int)i, &h) || h.p_type != PT_TLS)
			continue;
		r->has_block = true;
		r->size = h.p_memsz;
		r->align = h.p_align && !(h.p_align & (h.p_align - 1)) ? h.p_align : 1;
	}
}

struct error *threads_of(struct session *s, const struct executable *p, struct thread_block *ret)
{
	struct reader r = { .arch = arch_of(s)->programs, .is_program = !p->is_movable };
	_cleanup_close_ int fd = open(p->path, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	if (fd < 0)
		return error_errno(s->arena, "%s", p->path);
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf) {
		read_segment(&r, elf);
		read_sections(&r, elf);
	}
	elf_end(elf);
	if (r.is_program)
		r.found = (struct thread_block){ .kind = THREAD_BLOCK_BELOW,
						 .distance = r.arch->tls_block(r.size, r.align) };
	*ret = r.found;
	if (p->is_32 || !r.has_block || !r.found.kind)
		return error_create(
			s->arena, ERROR_ABSENT,
			"it is thread-local, and %s does not show where threads have it", p->path);
	return NULL;
}
