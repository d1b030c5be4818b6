/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A build through the kernel's own build system. It knows all flags that modules of this
 * kernel need. It is slow, so it runs once for a kernel, and again only if its recorded
 * commands are not sufficient.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/remedy.h"
#include "base/session.h"
#include "build/compiler.h"
#include "build/parts.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "kernel/mount.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"

/* Debian keeps the programs of its headers apart; a link leads to them. */
static struct error *check_scripts(struct build *b)
{
	struct arena *a = b->s->arena;
	const struct kernel *k = b->s->kernel;
	const char *scripts = arena_printf(a, "%s/scripts", k->build_dir), *mount;

	if (path_exists(scripts))
		return NULL;
	mount = mount_lacking(b->s, k->release, scripts);
	return error_create(a, ERROR_ENVIRONMENT, "%s leads to %s, which is not here; %s", scripts,
			    path_leads_to(a, scripts),
			    mount ? mount : remedy_command(a, REMEDY_HEADERS, k->release));
}

/*
 * objtool rewrites jumps and calls of an object, without which some kernels crash. kbuild
 * itself only reports "not found".
 */
static struct error *check_objtool(struct build *b)
{
	struct arena *a = b->s->arena;
	const struct kernel *k = b->s->kernel;
	const char *objtool = arena_printf(a, "%s/tools/objtool/objtool", k->build_dir);

	if ((!kernel_config(b->s, "OBJTOOL") && !record_lacks_objtool(b->s)) ||
	    path_exists(objtool))
		return NULL;
	return error_create(a, ERROR_ENVIRONMENT, "the headers of kernel %s lack %s; %s",
			    k->release, objtool, remedy_command(a, REMEDY_HEADERS, k->release));
}

static struct error *check_program(struct build *b, const char *name, const char *what)
{
	if (subprocess_find(b->s->arena, name))
		return NULL;
	return error_create(b->s->arena, ERROR_ENVIRONMENT,
			    "%s, the %s of kernel %s, is missing; %s", name, what,
			    b->s->kernel->release, compiler_supply(b->s, name));
}

struct error *kbuild_check(struct build *b)
{
	struct arena *a = b->s->arena;
	const struct kernel *k = b->s->kernel;
	struct error *err;

	if (!path_exists(arena_printf(a, "%s/Makefile", k->build_dir)))
		return error_create(a, ERROR_ENVIRONMENT, "kernel %s has no headers in %s; %s",
				    k->release, k->build_dir,
				    remedy_command(a, REMEDY_HEADERS, k->release));
	if (!subprocess_find(b->s->arena, "make"))
		return error_create(a, ERROR_ENVIRONMENT, "make is missing; %s",
				    remedy_command(a, REMEDY_MAKE, NULL));
	err = check_program(b, b->compiler.name, "compiler");
	if (!err && b->compiler.linker)
		err = check_program(b, b->compiler.linker, "linker");
	if (!err)
		err = check_scripts(b);
	return err ? err : check_objtool(b);
}

/* Refuses a path that cannot be written in a makefile. */
static struct error *check_path(struct arena *a, const char *path)
{
	if (!path[strcspn(path, " \t\n'\"\\$#:;&|<>()*?[]`~%=")])
		return NULL;
	return error_create(a, ERROR_ENVIRONMENT,
			    "the kernel's build system cannot work in '%s', because of the "
			    "characters in that path; "
			    "TMPDIR and SYSTEMTAP_DIR can name other places",
			    path);
}

/*
 * Writes the makefile. -mfentry and similar options are only for the function tracer,
 * which does not trace functions of the module. Link-time optimisation by clang would
 * compile everything again for each script. Checks of shifts, which newer kernels of
 * Debian have, would make loops over arrays longer by a third than the budget of a hit
 * charges for them; kernels that check themselves keep them.
 */
static struct error *write_makefile(struct build *b)
{
	struct arena *a = b->s->arena;
	struct strbuf text;

	strbuf_init(&text, a);
	strbuf_addf(&text, "obj-m := %s.o\n%s-y := script.o", b->name, b->name);
	vec_each(&b->objects, i)
		strbuf_addf(&text, " %s.o", object_file(b, b->objects.data[i]));
	strbuf_addf(&text,
		    "\nccflags-y := -g0 %s -I%s %s -I%s %s\n"
		    "ccflags-remove-y += $(CC_FLAGS_FTRACE) $(CC_FLAGS_LTO)\n"
		    "ifneq ($(CONFIG_KASAN),y)\n"
		    "CFLAGS_UBSAN := $(filter-out -fsanitize=shift"
		    "$(if $(CONFIG_UBSAN_TRAP),, -fsanitize=bounds%% -fsanitize=%%-bounds),"
		    "$(CFLAGS_UBSAN))\nendif\n",
		    arch_of(b->s)->module->own_flags, b->runtime, flags_arch(b->s, b->runtime),
		    b->kernel_dir, flags_former_headers(b));
	vec_each(&b->objects, i)
		if (object_flags(b->objects.data[i]))
			strbuf_addf(&text, "CFLAGS_%s.o := %s\n",
				    object_file(b, b->objects.data[i]),
				    object_flags(b->objects.data[i]));
	/* Kernels before 5.18 are compiled as C89. */
	strbuf_adds(&text, "ccflags-$(if $(filter -std=gnu89,$(KBUILD_CFLAGS)),y) += -std=gnu11 "
			   "-Wno-declaration-after-statement\n");
	return path_write(a, arena_printf(a, "%s/Makefile", b->work), text.s, text.len);
}

