/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes of markers, and the symbol tables that their operands need. */
#include <gelf.h>
#include <string.h>

#include "lib/error.h"
#include "sdt/sdt.h"

#define NOTE_OWNER "stapsdt"
#define NOTE_TYPE  3
#define MARKS_MAX  (1u << 20)

struct reading {
	struct arena *a;
	const struct bytes *elf;
	struct sdt_file *file;
	Elf *handle;
	struct bytes notes;
	bool has_base;
	uint64_t base; /* present address of .stapsdt.base */
};

static struct error *malformed(struct reading *r, uint64_t offset, const char *what)
{
	return error_create(r->a, ERROR_ENVIRONMENT, "%s: malformed at offset %#llx: %s",
			    r->elf->file, (unsigned long long)offset, what);
}

static uint64_t offset_of(const struct reading *r, const uint8_t *at)
{
	return (uint64_t)(at - r->elf->data);
}

/* ---- sections ---- */

static struct error *section_bytes(struct reading *r, const GElf_Shdr *h, struct bytes *ret)
{
	if (h->sh_offset > r->elf->len || h->sh_size > r->elf->len - h->sh_offset)
		return malformed(r, h->sh_offset, "a section reaches past the end of the file");
	*ret = (struct bytes){ r->elf->file, r->elf->data + h->sh_offset, h->sh_size };
	return NULL;
}

static struct error *see_symbols(struct reading *r, const GElf_Shdr *h)
{
	unsigned which = h->sh_type == SHT_DYNSYM;
	Elf_Scn *scn = elf_getscn(r->handle, h->sh_link);
	GElf_Shdr names;
	struct error *err;

	if (!scn || !gelf_getshdr(scn, &names) || names.sh_type != SHT_STRTAB)
		return malformed(r, h->sh_offset, "a symbol table has no names");
	err = section_bytes(r, h, &r->file->symbols[which]);
	return err ? err : section_bytes(r, &names, &r->file->names[which]);
}

static struct error *see_section(struct reading *r, const GElf_Shdr *h, const char *name)
{
	if (h->sh_type == SHT_NOBITS)
		return NULL;
	if (h->sh_type == SHT_SYMTAB || h->sh_type == SHT_DYNSYM)
		return see_symbols(r, h);
	if (!strcmp(name, ".note.stapsdt"))
		return section_bytes(r, h, &r->notes);
	if (!strcmp(name, ".stapsdt.base")) {
		r->has_base = true;
		r->base = h->sh_addr;
	}
	return NULL;
}

static struct error *see_sections(struct reading *r)
{
	struct error *err = NULL;
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(r->handle, &names))
		return malformed(r, 0, elf_errmsg(-1));
	while (!err && (scn = elf_nextscn(r->handle, scn)) != NULL) {
		GElf_Shdr h;
		const char *name;

		if (!gelf_getshdr(scn, &h))
			return malformed(r, 0, elf_errmsg(-1));
		name = elf_strptr(r->handle, names, h.sh_name);
		if (name)
			err = see_section(r, &h, name);
	}
	return err;
}

/* ---- notes ---- */

static uint64_t note_address(const struct reading *r, const uint8_t *at)
{
	uint64_t value;

	if (!r->file->is_64)
		return bytes_le32(at);
	memcpy(&value, at, sizeof(value));
	return value;
}

/* Returns the string at *at and moves *at past it; NULL if it has no end. */
static const char *read_string(struct reading *r, const uint8_t **at, const uint8_t *end)
{
	const uint8_t *begin = *at, *nul = memchr(begin, 0, (size_t)(end - begin));

	if (!nul)
		return NULL;
	*at = nul + 1;
	return arena_strndup(r->a, (const char *)begin, (size_t)(nul - begin));
}

/* Splits operands at blanks, except inside parentheses and brackets. */
static void split_arguments(struct reading *r, struct sdt_mark *m, const char *text)
{
	while (*(text += strspn(text, " \t"))) {
		const char *begin = text;
		unsigned depth = 0;

		for (; *text && (depth || (*text != ' ' && *text != '\t')); text++) {
			depth += *text == '(' || *text == '[';
			depth -= depth && (*text == ')' || *text == ']');
		}
		vec_push(r->a, &m->arguments, arena_strndup(r->a, begin, (size_t)(text - begin)));
	}
}

/*
 * True for a name of harmless characters: names end up in lists, patterns and messages.
 */
static bool is_name(const char *s)
{
	if (!s || !*s)
		return false;
	for (; *s; s++)
		if ((unsigned char)*s <= ' ' || *s == 0x7f || *s == '"' || *s == '\\')
			return false;
	return true;
}

static struct error *read_mark(struct reading *r, const uint8_t *at, const uint8_t *end)
{
	size_t word = r->file->is_64 ? 8 : 4;
	uint64_t offset = offset_of(r, at), base, moved;
	struct sdt_mark m = { 0 };
	const char *arguments;

