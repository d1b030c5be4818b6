/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The target's modules: their list (modules.dep) and their split BTF (section .BTF of the
 * .ko, packed or not).
 */
#include "kernel/modules.h"

#include <dirent.h>
#include <string.h>

#include "base/diag.h"
#include "base/options.h"
#include "kernel/facts.h"
#include "kernel/kernel.h"
#include "kernel/tree.h"
#include "lib/cleanup.h"
#include "lib/path.h"

/* Returns the name of a path: "kernel/fs/nfs/nfs-acl.ko.xz" -> "nfs_acl". */
static char *module_name(struct session *s, const char *path, size_t len)
{
	const char *slash = memrchr(path, '/', len), *base = slash ? slash + 1 : path;
	size_t n = 0;

	while (base + n < path + len && base[n] != '.')
		n++;

	char *name = arena_strndup(s->arena, base, n);

	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return name;
}

static void add_module(struct session *s, const char *name, const char *path)
{
	struct facts *f = session_facts(s);
	struct kernel_module *m = arena_new(s->arena, struct kernel_module);

	m->name = name;
	m->path = path;
	hashmap_put(&f->modules, name, m);
	vec_push(s->arena, &f->module_list, m);
}

/* Adds a module of which only the BTF table is here. */
static void add_table(struct session *s, const char *name)
{
	if (!hashmap_get(&session_facts(s)->modules, name))
		add_module(s, name, btffile_of_module(s, name));
}

/* Reads lines "PATH.ko: DEPENDENCIES"; paths are relative to the modules' directory. */
static void read_list(struct session *s)
{
	const char *dir = kernel_place(s, TREE_MODULES);
	char *text;
	size_t len;

	if (path_read(s->arena, arena_printf(s->arena, "%s/modules.dep", dir), &text, &len))
		return;
	for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
		size_t n = strcspn(line, ":\n");

		end = strchrnul(line, '\n');
		if (line[n] != ':')
			continue;

		add_module(s, module_name(s, line, n),
			   line[0] == '/' ? arena_strndup(s->arena, line, n)
					  : arena_printf(s->arena, "%s/%.*s", dir, (int)n, line));
	}
}

/* Adds the modules whose tables the running kernel has. */
static void read_running(struct session *s)
{
	_cleanup_closedir_ DIR *d =
		s->kernel->is_running && !s->options->btf ? opendir(VMLINUX_RUNNING_DIR) : NULL;

	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_name[0] != '.' && strcmp(e->d_name, "vmlinux") &&
		    !hashmap_get(&session_facts(s)->modules, e->d_name))
			add_module(s, arena_strdup(s->arena, e->d_name),
				   arena_printf(s->arena, "%s/%s", VMLINUX_RUNNING_DIR, e->d_name));
}

void modules_read(struct session *s)
{
	struct facts *f = session_facts(s);

	if (f->modules_read)
		return;
	f->modules_read = true;
	read_list(s);
	read_running(s);
	btffile_each_module(s, add_table);
}

const char *kernel_module_name(struct session *s, const char *text)
{
	return module_name(s, text, strlen(text));
}

struct error *kernel_module_file(struct session *s, const char *path, const char **name)
{
	struct facts *f = session_facts(s);
	const char *real = path_canonical(s->arena, path);
	struct kernel_module *m;

	if (!real)
		return error_create(s->arena, ERROR_ABSENT, "there is no module '%s'", path);
	/* first, so that it takes precedence over a module of the kernel with its name */
	modules_read(s);
	*name = kernel_module_name(s, real);
	m = hashmap_get(&f->modules, *name);
	if (m && !strcmp(m->path, real))
		return NULL;
	m = arena_new(s->arena, struct kernel_module);
	*m = (struct kernel_module){ .name = *name, .path = real };
	hashmap_put(&f->modules, *name, m);
	return NULL;
}

static bool is_builtin(struct session *s, const char *name)
{
	char *text;
	size_t len;

	if (path_read(s->arena,
		      arena_printf(s->arena, "%s/modules.builtin", kernel_place(s, TREE_MODULES)),
		      &text, &len))
		return false;
	for (char *line = text, *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		if (!strcmp(module_name(s, line, end - line), name))
			return true;
	}
	return false;
}

enum kernel_module_kind kernel_module_kind(struct session *s, const char *name)
{
	struct facts *f = session_facts(s);
	const char *plain = kernel_module_name(s, name);

	modules_read(s);
	if (hashmap_get(&f->modules, plain))
		return MODULE_LOADABLE;
	return is_builtin(s, plain) ? MODULE_BUILT_IN : MODULE_ABSENT;
}

static struct error *absent(struct session *s, const char *name)
{
	struct facts *f = session_facts(s);
	VEC(const char *) names = { 0 };

