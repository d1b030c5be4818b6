/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines of the kernel and its modules. */
#include "base/session.h"
#include "module/module.h"
#include "lang/uses.h"
#include "base/options.h"
#include "unwind/sourcetable.h"

static const char *anchor(struct emit_module *m, const struct source_table *t)
{
	return t->module ? arena_printf(m->s->arena, "&%s",
					tables_symbol(&m->tables, m->w, t->symbol, t->module))
			 : "NULL";
}

bool sourcelines_write(struct emit_module *m)
{
	source_tables tables = { 0 };

	if (m->s->options->runtime != RUNTIME_KERNEL ||
	    !uses_pragma(m->s->program, PRAGMA_SOURCE_LINES))
		return false;
	sourcetable_collect(m->s, &tables);
	vec_each(&tables, i)
		bytes_write(m, "source_table", i, tables.data[i].table, tables.data[i].size);

	struct strbuf rows;

	strbuf_init(&rows, m->s->arena);
	vec_each(&tables, i)
		strbuf_addf(&rows, "\t{ %s, %lld, source_table_%zu, %u },\n",
			    anchor(m, &tables.data[i]), (long long)tables.data[i].distance, i,
			    tables.data[i].size);
	writer_line(
		m->w,
		"static const struct stp_source_table source_table_rows[] = {\n%s\t{ NULL },\n};",
		rows.s);
	writer_line(m->w,
		    "static const struct stp_source_tables source_tables = { source_table_rows, "
		    "%zu };\n",
		    tables.count);
	return true;
}