	if ((size_t)(end - at) < 3 * word)
		return malformed(r, offset, "a marker's note is too short");
	m.pc = note_address(r, at);
	base = note_address(r, at + word);
	m.semaphore = note_address(r, at + 2 * word);
	at += 3 * word;
	m.provider = read_string(r, &at, end);
	m.name = m.provider ? read_string(r, &at, end) : NULL;
	arguments = m.name ? read_string(r, &at, end) : NULL;
	if (!arguments)
		return malformed(r, offset, "a marker's note has a string without an end");
	if (!is_name(m.provider) || !is_name(m.name))
		return malformed(r, offset,
				 "a marker's name has characters that names do not have");
	if (r->file->marks.count >= MARKS_MAX)
		return malformed(r, offset, "too many markers");

	moved = r->has_base && base ? r->base - base : 0;
	m.pc += moved;
	m.semaphore += m.semaphore ? moved : 0;
	split_arguments(r, &m, arguments);
	vec_push(r->a, &r->file->marks, m);
	return NULL;
}

static uint64_t aligned(uint64_t size)
{
	return (size + 3) & ~(uint64_t)3;
}

/*
 * Reads notes: namesz, descsz, type; name and description, each padded to 4 bytes, the
 * last perhaps not.
 */
static struct error *read_notes(struct reading *r)
{
	const uint8_t *at = r->notes.data, *end = at + r->notes.len;
	struct error *err = NULL;

	while (!err && at < end) {
		uint64_t left = (uint64_t)(end - at), name_size, size;
		const uint8_t *description;

		if (left < 12)
			return malformed(r, offset_of(r, at), "a note is cut off");
		name_size = aligned(bytes_le32(at));
		size = bytes_le32(at + 4);
		if (name_size > left - 12 || size > left - 12 - name_size)
			return malformed(r, offset_of(r, at),
					 "a note reaches past the end of its section");
		description = at + 12 + name_size;
		if (bytes_le32(at + 8) == NOTE_TYPE && bytes_le32(at) == sizeof(NOTE_OWNER) &&
		    !memcmp(at + 12, NOTE_OWNER, sizeof(NOTE_OWNER)))
			err = read_mark(r, description, description + size);
		size = aligned(size);
		at = size < (uint64_t)(end - description) ? description + size : end;
	}
	return err;
}

struct error *sdt_read(struct arena *a, const struct bytes *elf, struct sdt_file **ret)
{
	struct reading r = { .a = a, .elf = elf, .file = arena_new(a, struct sdt_file) };
	struct error *err;
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	if (elf->len < EI_NIDENT || memcmp(elf->data, ELFMAG, SELFMAG) ||
	    elf->data[EI_DATA] != ELFDATA2LSB)
		return malformed(&r, 0, "not a little-endian ELF file");
	r.handle = elf_memory((char *)elf->data, elf->len);
	if (!r.handle || !gelf_getehdr(r.handle, &header)) {
		elf_end(r.handle);
		return malformed(&r, 0, elf_errmsg(-1));
	}
	r.file->path = elf->file;
	r.file->machine = header.e_machine;
	r.file->is_64 = elf->data[EI_CLASS] == ELFCLASS64;
	err = see_sections(&r);
	elf_end(r.handle);
	if (!err && r.notes.data)
		err = read_notes(&r);
	if (!err && !r.file->marks.count)
		err = error_create(a, ERROR_ABSENT, "%s has no static markers", elf->file);
	*ret = r.file;
	return err;
}

/* ---- symbols ---- */

static bool symbol_at(const struct sdt_file *f, const struct bytes *table, size_t i, GElf_Sym *ret)
{
	Elf32_Sym small;

	if (f->is_64) {
		memcpy(ret, table->data + i * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
	} else {
		memcpy(&small, table->data + i * sizeof(small), sizeof(small));
		*ret = (GElf_Sym){ small.st_name,  small.st_info,  small.st_other,
				   small.st_shndx, small.st_value, small.st_size };
	}
	return ret->st_shndx != SHN_UNDEF && GELF_ST_TYPE(ret->st_info) <= STT_FUNC;
}

/* True: the symbol has the name; "environ@GLIBC_2.2.5" is called environ. */
static bool has_name(const struct bytes *names, uint64_t at, const char *name, size_t len)
{
	if (at >= names->len || names->len - at <= len || memcmp(names->data + at, name, len))
		return false;
	return names->data[at + len] == 0 || names->data[at + len] == '@';
}

struct error *sdt_symbol(struct arena *a, const struct sdt_file *f, const char *name, uint64_t *ret)
{
	size_t size = f->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym), len = strlen(name);
	bool found = false;

	for (unsigned which = 0; which < 2 && !found; which++) {
		for (size_t i = 0; i < f->symbols[which].len / size; i++) {
			GElf_Sym symbol;

			if (!symbol_at(f, &f->symbols[which], i, &symbol) ||
			    !has_name(&f->names[which], symbol.st_name, name, len))
				continue;
			if (found && *ret != symbol.st_value)
				return error_create(a, ERROR_ENVIRONMENT,
						    "there are several '%s' in %s", name, f->path);
			found = true;
			*ret = symbol.st_value;
		}
	}
	return found ? NULL
		     : error_create(a, ERROR_ABSENT, "the symbol table of %s has no '%s'", f->path,
				    name);
}