/* Writes the sources into the module's own directory: kbuild compiles files there. */
static struct error *write_sources(struct build *b)
{
	struct arena *a = b->s->arena;
	struct error *err;

	err = path_write(a, arena_printf(a, "%s/script.c", b->work), b->c_text, strlen(b->c_text));
	for (size_t i = 0; !err && i < b->objects.count; i++) {
		const char *object = b->objects.data[i];
		const char *text = arena_printf(a, "#include \"%s\"\n", object_source(b, object));

		err = path_write(a, arena_printf(a, "%s/%s.c", b->work, object_file(b, object)),
				 text, strlen(text));
	}
	return err ? err : write_makefile(b);
}

static struct error *failure(struct build *b, const char *log)
{
	struct arena *a = b->s->arena;
	const char *messages = build_messages(b, log);

	if (build_blames_script(messages))
		return error_create(a, ERROR_SCRIPT, "the C compiler refused the module's C:\n%s",
				    messages);
	return error_create(a, ERROR_ENVIRONMENT, "building for kernel %s failed:\n%s",
			    b->s->kernel->release, messages);
}

/*
 * Starts the build of the files in the work directory. `path`: PATH for its programs.
 * `verbose`: make prints each command.
 */
static struct error *start(struct build *b, const char *path, bool verbose, struct subprocess *ret)
{
	struct arena *a = b->s->arena;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	const struct arch_machine *machine = arch_of(b->s)->machine;
	/*
	 * A module needs no BTF. kbuild would make it with pahole if the headers come
	 * with vmlinux.
	 */
	const char *const make[] = {
		"env",
		arena_printf(a, "PATH=%s", path),
		"make",
		"-C",
		b->s->kernel->build_dir,
		arena_printf(a, "M=%s", b->work),
		arena_printf(a, "-j%ld",
			     cpus < 1	? 1
			     : cpus > 4 ? 4
					: cpus),
		"modules",
		"CONFIG_DEBUG_INFO_BTF_MODULES=",
		verbose ? "V=1" : "V=0",
	};
	words argv = { 0 };

	for (size_t i = 0; i < sizeof(make) / sizeof(*make); i++)
		vec_push(a, &argv, make[i]);
	compiler_add_words(b->s, &b->compiler, &argv);
	if (arch_is_foreign(b->s)) {
		vec_push(a, &argv, arena_printf(a, "ARCH=%s", machine->kernel_dir));
		vec_push(a, &argv, arena_printf(a, "CROSS_COMPILE=%s", machine->cross));
	}
	vec_push(a, &argv, NULL);
	return subprocess_start_tool(a, NULL, (char *const *)argv.data, ret);
}

static struct error *check_paths(struct build *b)
{
	struct arena *a = b->s->arena;
	struct error *err = check_path(a, b->work);

	if (!err)
		err = check_path(a, b->kernel_dir);
	return err ? err : check_path(a, b->runtime);
}

struct error *kbuild_start_empty(struct build *b, struct subprocess *ret)
{
	/* modpost requires a licence; without headers the compiler is done at once. */
	static const char source[] =
		"static const char license[] __attribute__((section(\".modinfo\"), used)) = "
		"\"license=GPL\";\n";
	struct arena *a = b->s->arena;
	struct error *err = check_paths(b);

	if (!err)
		err = path_write(a, arena_printf(a, "%s/script.c", b->work), source,
				 strlen(source));
	if (!err)
		err = write_makefile(b);
	return err ? err : start(b, questions_path(b), record_lacks_objtool(b->s), ret);
}

struct error *kbuild_wait(struct build *b, struct subprocess *p, const char **said)
{
	struct process_result result;
	struct error *err = subprocess_wait(b->s->arena, p, &result);

	if (!err && said)
		*said = result.output;
	return err || !result.status ? err : failure(b, result.output);
}

struct error *kbuild_run(struct build *b)
{
	struct subprocess process;
	struct error *err = check_paths(b);

	if (!err)
		err = write_sources(b);
	if (!err)
		err = start(b, subprocess_path(), false, &process);
	return err ? err : kbuild_wait(b, &process, NULL);
}
