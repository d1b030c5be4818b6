/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens debug files: libdwfl finds separate ones and relocates those of modules. */
#include "dwarf/debugfile.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/session.h"
#include "dwarf/debugserver.h"
#include "formats/filestamp.h"
#include "formats/zstdsections.h"
#include "lib/error.h"
#include "lib/hashmap.h"
#include "lib/strbuf.h"

struct error *dwarf_failure(struct session *s, const struct dwarf_file *f)
{
	return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s", f->path, dwarf_errmsg(-1));
}

struct finding {
	Dwfl_Callbacks callbacks; /* libdwfl keeps its address */
	char *path;
};

/* A separate debug file that libdwfl has found, unpacked. */
struct separate {
	const char *path;
	int fd;
};

static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **ret)
{
	struct separate *separate = *data;

	if (!separate)
		return dwfl_standard_find_debuginfo(module, data, name, base, file, link, crc, ret);
	*ret = strdup(separate->path);
	return separate->fd;
}

static const Dwfl_Callbacks *callbacks(struct session *s)
{
	const char *path = getenv("SYSTEMTAP_DEBUGINFO_PATH");
	struct finding *f = arena_new(s->arena, struct finding);

	f->path = arena_strdup(s->arena, path && *path ? path : DEBUGINFO_PATH);
	f->callbacks = (Dwfl_Callbacks){
		.find_elf = dwfl_build_id_find_elf,
		.find_debuginfo = find_debuginfo,
		.section_address = dwfl_offline_section_address,
		.debuginfo_path = &f->path,
	};
	return &f->callbacks;
}

/* Reports the file of fd to libdwfl, which owns fd from then on. */
static struct error *report_file(struct session *s, struct dwarf_file *f, int fd)
{
	f->dwfl = dwfl_begin(callbacks(s));
	dwfl_report_begin(f->dwfl);
	f->module = dwfl_report_offline(f->dwfl, "", f->path, fd);
	dwfl_report_end(f->dwfl, NULL, NULL);
	if (f->module)
		return NULL;
	close(fd);
	return error_create(s->arena, ERROR_ENVIRONMENT, "%s: %s", f->path, dwfl_errmsg(-1));
}

static struct error *read_debuginfo(struct session *s, struct dwarf_file *f)
{
	struct debugserver *server = debugserver_begin(s, f->dwfl, f->path);

	f->dwarf = dwfl_module_getdwarf(f->module, &f->bias);
	debugserver_end(server, f->dwarf);
	return f->dwarf ? NULL
			: error_create(s->arena, ERROR_ABSENT, "%s has no debuginfo: %s", f->path,
				       dwfl_errmsg(-1));
}

/* libdwfl has opened the separate file to compare it, and starts again with another. */
static struct error *read_separate(struct session *s, struct dwarf_file *f, struct error *failure)
{
	struct separate *separate = arena_new(s->arena, struct separate);
	const char *path = NULL;
	struct error *err;
	void **data;
	int fd;

	dwfl_module_info(f->module, NULL, NULL, NULL, NULL, NULL, NULL, &path);
	fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	separate->fd = zstdsections_unpacked(fd);
	if (separate->fd == fd) {
		if (fd >= 0)
			close(fd);
		return failure;
	}
	separate->path = arena_strdup(s->arena, path);
	dwfl_end(f->dwfl);
	err = report_file(s, f, open(f->path, O_RDONLY | O_CLOEXEC));
	if (err)
		return err;
	dwfl_module_info(f->module, &data, NULL, NULL, NULL, NULL, NULL, NULL);
	*data = separate;
	return read_debuginfo(s, f);
}

/* Opens the file of fd, and takes ownership of fd. */
static struct error *open_fd(struct session *s, const char *path, int fd, struct dwarf_file **ret)
{
	struct dwarf_file *f = arena_new(s->arena, struct dwarf_file);
	struct error *err;
	Dwarf_Addr bias;

	if (fd < 0)
		return error_errno(s->arena, "%s", path);
	f->path = arena_strdup(s->arena, path);
	err = report_file(s, f, zstdsections_unpacked(fd));
	if (!err)
		err = read_separate(s, f, read_debuginfo(s, f));
	if (err)
		return err;
	f->address_size = gelf_getclass(dwarf_getelf(f->dwarf)) == ELFCLASS32 ? 4 : 8;
	f->cfi[0] = dwfl_module_dwarf_cfi(f->module, &bias);
	f->cfi[1] = dwfl_module_eh_cfi(f->module, &bias);
	*ret = f;
	return NULL;
}

struct dwarf_opened *dwarf_opened(struct session *s, const char *key)
{
	struct hashmap *all = hashmap_made(&s->debuginfo, s->arena);
	struct dwarf_opened *o = hashmap_get(all, key);

	if (!o) {
		o = arena_new(s->arena, struct dwarf_opened);
		hashmap_put(all, key, o);
	}
	return o;
}

struct error *dwarf_open(struct session *s, const char *path, struct dwarf_file **ret)
{
	struct dwarf_opened *o = dwarf_opened(s, path);

	if (!o->is_tried) {
		o->is_tried = true;
		o->failure = open_fd(s, path, open(path, O_RDONLY | O_CLOEXEC), &o->file);
	}
	*ret = o->file;
	return o->failure;
}

/* The bytes go through a memory file, because libdwfl needs a file. */
struct error *dwarf_open_bytes(struct session *s, const char *name, const struct bytes *elf,
			       struct dwarf_file **ret)
{
	int fd = memfd_create(name, MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < elf->len) {
		ssize_t n = write(fd, elf->data + done, elf->len - done);

		if (n <= 0) {
			close(fd);
			fd = -1;
		} else {
			done += (size_t)n;
		}
	}
	return open_fd(s, name, fd, ret);
}

/* ---- identification of the file ---- */

const char *dwarf_build_id(struct session *s, const struct dwarf_file *f)
{
	const unsigned char *id;
	GElf_Addr where;
	int n = dwfl_module_build_id(f->module, &id, &where);
	struct strbuf text;

	if (n <= 0)
		return NULL;
	strbuf_init(&text, s->arena);
	strbuf_addhex(&text, id, (size_t)n);
	return text.s;
}

const char *dwarf_cache_id(struct session *s, struct dwarf_file *f)
{
	const char *id = f->cache_id ? NULL : dwarf_build_id(s, f), *separate;
	Dwarf *shared = dwarf_getalt(f->dwarf);
	size_t shared_size = 0;

	if (!id)
		return f->cache_id;
	dwfl_module_info(f->module, NULL, NULL, NULL, NULL, NULL, NULL, &separate);
	if (shared)
		elf_rawfile(dwarf_getelf(shared), &shared_size);
	f->cache_id =
		arena_printf(s->arena, "%s-%" PRIx64 "-%" PRIx64 "-%zx", id, filestamp(f->path),
			     separate ? filestamp(separate) : 0, shared_size);
	return f->cache_id;
}
