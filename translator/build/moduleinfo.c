/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * NAME.mod.o without a compiler. modpost's C differs between scripts in two things: the
 * module's name, and the table of the kernel's symbols with their checksums. All the rest
 * is the kernel's. So the first object that the compiler made for a kernel is kept with
 * the text that it was made from, and later ones are copies with another name and another
 * table. The compiler makes the object whenever any other part of the text differs.
 *
 * The kept file: the module's name, NUL, the text without the table's rows, NUL, the
 * object.
 */
#include <stdio.h>
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "build/elf64.h"
#include "build/recipe.h"
#include "lib/arena.h"
#include "lib/path.h"
#include "lib/strbuf.h"

enum { NAME_BYTES = 56 }; /* MODULE_NAME_LEN: of the module's name, and of a symbol's */

/* A row of the table: struct modversion_info of the kernel. */
struct version {
	uint64_t crc;
	char name[NAME_BYTES];
};

struct modpost_text {
	struct strbuf rest; /* the lines that are not rows of the table */
	VEC(struct version) versions;
};

static const char *kept_path(struct build *b)
{
	return arena_printf(b->s->arena, "%s/module_info", b->kernel_dir);
}

bool moduleinfo_is_kept(struct build *b)
{
	return path_exists(kept_path(b));
}

/* ---- modpost's text ---- */

/* Reads a line `{ 0x437de621, "try_module_get" },`. False: it is another line. */
static bool read_version(const char *line, struct version *ret)
{
	char name[NAME_BYTES];
	unsigned long long crc;
	int end = 0;

	*ret = (struct version){ 0 };
	if (sscanf(line, "\t{ 0x%llx, \"%55[^\"\n]\" },%n", &crc, name, &end) != 2 || !end ||
	    line[end] != '\n')
		return false;
	ret->crc = crc;
	memcpy(ret->name, name, strlen(name));
	return true;
}

/* Reads the file NAME.mod.c. */
static bool read_text(struct build *b, struct modpost_text *ret)
{
	struct arena *a = b->s->arena;
	char *text;
	size_t len;

	*ret = (struct modpost_text){ 0 };
	strbuf_init(&ret->rest, a);
	if (path_read(a, arena_printf(a, "%s/%s.mod.c", b->work, b->name), &text, &len) ||
	    strlen(text) != len)
		return false;
	for (const char *line = text; *line;) {
		size_t size = strcspn(line, "\n");
		struct version version;

		size += line[size] == '\n';
		if (read_version(line, &version))
			vec_push(a, &ret->versions, version);
		else
			strbuf_add(&ret->rest, line, size);
		line += size;
	}
	return true;
}

/* ---- the object ---- */

/* Returns the place of the name and its NUL in the section. NULL: none, or several. */
static char *find_name(const struct elf64 *o, const Elf64_Shdr *s, const char *name)
{
	char *bytes = s ? elf64_bytes(o, s) : NULL, *end = bytes ? bytes + s->sh_size : NULL, *at;
	size_t size = strlen(name) + 1;

	at = bytes ? memmem(bytes, s->sh_size, name, size) : NULL;
	return at && !memmem(at + 1, (size_t)(end - at - 1), name, size) ? at : NULL;
}

/* Changes the member `name` of the module. */
static bool rename_module(const struct elf64 *o, const char *from, const char *to)
{
	const Elf64_Shdr *s = elf64_find(o, ".gnu.linkonce.this_module");
	char *at = find_name(o, s, from), *bytes = at ? elf64_bytes(o, s) : NULL;

	if (!at || (size_t)(at - bytes) + NAME_BYTES > s->sh_size || strlen(to) >= NAME_BYTES)
		return false;
	memset(at, 0, NAME_BYTES);
	memcpy(at, to, strlen(to));
	return true;
}

/* Changes the line name=FROM of modinfo(8); kernels from 6.13 on have it elsewhere. */
static bool rename_line(struct arena *a, struct elf64 *o, const char *from, const char *to)
{
	Elf64_Shdr *s = elf64_find(o, ".modinfo");
	char *at = find_name(o, s, from), *bytes = s ? elf64_bytes(o, s) : NULL;
	struct strbuf lines;

	if (!s || !at)
		return bytes && !memmem(bytes, s->sh_size, from, strlen(from));
	strbuf_init(&lines, a);
	strbuf_add(&lines, bytes, (size_t)(at - bytes));
	strbuf_adds(&lines, to);
	at += strlen(from);
	strbuf_add(&lines, at, s->sh_size - (size_t)(at - bytes));
	elf64_replace(a, o, (size_t)(s - o->sections), lines.s, lines.len);
	return true;
}

