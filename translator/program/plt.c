/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code shows through which word a slot jumps, in any section that the linker chose
 * (.plt, .plt.sec for lazy binding, .plt.got for functions bound at start): this does not
 * depend on a linker's layout.
 */
#include "program/plt.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "program/executable.h"

#define SLOT_STEP 8 /* slots begin at multiples of it */

/* A word that the dynamic linker fills with a function's address. */
struct word {
	uint64_t address;
	const char *name;
	bool is_spare;
};

struct reader {
	struct session *s;
	const struct executable *p;
	const struct arch_plt *arch;
	Elf *elf;
	size_t names;		/* section of section names */
	VEC(struct word) words; /* by address */
	uint64_t got;		/* DT_PLTGOT */
	plt_slots *ret;
};

static struct error *malformed(const struct reader *r, const char *what)
{
	return error_create(r->s->arena, ERROR_ENVIRONMENT, "%s: malformed ELF file: %s: %s",
			    r->p->path, what, elf_errmsg(-1));
}

/* ---- words ---- */

static bool is_function_word(const struct reader *r, uint64_t type)
{
	return type == r->arch->jump_slot || type == r->arch->bound_at_start;
}

static bool is_bound_at_start(const struct reader *r, uint64_t type)
{
	return type == r->arch->bound_at_start;
}

static bool read_relocation(Elf_Data *data, bool has_addend, int i, GElf_Rela *ret)
{
	GElf_Rel rel;

	if (has_addend)
		return gelf_getrela(data, i, ret);
	if (!gelf_getrel(data, i, &rel))
		return false;
	*ret = (GElf_Rela){ .r_offset = rel.r_offset, .r_info = rel.r_info };
	return true;
}

static void add_words(struct reader *r, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Scn *table = elf_getscn(r->elf, h->sh_link);
	Elf_Data *data = elf_getdata(scn, NULL), *symbols = table ? elf_getdata(table, NULL) : NULL;
	size_t n = data && symbols && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;
	GElf_Shdr strings;

	if (!n || !gelf_getshdr(table, &strings))
		return;
	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		struct word w;
		GElf_Rela rela;
		GElf_Sym sym;

		if (!read_relocation(data, h->sh_type == SHT_RELA, (int)i, &rela) ||
		    !is_function_word(r, GELF_R_TYPE(rela.r_info)) ||
		    !gelf_getsym(symbols, (int)GELF_R_SYM(rela.r_info), &sym))
			continue;
		w.address = rela.r_offset;
		w.name = elf_strptr(r->elf, strings.sh_link, sym.st_name);
		w.is_spare = GELF_ST_BIND(sym.st_info) == STB_WEAK &&
			     is_bound_at_start(r, GELF_R_TYPE(rela.r_info));
		if (w.name && *w.name)
			vec_push(r->s->arena, &r->words, w);
	}
}

static void read_dynamic(struct reader *r, Elf_Scn *scn)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Dyn d;

	for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++)
		if (d.d_tag == DT_PLTGOT)
			r->got = d.d_un.d_ptr;
}

static int word_order(const void *a, const void *b)
{
	const struct word *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* ---- slots ---- */

static void add_slots(struct reader *r, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	const uint8_t *code = data ? data->d_buf : NULL;

	for (size_t at = 0; code && at < data->d_size; at += SLOT_STEP) {
		struct plt_slot slot = { .address = h->sh_addr + at };
		struct word key = { .address = r->arch->word(code + at, data->d_size - at,
							     slot.address, r->got) };
		const struct word *w = key.address && r->words.count
					       ? bsearch(&key, r->words.data, r->words.count,
							 sizeof(key), word_order)
					       : NULL;
		uint64_t offset;

		if (!w || !executable_code_offset(r->p, slot.address, &offset))
			continue;
		slot.is_spare = w->is_spare;
		slot.name = arena_strndup(r->s->arena, w->name,
					  strcspn(w->name, "@")); /* "name@VERSION" */
		vec_push(r->s->arena, r->ret, slot);
	}
}

static int slot_order(const void *a, const void *b)
{
	const struct plt_slot *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->address > y->address) - (x->address < y->address);
}

/* ---- the file ---- */

static struct error *each_section(struct reader *r,
				  void (*see)(struct reader *r, Elf_Scn *scn, const GElf_Shdr *h,
					      const char *name))
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(r->elf, scn)) != NULL) {
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h))
			return malformed(r, "section headers");
		see(r, scn, &h, elf_strptr(r->elf, r->names, h.sh_name));
	}
	return NULL;
}

static void see_words(struct reader *r, Elf_Scn *scn, const GElf_Shdr *h, const char *name)
{
	(void)name;
	if (h->sh_type == SHT_RELA || h->sh_type == SHT_REL)
		add_words(r, scn, h);
	else if (h->sh_type == SHT_DYNAMIC)
		read_dynamic(r, scn);
}

static void see_slots(struct reader *r, Elf_Scn *scn, const GElf_Shdr *h, const char *name)
{
	if (name && !strncmp(name, ".plt", 4) && h->sh_type == SHT_PROGBITS &&
	    (h->sh_flags & SHF_EXECINSTR))
		add_slots(r, scn, h);
}

static struct error *read_all(struct reader *r)
{
	struct error *err;

	if (!r->elf || elf_getshdrstrndx(r->elf, &r->names))
		return malformed(r, "section names");
	err = each_section(r, see_words);
	if (err || !r->words.count)
		return err;
	vec_sort(&r->words, word_order);
	err = each_section(r, see_slots);
	if (r->ret->count)
		vec_sort(r->ret, slot_order);
	return err;
}

struct error *plt_read(struct session *s, const struct executable *p, plt_slots *ret)
{
	struct reader r = { .s = s, .p = p, .ret = ret };
	const struct arch_programs *arch = arch_of(s)->programs;
	_cleanup_close_ int fd = open(p->path, O_RDONLY | O_CLOEXEC);
	struct error *err;

	if (fd < 0)
		return error_errno(s->arena, "%s", p->path);
	r.arch = p->is_32 ? arch->plt_32 : arch->plt;
	elf_version(EV_CURRENT);
	r.elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	err = read_all(&r);
	elf_end(r.elf); /* names have been copied */
	return err;
}
