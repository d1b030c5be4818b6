/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4 for the kernel: takes the module from the cache, or builds it by the kernel's
 * recipe, or by kbuild.
 */
#include "build/build.h"

#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/options.h"
#include "base/session.h"
#include "base/tmpdir.h"
#include "build/cache.h"
#include "build/compiler.h"
#include "build/parts.h"
#include "build/recipe.h"
#include "build/sharedcache.h"
#include "build/sign.h"
#include "formats/btf.h"
#include "formats/file.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "kernel/tree.h"
#include "lib/digest.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"
#include "types/types.h"

/* Part of every key: increase it when files in the cache change their format. */
#define CACHE_FORM "9"

const char *build_module_name(struct session *s, const char *c_text)
{
	if (s->options->module_name)
		return s->options->module_name;
	return arena_printf(s->arena, "stap_%.16s", digest_hex(s->arena, c_text, strlen(c_text)));
}

/*
 * In the directory of NAME.o, script.o is the only other file that is not a part of the
 * runtime: the names of those parts contain a '-'.
 */
static struct error *check_name(struct session *s, const char *name)
{
	if (!strcmp(name, "script"))
		return error_create(s->arena, ERROR_USAGE,
				    "-m %s: this is the name of the module's part for "
				    "the script; choose another",
				    name);
	return NULL;
}

static void kernel_key(struct build *b, struct strbuf *key)
{
	static const char *const files[] = { ".config", "include/config/auto.conf",
					     "Module.symvers", "Makefile" };
	struct session *s = b->s;
	const struct kernel *k = s->kernel;
	const char *compiler = subprocess_find(s->arena, b->compiler.name);

	build_key_text(key, CACHE_FORM);
	build_key_text(key, k->release);
	build_key_text(key, k->build_dir);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		build_key_file(key, arena_printf(s->arena, "%s/%s", k->build_dir, files[i]));
	build_key_file(key, kernel_place(s, TREE_IMAGE));
	build_key_text(key, kernel_btf_digest(s));
	build_key_file(key, compiler ? compiler : b->compiler.name);
	build_key_tree(key, b->runtime);
}

static struct error *write_facts(struct build *b)
{
	struct arena *a = b->s->arena;
	const char *path = arena_printf(a, "%s/stp_facts.h", b->kernel_dir), *text;
	struct error *err;

	if (path_exists(path))
		return NULL;
	err = facts_text(b->s, &text);
	return err ? err : path_write(a, path, text, strlen(text));
}

static struct error *make_work_dir(struct build *b)
{
	const char *tmp;
	struct error *err = tmpdir_of(b->s, &tmp);

	if (err)
		return err;
	b->work = arena_printf(b->s->arena, "%s/build", tmp);
	path_remove_tree(b->work);
	return path_make_dirs(b->s->arena, b->work, 0700);
}

/* Builds a module that the kernel's recipe cannot build; `why` is the reason. */
static struct error *build_by_kbuild(struct build *b, const struct error *why)
{
	struct error *err = make_work_dir(b);

	if (b->s->options->verbose > 1)
		fprintf(stderr, "stap: kbuild alone builds the module: %s\n", why->text);
	if (!err)
		err = kbuild_check(b);
	return err ? err : kbuild_run(b);
}

static struct error *build_new(struct build *b)
{
	struct recipe recipe;
	struct error *err = build_cache_make(b->s, b->kernel_dir);

	if (!err) {
		sharedcache_inherit(b->s, b->kernel_dir);
		err = write_facts(b);
	}
	if (!err)
		err = make_work_dir(b);
	if (err)
		return err;
	err = recipe_load(b, &recipe) ? firstbuild_run(b, &recipe) : compile_objects(b, &recipe);
	if (!err)
		err = link_module(b, &recipe);
	compile_drop(b);
	if (!err)
		prefix_precompile(b, &recipe);
	else if (err->kind != ERROR_SCRIPT)
		err = build_by_kbuild(b, err);
	return err ? err
		   : relocs_refuse(b, arena_printf(b->s->arena, "%s/%s.ko", b->work, b->name));
}

/*
 * Compares the size of struct module in the headers and in --btf, which differs between
 * kernels and configurations: with the offsets of another kernel, reads would return
 * anything.
 */
static struct error *check_btf(struct session *s, const char *module)
{
	struct bytes elf, section;
	struct btf *btf;
	uint32_t id;
	struct error *err = types_find(s, NULL, "struct module", &btf, &id);

	if (!err)
		err = file_map(s->arena, module, &elf);
	if (!err)
		err = elf_section(s->arena, &elf, ".gnu.linkonce.this_module", &section);
	if (err || section.len == btf_size(btf, id))
		return err;
	return error_create(s->arena, ERROR_ENVIRONMENT,
			    "--btf: %s is not of the kernel whose headers are in %s: struct module "
			    "has %llu bytes in it, and %zu by them",
			    s->options->btf, s->kernel->build_dir,
			    (unsigned long long)btf_size(btf, id), section.len);
}

struct error *build_module(struct session *s, const char *c_text, const char **ret)
{
	struct build b = { .s = s, .c_text = c_text, .name = build_module_name(s, c_text) };
	struct strbuf key;
	struct signer *signer = NULL;
	const char *entry;
	struct error *err = check_name(s, b.name);

	if (!err)
		err = kernel_need(s);
	if (!err && arch_of(s)->machine->no_modules)
		err = error_create(s->arena, ERROR_USAGE, "%s", arch_of(s)->machine->no_modules);
	if (!err)
		err = kernel_need_headers(s);
	if (!err)
		err = sign_open(s, &signer);
	if (err)
		return err;
	strbuf_init(&key, s->arena);
	b.runtime = arena_printf(s->arena, "%s/runtime", s->data_dir);
	b.compiler = compiler_of(s);
	kernel_key(&b, &key);
	err = build_cache_entry(s, "kernels", &key, &b.kernel_dir);
	build_key_text(&key, b.name);
	build_key_text(&key, c_text);
	sign_add_key(signer, &key);
	if (!err)
		err = build_cache_entry(s, "modules", &key, &entry);
	if (err)
		return err;
	build_cache_touch(b.kernel_dir);
	*ret = arena_printf(s->arena, "%s/%s.ko", entry, b.name);
	if (build_cache_has(s, *ret)) {
		build_cache_touch(entry);
		STAP_PROBE2(stap, cache__get, c_text, *ret);
		return NULL;
	}
	objects_of(&b);
	err = build_new(&b);
	if (!err)
		err = build_cache_make(s, entry);
	if (err)
		return err;

	const char *built = arena_printf(s->arena, "%s/%s.ko", b.work, b.name);

	if (s->options->btf)
		err = check_btf(s, built);
	if (!err && signer)
		err = sign_module(s, signer, built);
	if (err)
		return err;
	STAP_PROBE2(stap, cache__add__mod, built, *ret);
	return path_copy(s->arena, built, *ret);
}
