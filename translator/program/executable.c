/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads ELF files and checks them with libelf. Returned names and bytes are in the mapped
 * file, which stays mapped.
 */
#include "program/executable.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/session.h"
#include "formats/file.h"
#include "formats/gosection.h"
#include "formats/hiddensymbols.h"
#include "kernel/kernel.h"
#include "lib/cleanup.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/path.h"

static struct error *malformed(struct session *s, const struct executable *p, const char *what)
{
	return error_create(s->arena, ERROR_ENVIRONMENT, "%s: malformed ELF file: %s: %s", p->path,
			    what, elf_errmsg(-1));
}

/* ---- contents ---- */

static struct error *read_segments(struct session *s, struct executable *p, Elf *elf)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return malformed(s, p, "program headers");
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr h;

		if (!gelf_getphdr(elf, (int)i, &h))
			return malformed(s, p, "program headers");
		if (h.p_type == PT_GNU_EH_FRAME)
			p->unwind_index = h.p_vaddr;
		if (h.p_type != PT_LOAD)
			continue;

		struct executable_segment segment = { h.p_vaddr, h.p_offset, h.p_filesz,
						      h.p_flags & PF_X };

		vec_push(s->arena, &p->segments, segment);
	}
	return NULL;
}

static bool is_function(const GElf_Sym *sym)
{
	int type = GELF_ST_TYPE(sym->st_info);

	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_shndx != SHN_UNDEF;
}

/* Functions that continue on another stack, or prepare one. */
static const char *const switching[] = {
	"swapcontext", "makecontext", "setcontext", "jump_fcontext", "co_switch",
};

/* True: the symbol has that name, perhaps with a version behind. */
static bool is_symbol_of(const char *symbol, const char *name)
{
	size_t len = strcspn(symbol, "@");

	return len == strlen(name) && !strncmp(symbol, name, len);
}

static void note_switching(struct executable *p, const char *name)
{
	for (size_t i = 0; i < sizeof(switching) / sizeof(switching[0]) && !p->switching; i++)
		if (is_symbol_of(name, switching[i]))
			p->switching = switching[i];
}

/*
 * Finds such a function in the file itself: programs that are linked statically hold it.
 * The C library contains such functions as well, but only offers them; it is recognised
 * by needing another file.
 */
static void note_own_switching(struct executable *p)
{
	for (size_t i = 0; i < p->symbols.count && !p->needed.count; i++)
		note_switching(p, p->symbols.data[i].name);
}

/* Notes functions that only code with exceptions of C++ or panics of Rust needs. */
static void note_throwing(struct executable *p, const char *name)
{
	static const char *const needed[] = {
		"__cxa_throw",
		"__gxx_personality_v0",
		"rust_eh_personality",
	};

	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		p->throws |= is_symbol_of(name, needed[i]);
}

/* Notes where Go's code is in a Go program, which may also contain C. */
static void note_go(struct executable *p, const char *name, uint64_t address)
{
	if (name && !strcmp(name, "runtime.text"))
		p->go_begin = address;
	else if (name && !strcmp(name, "runtime.etext"))
		p->go_end = address;
}

