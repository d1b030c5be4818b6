/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shapes for pretty-printing, as tables in front of the bodies. */
#include <string.h>

#include "base/session.h"
#include "base/strbuf.h"
#include "core/pretty.h"
#include "emit/module.h"

static void write_row(struct strbuf *b, const struct stp_shape *row)
{
	static const char *const kinds[] = {
		[STP_SHAPE_END] = "END",         [STP_SHAPE_OPEN] = "OPEN",       [STP_SHAPE_CLOSE] = "CLOSE",
		[STP_SHAPE_TEXT] = "TEXT",       [STP_SHAPE_SIGNED] = "SIGNED",   [STP_SHAPE_UNSIGNED] = "UNSIGNED",
		[STP_SHAPE_CHAR] = "CHAR",       [STP_SHAPE_POINTER] = "POINTER", [STP_SHAPE_STRING] = "STRING",
		[STP_SHAPE_BYTES] = "BYTES",
	};

	strbuf_adds(b, "\t{ ");
	strbuf_addquoted(b, row->text, strlen(row->text));
	strbuf_addf(b, ", %u, %u, STP_SHAPE_%s, %u, %u, %u },\n", row->offset, row->count, kinds[row->kind], row->size,
		    row->bit_offset, row->bit_size);
}

const char *emit_shape(struct emitter *e, const struct stp_shape *rows)
{
	struct emit_module *m = e->module;
	const char *name;
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	for (const struct stp_shape *row = rows;; row++) {
		write_row(&b, row);
		if (row->kind == STP_SHAPE_END)
			break;
	}
	name = hashmap_get(&m->shapes, b.s);
	if (name)
		return name;
	name = arena_printf(e->s->arena, "shape_%u", m->ntables++);
	hashmap_put(&m->shapes, b.s, (void *)name);
	writer_raw(&m->tables, "static const struct stp_shape ", strlen("static const struct stp_shape "));
	writer_line(&m->tables, "%s[] = {\n%s};", name, b.s);
	return name;
}
