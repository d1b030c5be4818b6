/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs and libraries: their places in a process, and their tables. */
#include <string.h>

#include "base/session.h"
#include "program/executable.h"
#include "module/module.h"
#include "lang/uses.h"
#include "base/options.h"
#include "unwind/unwind.h"

static void emit_segments(struct emit_module *m, size_t index, const struct unwind_module *module)
{
	writer_open(m->w,
		    "static const struct stp_program_segment program_segments_%zu[] =", index);
	vec_each(&module->segments, i)
		writer_line(m->w, "{ %#llx, %#llx, %#llx, %s },",
			    (unsigned long long)module->segments.data[i].address,
			    (unsigned long long)module->segments.data[i].offset,
			    (unsigned long long)module->segments.data[i].size,
			    module->segments.data[i].is_code ? "true" : "false");
	writer_close(m->w, ";");
}

static void emit_module_row(struct emit_module *m, size_t index, const struct unwind_module *module)
{
	const struct executable *program = module->program;

	writer_open(m->w, "%s", "");
	if (program)
		writer_line(m->w, ".path = %s, .size = %llu, .id_offset = %#llx,",
			    strbuf_quoted(m->s->arena, program->seen, strlen(program->seen)),
			    (unsigned long long)program->size,
			    (unsigned long long)program->id_offset);
	writer_line(m->w,
		    ".id = (const uint8_t *)program_id_%zu, .id_size = %zu, .id_address = %#llx, "
		    ".base = %#llx,",
		    index, module->id_size, (unsigned long long)module->id_address,
		    (unsigned long long)module->base);
	writer_line(m->w, ".segments = program_segments_%zu, .nsegments = %zu,", index,
		    module->segments.count);
	writer_line(m->w, ".table = program_table_%zu, .table_size = %u,", index,
		    module->table_size);
	writer_close(m->w, ",");
}

/*
 * Adds programs. Those whose variables are read come first, in their order; they do not
 * need tables of the others.
 */
static void add_programs(struct emit_module *m, unwind_modules *all)
{
	unwind_modules with_tables = *all;

	*all = (unwind_modules){ 0 };
	vec_each(&m->tables.programs, i) {
		struct unwind_module *one = arena_new(m->s->arena, struct unwind_module);

		unwind_module_place(m->s, m->tables.programs.data[i], one);
		vec_push(m->s->arena, all, one);
	}
	vec_each(&with_tables, i) {
		const struct executable *program = with_tables.data[i]->program;
		size_t at = 0;

		while (at < m->tables.programs.count &&
		       (!program || strcmp(m->tables.programs.data[at]->path, program->path)))
			at++;
		if (at < m->tables.programs.count)
			all->data[at] = with_tables.data[i];
		else
			vec_push(m->s->arena, all, with_tables.data[i]);
	}
}

bool programs_write(struct emit_module *m)
{
	unwind_modules modules = { 0 };
	bool lines = uses_pragma(m->s->program, PRAGMA_USER_LINES),
	     symbols = lines || uses_pragma(m->s->program, PRAGMA_USER_SYMBOLS);

	if (m->s->options->runtime != RUNTIME_KERNEL || (!symbols && !m->tables.programs.count))
		return false;
	if (symbols)
		unwind_collect(m->s, lines, &modules);
	add_programs(m, &modules);
	vec_each(&modules, i) {
		bytes_write(m, "program_id", i, modules.data[i]->id, modules.data[i]->id_size);
		bytes_write(m, "program_table", i, modules.data[i]->table,
			    modules.data[i]->table_size);
		emit_segments(m, i, modules.data[i]);
	}
	writer_open(m->w, "static const struct stp_program_module user_module_rows[] =");
	vec_each(&modules, i)
		emit_module_row(m, i, modules.data[i]);
	if (!modules.count)
		writer_line(m->w, "{ .path = \"\" },");
	writer_close(m->w, ";");
	writer_line(m->w,
		    "static const struct stp_program_modules program_modules = { user_module_rows, "
		    "%zu };\n",
		    modules.count);
	return true;
}
