/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See modinfo.h. */
#include "staprun/modinfo.h"

#include <elf.h>
#include <string.h>

static bool is_within(const struct image *i, uint64_t at, uint64_t size)
{
	return at <= i->size && size <= i->size - at;
}

static bool copy_at(const struct image *i, uint64_t at, void *buf, size_t size)
{
	if (!is_within(i, at, size))
		return false;
	memcpy(buf, i->data + at, size);
	return true;
}

static bool copy_header(const struct image *i, Elf64_Ehdr *e)
{
	return copy_at(i, 0, e, sizeof(*e)) && !memcmp(e->e_ident, ELFMAG, SELFMAG) &&
	       e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_type == ET_REL &&
	       e->e_shentsize == sizeof(Elf64_Shdr);
}

static bool copy_section(const struct image *i, const Elf64_Ehdr *e, unsigned n, Elf64_Shdr *ret)
{
	return n < e->e_shnum && e->e_shoff <= i->size &&
	       copy_at(i, e->e_shoff + n * sizeof(*ret), ret, sizeof(*ret));
}

static bool is_named(const struct image *i, const Elf64_Shdr *names, const Elf64_Shdr *s,
		     const char *name)
{
	size_t len = strlen(name) + 1;

	return is_within(i, names->sh_offset, names->sh_size) && s->sh_name <= names->sh_size &&
	       names->sh_size - s->sh_name >= len &&
	       !memcmp(i->data + names->sh_offset + s->sh_name, name, len);
}

const char *modinfo_find_section(const struct image *i, const char *name,
				 struct modinfo_section *ret)
{
	Elf64_Shdr names, s;
	Elf64_Ehdr e;

	if (!copy_header(i, &e) || !copy_section(i, &e, e.e_shstrndx, &names))
		return "not a kernel module of this architecture";
	for (unsigned n = 0; n < e.e_shnum; n++) {
		if (!copy_section(i, &e, n, &s))
			return "the file ends inside its section table";
		if (!is_named(i, &names, &s, name))
			continue;
		if (s.sh_type == SHT_NOBITS || !is_within(i, s.sh_offset, s.sh_size))
			return "the file ends inside one of its sections";
		*ret = (struct modinfo_section){ i->data + s.sh_offset, s.sh_size };
		return NULL;
	}
	return "not a kernel module: it lacks a section that all have";
}

const char *modinfo_read(const struct image *i, struct modinfo *ret)
{
	struct modinfo_section s;
	const char *wrong = modinfo_find_section(i, ".modinfo", &s);

	if (wrong)
		return wrong;
	if (s.size > MODINFO_MAX - 2)
		return "its .modinfo is too large";
	memset(ret->text, 0, sizeof(ret->text));
	memcpy(ret->text, s.data, s.size);
	ret->len = s.size;
	return NULL;
}

const char *modinfo_next(const struct modinfo *m, const char *key, const char *prev)
{
	const char *end = m->text + m->len, *s = prev ? prev + strlen(prev) + 1 : m->text;
	size_t len = strlen(key);

	for (; s < end; s += strlen(s) + 1) {
		if (!strncmp(s, key, len) && s[len] == '=')
			return s + len + 1;
	}
	return NULL;
}
