/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See modinfo.h. */
#include "staprun/modinfo.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool read_at(int fd, uint64_t at, void *buf, size_t size)
{
	if (at > INT64_MAX - size)
		return false;
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(fd, (char *)buf + done, size - done, (off_t)(at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		done += (size_t)n;
	}
	return true;
}

static bool read_section(int fd, const Elf64_Ehdr *e, unsigned n, Elf64_Shdr *ret)
{
	return n < e->e_shnum && e->e_shoff < INT64_MAX / 2 &&
	       read_at(fd, e->e_shoff + n * sizeof(*ret), ret, sizeof(*ret));
}

static bool is_module(const Elf64_Ehdr *e)
{
	return !memcmp(e->e_ident, ELFMAG, SELFMAG) && e->e_ident[EI_CLASS] == ELFCLASS64 &&
	       e->e_type == ET_REL && e->e_shentsize == sizeof(Elf64_Shdr);
}

static bool is_named(int fd, const Elf64_Shdr *names, const Elf64_Shdr *s, const char *name)
{
	char buf[32];
	size_t len = strlen(name) + 1;

	return len <= sizeof(buf) && s->sh_name <= names->sh_size && names->sh_size - s->sh_name >= len &&
	       names->sh_offset < INT64_MAX / 2 && read_at(fd, names->sh_offset + s->sh_name, buf, len) &&
	       !memcmp(buf, name, len);
}

bool modinfo_find_section(int fd, const char *name, struct modinfo_section *ret)
{
	Elf64_Shdr names, s;
	Elf64_Ehdr e;

	if (!read_at(fd, 0, &e, sizeof(e)) || !is_module(&e) || !read_section(fd, &e, e.e_shstrndx, &names))
		return false;
	for (unsigned n = 0; n < e.e_shnum && read_section(fd, &e, n, &s); n++) {
		if (!is_named(fd, &names, &s, name))
			continue;
		*ret = (struct modinfo_section){ s.sh_offset, s.sh_size };
		return true;
	}
	return false;
}

const char *modinfo_read(int fd, struct modinfo *ret)
{
	Elf64_Shdr names, s;
	Elf64_Ehdr e;

	if (!read_at(fd, 0, &e, sizeof(e)) || !is_module(&e) || !read_section(fd, &e, e.e_shstrndx, &names))
		return "not a kernel module of this architecture";
	for (unsigned n = 0; n < e.e_shnum; n++) {
		if (!read_section(fd, &e, n, &s))
			return "the file ends inside its section table";
		if (!is_named(fd, &names, &s, ".modinfo"))
			continue;
		if (s.sh_size > MODINFO_MAX - 2)
			return "its .modinfo is too large";
		ret->len = s.sh_size;
		memset(ret->text, 0, sizeof(ret->text));
		return read_at(fd, s.sh_offset, ret->text, ret->len) ? NULL : "the file ends inside .modinfo";
	}
	return "not a kernel module: it has no .modinfo";
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
