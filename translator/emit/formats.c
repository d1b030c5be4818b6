/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/hashmap.h"
#include "base/session.h"
#include "core/printf.h"
#include "module/module.h"

unsigned emit_format(struct emitter *e, const char *text, size_t len, const char *args)
{
	struct emit_module *m = e->module;
	struct format f = { .text = text, .letters = args, .len = len };
	struct strbuf key;
	size_t known;

	strbuf_init(&key, e->s->arena);
	strbuf_addf(&key, "%s:", args);
	strbuf_addquoted(&key, text, len);
	known = (size_t)hashmap_get(&m->format_index, key.s);
	if (known)
		return known - 1;
	vec_push(e->s->arena, &m->formats, f);
	hashmap_put(&m->format_index, key.s, (void *)m->formats.count);
	return m->formats.count - 1;
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

void emit_formats(struct emit_module *m)
{
	writer_open(m->w, "static const struct stp_format formats[] =");
	vec_each(&m->formats, i) {
		const struct format *f = &m->formats.data[i];
		struct strbuf text;

		strbuf_init(&text, m->s->arena);
		strbuf_addquoted(&text, f->text, f->len);
		writer_line(m->w, "{ .text = %s, .len = %zu, .args = \"%s\"%s },", text.s, f->len, f->letters,
			    dumps_memory(f) ? ", .dump = stp_format_dump" : "");
	}
	if (!m->formats.count)
		writer_line(m->w, "{ .text = \"\" },");
	writer_close(m->w, ";\n");
}