static void add_symbols(struct session *s, struct executable *p, Elf *elf, Elf_Scn *scn,
			const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t n = data && h->sh_entsize ? h->sh_size / h->sh_entsize : 0;

	for (size_t i = 0; i < n && i < INT_MAX; i++) {
		struct executable_symbol symbol = { 0 };
		GElf_Sym sym;
		uint64_t offset;

		if (!gelf_getsym(data, (int)i, &sym))
			continue;
		symbol.name = elf_strptr(elf, h->sh_link, sym.st_name);
		symbol.is_exported = GELF_ST_BIND(sym.st_info) != STB_LOCAL;
		if (symbol.name && sym.st_shndx == SHN_UNDEF)
			note_switching(p, symbol.name);
		if (symbol.name)
			note_throwing(p, symbol.name);
		if (!is_function(&sym))
			continue;
		note_go(p, symbol.name, sym.st_value);
		symbol.resolver_size =
			GELF_ST_TYPE(sym.st_info) == STT_GNU_IFUNC ? sym.st_size + !sym.st_size : 0;
		symbol.address = sym.st_value;
		symbol.size = sym.st_size;
		if (!symbol.name || !*symbol.name ||
		    !executable_code_offset(p, symbol.address, &offset))
			continue;
		symbol.name = arena_strndup(s->arena, symbol.name,
					    strcspn(symbol.name, "@")); /* "name@VERSION" */
		vec_push(s->arena, &p->symbols, symbol);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct executable_symbol *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (order)
		return order;
	return x->address != y->address ? (x->address < y->address ? -1 : 1)
					: y->is_exported - x->is_exported;
}

/* Sorts the symbols; a symbol that is in both tables is kept once. */
static void sort_symbols(struct executable *p)
{
	size_t kept = 0;

	if (!p->symbols.count)
		return;
	vec_sort(&p->symbols, by_name);
	for (size_t i = 1; i < p->symbols.count; i++) {
		struct executable_symbol *last = &p->symbols.data[kept], *sym = &p->symbols.data[i];

		if (last->address != sym->address || strcmp(last->name, sym->name))
			p->symbols.data[++kept] = *sym;
	}
	p->symbols.count = kept + 1;
}

/* Adds the symbols of .gnu_debugdata. */
static void add_hidden_symbols(struct session *s, struct executable *p, Elf_Scn *section)
{
	Elf *elf = hiddensymbols_open(s->arena, p->path, section);
	Elf_Scn *scn = NULL;
	GElf_Shdr h;

	while (elf && (scn = elf_nextscn(elf, scn)) != NULL)
		if (gelf_getshdr(scn, &h) && h.sh_type == SHT_SYMTAB)
			add_symbols(s, p, elf, scn, &h);
	elf_end(elf);
}

/*
 * Adds the functions of a stripped Go program, by the table that Go's own stack traces
 * use.
 */
static void add_go_functions(struct session *s, struct executable *p, Elf *elf)
{
	struct gotable t;
	struct gotable_function f;

	if (p->go_end || !gosection_find(elf, p->entry, &t))
		return;
	for (uint64_t i = 0; i < t.number; i++) {
		uint64_t offset;

		if (!gotable_function(&t, i, &f) || !executable_code_offset(p, f.begin, &offset))
			continue;

		struct executable_symbol symbol = { arena_strdup(s->arena, f.name), f.begin, true,
						    0, f.end - f.begin };

		vec_push(s->arena, &p->symbols, symbol);
		p->go_begin = p->go_begin ? p->go_begin : f.begin;
		p->go_end = f.end;
	}
}

#define NOTE_HEADER  16 /* sizes, type, "GNU" */
#define BUILD_ID_MAX 64

static void read_build_id(struct session *s, struct executable *p, Elf_Scn *scn, const GElf_Shdr *h)
{
	Elf_Data *data = elf_rawdata(scn, NULL);
	uint8_t *id;

	if (!data || !data->d_buf || data->d_size <= NOTE_HEADER ||
	    data->d_size > NOTE_HEADER + BUILD_ID_MAX)
		return;
	p->id_size = data->d_size - NOTE_HEADER;
	p->id_offset = h->sh_offset + NOTE_HEADER;
	p->id = id = arena_alloc(s->arena, p->id_size);
	memcpy(id, (const uint8_t *)data->d_buf + NOTE_HEADER, p->id_size);
}

/*
 * Reads the names of the libraries that it is linked with, and the directories to search
 * for them.
 */
static void read_dynamic(struct session *s, struct executable *p, Elf *elf, Elf_Scn *scn,
			 const GElf_Shdr *h)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	GElf_Dyn d;

	for (int i = 0; data && gelf_getdyn(data, i, &d) && d.d_tag != DT_NULL; i++) {
		bool is_name = d.d_tag == DT_NEEDED || d.d_tag == DT_RUNPATH || d.d_tag == DT_RPATH;
		const char *text = is_name ? elf_strptr(elf, h->sh_link, d.d_un.d_val) : NULL;

		if (!text)
			continue;
		text = arena_strdup(s->arena, text);
		if (d.d_tag == DT_NEEDED)
			vec_push(s->arena, &p->needed, text);
		else
			p->run_path = text;
	}
}

static struct error *read_sections(struct session *s, struct executable *p, Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return malformed(s, p, "section names");
	while ((scn = elf_nextscn(elf, scn)) != NULL) {
		const char *name;
		GElf_Shdr h;

		if (!gelf_getshdr(scn, &h))
			return malformed(s, p, "section headers");
		name = elf_strptr(elf, names, h.sh_name);
		p->is_go |=
			name && (!strcmp(name, ".go.buildinfo") || !strcmp(name, ".gopclntab") ||
				 !strcmp(name, ".note.go.buildid"));
		if (name && !strcmp(name, ".note.gnu.build-id"))
			read_build_id(s, p, scn, &h);
		if (name && !strcmp(name, ".gnu_debugdata"))
			add_hidden_symbols(s, p, scn);
		if (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM)
			add_symbols(s, p, elf, scn, &h);
		else if (h.sh_type == SHT_DYNAMIC)
			read_dynamic(s, p, elf, scn, &h);
	}
	if (p->is_go && !p->is_32)
		add_go_functions(s, p, elf);
	sort_symbols(p);
	note_own_switching(p);
	return NULL;
}

