/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes a linked object: removes names and tables that nobody needs, packs addresses,
 * and lets the architecture make the code smaller. Runs after objtool, which needs the
 * references to a function.
 */
#include "arch/arch.h"
#include "base/session.h"
#include "build/elf64.h"
#include "build/recipe.h"
#include "lib/error.h"
#include "lib/path.h"

struct error *relocs_fold(struct build *b, const char *path)
{
	const struct arch *arch = arch_of(b->s);
	struct arena *a = b->s->arena;
	struct elf64 o = { .arch = arch };
	struct error *err = path_read(a, path, &o.data, &o.len);

	if (err)
		return err;
	if (!elf64_open(&o))
		return error_create(a, ERROR_ENVIRONMENT, "%s: no object file of this machine",
				    path);
	if (arch->module->fold)
		arch->module->fold(&o);
	strip_calls(&o);
	if (arch->module->share)
		arch->module->share(a, &o);
	pack_tables(a, &o);
	strip_names(a, &o);
	return path_write(a, path, o.data, o.len);
}

struct error *relocs_refuse(struct build *b, const char *module)
{
	const struct arch *arch = arch_of(b->s);
	struct arena *a = b->s->arena;
	struct elf64 o = { .arch = arch };
	struct error *err =
		arch->module->fatal_section ? path_read(a, module, &o.data, &o.len) : NULL;
	const Elf64_Shdr *section;

	if (err || !arch->module->fatal_section || !elf64_open(&o))
		return err;
	section = elf64_find(&o, arch->module->fatal_section);
	if (!section || !section->sh_size)
		return NULL;
	return error_create(a, ERROR_ENVIRONMENT,
			    "the module has a section %s: on this architecture the kernel would "
			    "crash as it loads it, so there is no module",
			    arch->module->fatal_section);
}