	vec_each(&f->module_list, i)
		vec_push(s->arena, &names, f->module_list.data[i]->name);

	const char *near = names.count ? diag_near(s, name, names.data, names.count) : NULL;

	if (!f->module_list.count)
		return error_create(s->arena, ERROR_ABSENT,
				    "no module '%s' for kernel %s: its modules are not here; --btf "
				    "DIR takes a copy of /sys/kernel/btf from a machine that runs "
				    "it",
				    name, s->kernel->release);
	return error_create(s->arena, ERROR_ABSENT, "no module '%s' for kernel %s%s%s", name,
			    s->kernel->release, near ? "; did you mean " : "", near ? near : "");
}

struct error *module_find(struct session *s, const char *name, struct kernel_module **ret)
{
	struct facts *f = session_facts(s);
	const char *plain = kernel_module_name(s, name);

	modules_read(s);
	*ret = hashmap_get(&f->modules, plain);
	return *ret ? NULL : absent(s, plain);
}

struct error *kernel_modules_matching(struct session *s, const char *glob, const char *const **ret,
				      size_t *count)
{
	struct facts *f = session_facts(s);
	struct glob g = glob_make(glob);
	VEC(const char *) names = { 0 };

	modules_read(s);
	vec_each(&f->module_list, i)
		if (glob_match(&g, f->module_list.data[i]->name))
			vec_push(s->arena, &names, f->module_list.data[i]->name);
	*ret = names.data;
	*count = names.count;
	return names.count ? NULL
			   : error_create(s->arena, ERROR_ABSENT,
					  "no module matches '%s' for kernel %s", glob,
					  s->kernel->release);
}

/* Returns the unpacked .ko file. */
static struct error *module_elf(struct session *s, struct kernel_module *m)
{
	struct bytes file;
	struct error *err = m->elf.data ? NULL : file_map(s->arena, m->path, &file);

	return err || m->elf.data ? err : unpack(s->arena, &file, &m->elf);
}

static void note_init(void *ctx, const char *name)
{
	struct kernel_module *m = ctx;

	hashmap_put(&m->init, name, m);
}

enum symbol_place module_function_place(struct session *s, const char *module, const char *name)
{
	struct kernel_module *m;

	if (module_find(s, module, &m))
		return SYMBOL_TEXT;
	if (!m->init_read) {
		m->init_read = true;
		hashmap_init(&m->init, s->arena);
		if (!module_elf(s, m))
			elf_functions_of(s->arena, &m->elf, ".init.text", note_init, m);
	}
	return hashmap_get(&m->init, name) ? SYMBOL_INIT : SYMBOL_TEXT;
}

struct error *kernel_module_symbols(struct session *s, const char *module,
				    void (*callback)(void *ctx, const char *name), void *ctx)
{
	struct kernel_module *m;
	struct error *err = module_find(s, module, &m);

	if (!err)
		err = module_elf(s, m);
	if (err)
		return err;
	elf_functions_of(s->arena, &m->elf, ".text", callback, ctx);
	elf_functions_of(s->arena, &m->elf, ".text.unlikely", callback, ctx);
	return NULL;
}

static struct error *read_btf(struct session *s, struct kernel_module *m, struct btf *base,
			      struct btf **ret)
{
	const char *given = btffile_of_module(s, m->name);
	struct bytes section;
	struct error *err;

	if (given) {
		err = btffile_read(s, given, &section);
		return err ? err : btf_open(s->arena, given, section.data, section.len, base, ret);
	}
	if (s->kernel->is_running && !s->options->btf &&
	    !file_map(s->arena, arena_printf(s->arena, VMLINUX_RUNNING_DIR "/%s", m->name),
		      &section))
		return btf_open(s->arena, section.file, section.data, section.len, base, ret);
	err = module_elf(s, m);
	if (!err)
		err = elf_section(s->arena, &m->elf, ".BTF", &section);
	if (err)
		return err;
	return btf_open(s->arena, section.file, section.data, section.len, base, ret);
}

struct error *module_btf(struct session *s, struct kernel_module *m, struct btf **ret)
{
	struct btf *base;
	struct error *err = kernel_btf(s, &base);

	if (err)
		return err;
	if (!m->btf && !m->failure)
		m->failure = read_btf(s, m, base, &m->btf);
	*ret = m->btf;
	if (m->failure && m->failure->kind == ERROR_ABSENT)
		return error_create(s->arena, ERROR_ENVIRONMENT, "module '%s' carries no BTF: %s",
				    m->name, m->failure->text);
	return m->failure;
}

struct error *kernel_module_btf(struct session *s, const char *module, struct btf **ret)
{
	struct kernel_module *m;
	struct error *err;

	if (!module)
		return kernel_btf(s, ret);
	err = module_find(s, module, &m);
	return err ? err : module_btf(s, m, ret);
}