static struct error *read_elf(struct session *s, struct executable *p, Elf *elf)
{
	GElf_Ehdr h;
	struct error *err;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &h))
		return error_create(s->arena, ERROR_SCRIPT,
				    "%s is not an ELF file: only a script's interpreter, or "
				    "the program itself, can be probed",
				    p->path);
	if (h.e_type != ET_EXEC && h.e_type != ET_DYN)
		return error_create(s->arena, ERROR_SCRIPT,
				    "%s is neither a program nor a shared library", p->path);
	if (arch_of_machine(h.e_machine) != arch_of(s))
		return error_create(s->arena, ERROR_SCRIPT, "%s is a program for another processor",
				    p->path);
	p->is_32 = h.e_machine == arch_of(s)->machine->elf_32;
	p->is_movable = h.e_type == ET_DYN;
	p->entry = h.e_entry;
	err = read_segments(s, p, elf);
	return err ? err : read_sections(s, p, elf);
}

const char *executable_tree(const struct session *s)
{
	return arch_is_foreign(s) && s->kernel ? s->kernel->root : "";
}

const char *executable_seen(const struct session *s, const char *path)
{
	const char *tree = executable_tree(s);
	size_t len = strlen(tree);

	return len && !strncmp(path, tree, len) && path[len] == '/' ? path + len : path;
}

static struct error *read_file(struct session *s, const char *path, struct executable **ret)
{
	struct executable *p = arena_new(s->arena, struct executable);
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct error *err;
	struct stat st;
	Elf *elf;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(s->arena, "%s", path);
	p->path = path;
	p->seen = executable_seen(s, path);
	p->root = "";
	p->size = (uint64_t)st.st_size;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	err = read_elf(s, p, elf);
	elf_end(elf); /* names have been copied */
	*ret = p;
	return err;
}

struct error *executable_read(struct session *s, const char *path, struct executable **ret)
{
	struct hashmap *known = hashmap_made(&s->executables, s->arena);
	struct error *err;

	*ret = hashmap_get(known, path);
	if (*ret)
		return NULL;
	err = read_file(s, path, ret);
	if (!err)
		hashmap_put(known, path, *ret);
	return err;
}

/* ---- queries ---- */

static bool offset_in(const struct executable *p, bool code_only, uint64_t address,
		      uint64_t *offset)
{
	vec_each(&p->segments, i) {
		const struct executable_segment *g = &p->segments.data[i];

		if ((g->is_code || !code_only) && address >= g->address &&
		    address - g->address < g->size) {
			*offset = address - g->address + g->offset;
			return true;
		}
	}
	return false;
}

bool executable_code_offset(const struct executable *p, uint64_t address, uint64_t *offset)
{
	return offset_in(p, true, address, offset);
}

const char *executable_function_at(const struct executable *p, uint64_t address)
{
	const struct executable_symbol *last = NULL;

	vec_each(&p->symbols, i) {
		const struct executable_symbol *symbol = &p->symbols.data[i];

		if (symbol->address <= address && (!last || symbol->address > last->address))
			last = symbol;
	}
	return last ? last->name : NULL;
}

const uint8_t *executable_code(struct session *s, struct executable *p, uint64_t address,
			       size_t *left)
{
	uint64_t offset;

	if (!p->code) {
		struct bytes *file = arena_new(s->arena, struct bytes);

		if (file_map(s->arena, p->path, file))
			*file = (struct bytes){ 0 };
		p->code = file;
	}
	if (!executable_code_offset(p, address, &offset) || offset >= p->code->len)
		return NULL;
	*left = p->code->len - offset;
	return p->code->data + offset;
}

bool executable_address(const struct executable *p, uint64_t offset, uint64_t *address)
{
	vec_each(&p->segments, i) {
		const struct executable_segment *g = &p->segments.data[i];

		if (g->is_code && offset >= g->offset && offset - g->offset < g->size) {
			*address = offset - g->offset + g->address;
			return true;
		}
	}
	return false;
}

bool executable_offset(const struct executable *p, uint64_t address, uint64_t *offset)
{
	return offset_in(p, false, address, offset);
}

const char *executable_near(struct session *s, const struct executable *p, const char *name)
{
	VEC(const char *) names = { 0 };

	vec_each(&p->symbols, i)
		vec_push(s->arena, &names, p->symbols.data[i].name);
	return names.count ? diag_near(s, name, names.data, names.count) : NULL;
}