static bool set_versions(struct arena *a, struct elf64 *o, const struct modpost_text *text)
{
	Elf64_Shdr *s = elf64_find(o, "__versions");

	if (!s || !text->versions.count)
		return !s && !text->versions.count;
	elf64_replace(a, o, (size_t)(s - o->sections), text->versions.data,
		      text->versions.count * sizeof(struct version));
	return true;
}

/* True: the kernel's table has the form that set_versions() writes. */
static bool has_versions(const struct elf64 *o, const struct modpost_text *text)
{
	const Elf64_Shdr *s = elf64_find(o, "__versions");
	size_t size = text->versions.count * sizeof(struct version);

	if (!s)
		return !size;
	return s->sh_size == size && elf64_bytes(o, s) &&
	       !memcmp(elf64_bytes(o, s), text->versions.data, size);
}

/* Returns how often the name is in what is loaded. */
static unsigned count_name(const struct elf64 *o, const char *name)
{
	unsigned n = 0;

	for (size_t i = 0; i < o->header->e_shnum; i++) {
		const Elf64_Shdr *s = &o->sections[i];
		const char *at = s->sh_flags & SHF_ALLOC ? elf64_bytes(o, s) : NULL;
		const char *end = at ? at + s->sh_size : NULL;

		while (at && (at = memmem(at, (size_t)(end - at), name, strlen(name)))) {
			at++;
			n++;
		}
	}
	return n;
}

/* True: a copy with another name and table is the object that the compiler would make. */
static bool may_be_copied(struct build *b, const struct elf64 *o, const struct modpost_text *text)
{
	unsigned places = 1 + (find_name(o, elf64_find(o, ".modinfo"), b->name) != NULL);

	return find_name(o, elf64_find(o, ".gnu.linkonce.this_module"), b->name) &&
	       count_name(o, b->name) == places && has_versions(o, text);
}

void moduleinfo_keep(struct build *b)
{
	struct arena *a = b->s->arena;
	struct elf64 o = { .arch = arch_of(b->s) };
	struct modpost_text text;
	struct strbuf file;

	if (moduleinfo_is_kept(b) || !read_text(b, &text) ||
	    path_read(a, objects_module_info_path(b), &o.data, &o.len) || !elf64_open(&o) ||
	    !may_be_copied(b, &o, &text))
		return;
	strbuf_init(&file, a);
	strbuf_add(&file, b->name, strlen(b->name) + 1);
	strbuf_add(&file, text.rest.s, text.rest.len + 1);
	strbuf_add(&file, o.data, o.len);
	(void)path_write(a, kept_path(b), file.s, file.len); /* then the compiler is asked again */
}

/* Reads the kept file, if it is of that text. */
static bool read_kept(struct build *b, const struct modpost_text *text, const char **name,
		      struct elf64 *ret)
{
	char *file, *rest;
	size_t len, head;

	if (path_read(b->s->arena, kept_path(b), &file, &len) || strlen(file) >= len)
		return false;
	*name = file;
	rest = file + strlen(file) + 1;
	head = (size_t)(rest - file) + text->rest.len + 1;
	if (head > len || memcmp(rest, text->rest.s, text->rest.len + 1))
		return false;
	ret->len = len - head;
	ret->data = arena_alloc(b->s->arena, ret->len); /* aligned, unlike its place in the file */
	memcpy(ret->data, file + head, ret->len);
	return elf64_open(ret);
}

bool moduleinfo_copy(struct build *b)
{
	struct arena *a = b->s->arena;
	struct elf64 o = { .arch = arch_of(b->s) };
	struct modpost_text text;
	const char *name;

	return moduleinfo_is_kept(b) && read_text(b, &text) && read_kept(b, &text, &name, &o) &&
	       rename_module(&o, name, b->name) && rename_line(a, &o, name, b->name) &&
	       set_versions(a, &o, &text) &&
	       !path_write(a, objects_module_info_path(b), o.data, o.len);
}
