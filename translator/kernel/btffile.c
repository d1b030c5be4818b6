/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that hold BTF: the table itself, as a copy of /sys/kernel/btf/vmlinux is, an ELF
 * file with a section .BTF, or the kernel's image; each may be compressed. --btf
 * names one, or a directory like /sys/kernel/btf that also has the tables of modules. A
 * table does not name its kernel: signs that it belongs to another kernel than the target
 * are checked here and, when a module has been built, in build/build.c.
 */
#include <dirent.h>
#include <elf.h>
#include <string.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "base/options.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "lib/cleanup.h"
#include "lib/digest.h"
#include "lib/path.h"

static bool is_elf(const struct bytes *b)
{
	return b->len >= SELFMAG && !memcmp(b->data, ELFMAG, SELFMAG);
}

/* Returns the unpacked kernel, or the table, that the file holds. */
static struct error *open_file(struct session *s, const char *path, struct bytes *ret)
{
	struct bytes file;
	struct error *err = file_map(s->arena, path, &file);

	if (!err && vmlinux_is_packed(s, &file))
		err = vmlinux_payload(s, &file, &file);
	return err ? err : unpack(s->arena, &file, ret);
}

struct error *btffile_read(struct session *s, const char *path, struct bytes *ret)
{
	struct bytes file;
	struct error *err = open_file(s, path, &file);

	if (!err && (is_elf(&file) || vmlinux_is_packed(s, &file)))
		err = vmlinux_part(s, &file, ".BTF", &file);
	if (!err)
		*ret = file;
	return err;
}

/* ---- --btf ---- */

static bool is_directory(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static struct error *check_machine(struct session *s, const struct bytes *elf)
{
	unsigned machine = elf->data[offsetof(Elf64_Ehdr, e_machine)] |
			   elf->data[offsetof(Elf64_Ehdr, e_machine) + 1] << 8;

	if (machine == arch_of(s)->machine->elf)
		return NULL;
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "%s: of another machine: the ELF machine at offset %#zx is %u, not %u",
			    elf->file, offsetof(Elf64_Ehdr, e_machine), machine,
			    arch_of(s)->machine->elf);
}

/* Compares the release in the kernel's banner, "Linux version 6.1.0 (…". */
static struct error *check_release(struct session *s, const struct bytes *elf)
{
	static const char banner[] = "Linux version ";
	const size_t skip = sizeof(banner) - 1;
	const char *wanted = s->kernel->release;
	struct bytes text;

	if (elf_section(s->arena, elf, ".rodata", &text))
		return NULL;

	const uint8_t *at = memmem(text.data, text.len, banner, skip);
	size_t left = at ? text.len - (size_t)(at + skip - text.data) : 0;
	const uint8_t *end = at ? memchr(at + skip, ' ', left < 100 ? left : 100) : NULL;

	if (!end || at[skip] == '%' ||
	    ((size_t)(end - at) == skip + strlen(wanted) &&
	     !memcmp(at + skip, wanted, strlen(wanted))))
		return NULL;
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "%s: of another kernel: its release at offset %#zx is %.*s, not %s",
			    elf->file, (size_t)(at + skip - elf->data), (int)(end - at - skip),
			    (const char *)at + skip, wanted);
}

static struct error *read_given(struct session *s, const char *path, struct bytes *ret)
{
	struct bytes file;
	struct error *err = open_file(s, path, &file);

	if (err)
		return err;
	if (!is_elf(&file)) {
		*ret = file;
		return NULL;
	}
	err = elf_section(s->arena, &file, ".BTF", ret);
	if (!err)
		err = check_machine(s, &file);
	return err ? err : check_release(s, &file);
}

struct error *btffile_given(struct session *s, struct bytes *ret)
{
	const char *path = s->options->btf;
	struct error *err;

	if (is_directory(path))
		path = arena_printf(s->arena, "%s/vmlinux", path);
	err = read_given(s, path, ret);
	if (err)
		return error_create(s->arena, ERROR_ENVIRONMENT, "--btf: %s", err->text);
	return NULL;
}

static bool has_member(struct btf *b, const char *type, const char *name)
{
	uint32_t id = btf_find_type(b, type, 1u << BTF_KIND_STRUCT);
	const struct btf_type *t = btf_type(b, id);
	const struct btf_member *m = t ? btf_tail(t) : NULL;

	for (unsigned i = 0; t && i < btf_vlen_of(t); i++)
		if (!strcmp(btf_string(b, m[i].name_off), name))
			return true;
	return false;
}

struct error *btffile_check(struct session *s, const char *file, struct btf *b)
{
	const char *own = arch_of(s)->machine->own_member, *wrong = NULL;

	if (!btf_find_type(b, "module", 1u << BTF_KIND_STRUCT))
		wrong = "of no kernel: it has no struct module";
	else if (!has_member(b, "pt_regs", own))
		wrong = arena_printf(
			s->arena, "of another machine's kernel: its struct pt_regs has no %s", own);
	return wrong ? error_create(s->arena, ERROR_ENVIRONMENT, "--btf: %s: %s", file, wrong)
		     : NULL;
}

const char *kernel_btf_digest(struct session *s)
{
	struct facts *f = session_facts(s);
	const struct bytes *b = &f->btf_bytes;

	if (!s->options->btf)
		return "";
	if (!f->btf_digest)
		f->btf_digest = digest_hex(s->arena, (const char *)b->data, b->len);
	return f->btf_digest;
}

/* ---- tables of modules ---- */

const char *btffile_of_module(struct session *s, const char *name)
{
	const char *dir = s->options->btf, *path;

	if (!dir || !is_directory(dir))
		return NULL;
	path = arena_printf(s->arena, "%s/%s", dir, name);
	return path_exists(path) ? path : NULL;
}

void btffile_each_module(struct session *s, void (*callback)(struct session *s, const char *name))
{
	_cleanup_closedir_ DIR *d = s->options->btf ? opendir(s->options->btf) : NULL;

	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "vmlinux"))
			callback(s, arena_strdup(s->arena, e->d_name));
}
