/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one file of a program of --runtime=bpf, its handlers and its facts, so that it
 * can be copied, signed and run as one: uapi/bpfimage.h has its form.
 */
#include <string.h>

#include "base/session.h"
#include "build/parts.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "uapi/bpfimage.h"

static void add_padding(struct strbuf *b)
{
	while (b->len % 8)
		strbuf_addc(b, 0);
}

struct error *bpffile_join(struct session *s, const char *program, const char *handlers,
			   const struct strbuf *facts, const char *file)
{
	struct bpfimage_end end = { .facts = (uint32_t)facts->len, .magic = BPFIMAGE_END_MAGIC };
	struct error *err;
	struct strbuf all;
	size_t len, begin;
	char *text;

	err = path_read(s->arena, program, &text, &len);
	if (err)
		return err;
	strbuf_init(&all, s->arena);
	strbuf_add(&all, text, len);
	add_padding(&all);
	begin = all.len;
	err = path_read(s->arena, handlers, &text, &len);
	if (err)
		return err;
	strbuf_add(&all, text, len);
	add_padding(&all);
	end.handlers = (uint32_t)(all.len - begin);
	strbuf_add(&all, facts->s, facts->len);
	add_padding(&all);
	strbuf_add(&all, (const char *)&end, sizeof(end));
	return path_write(s->arena, file, all.s, all.len);
}
