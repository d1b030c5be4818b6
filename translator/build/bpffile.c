/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes one file of a program of --runtime=bpf, its handlers and its facts, so that it
 * can be copied, signed and run as one: uapi/bpfimage.h has its form.
 */
#include <stddef.h>
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

/* Adds the checksums and the end. */
static void add_end(struct strbuf *b, struct bpfimage_end *end)
{
	size_t parts_end = b->len, own_at = offsetof(struct bpfimage_end, own);

	end->sums = (uint32_t)bpfimage_sums(parts_end);
	for (size_t at = 0; at < parts_end; at += BPFIMAGE_BLOCK) {
		size_t left = parts_end - at;
		uint32_t sum =
			bpfimage_sum(b->s + at, left < BPFIMAGE_BLOCK ? left : BPFIMAGE_BLOCK);

		strbuf_add(b, (const char *)&sum, sizeof(sum));
	}
	add_padding(b);
	strbuf_add(b, (const char *)end, own_at);
	end->own = bpfimage_sum(b->s + parts_end, b->len - parts_end);
	strbuf_add(b, (const char *)end + own_at, sizeof(*end) - own_at);
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
	add_end(&all, &end);
	return path_write(s->arena, file, all.s, all.len);
}
