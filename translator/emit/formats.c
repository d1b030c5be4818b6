/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/session.h"
#include "core/printf.h"
#include "emit/emit.h"
#include "emit/tables.h"
#include "lib/hashmap.h"

unsigned emit_format(struct emitter *e, const char *text, size_t len, const char *args,
		     const char *fields)
{
	struct emit_tables *t = e->tables;
	struct format f = { .text = text, .letters = args, .fields = fields, .len = len };
	struct strbuf key;
	size_t known;

	strbuf_init(&key, e->s->arena);
	strbuf_addf(&key, "%s:%s:", args, fields);
	strbuf_addquoted(&key, text, len);
	known = (size_t)hashmap_get(&t->format_index, key.s);
	if (known)
		return known - 1;
	vec_push(e->s->arena, &t->formats, f);
	hashmap_put(&t->format_index, key.s, (void *)t->formats.count);
	return t->formats.count - 1;
}

static bool dumps_memory(const struct format *f)
{
	struct stp_directive d;
	const char *error;
	uint32_t pos = 0;

	while (stp_format_next(f->text, (uint32_t)f->len, &pos, &d, &error))
		if (d.kind == STP_DIR_MEMORY || d.kind == STP_DIR_MEMORY_HEX)
			return true;
	return false;
}

void emit_write_formats(const struct emit_tables *t, struct writer *w)
{
	writer_open(w, "static const struct stp_format formats[] =");
	vec_each(&t->formats, i) {
		const struct format *f = &t->formats.data[i];

		writer_line(w, "{ STP_FORMAT(%s, \"%s\"), .fields = %s%s },",
			    strbuf_quoted(t->s->arena, f->text, f->len), f->letters,
			    strbuf_quoted(t->s->arena, f->fields, strlen(f->fields)),
			    dumps_memory(f) ? ", .dump = stp_format_dump" : "");
	}
	if (!t->formats.count)
		writer_line(w, "{ .text = \"\" },");
	writer_close(w, ";\n");
}
