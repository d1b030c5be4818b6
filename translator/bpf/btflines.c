/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bpf/btflines.h"

#include <linux/btf.h>
#include <string.h>

#include "lib/arena.h"

#define LINE_SHIFT  10 /* a column is in the lower bits */
#define INSTRUCTION 8  /* bytes */

/* Head of .BTF.ext: offsets of its parts count from its end. */
struct ext_head {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t bytes;
	uint32_t functions_at, functions_bytes;
	uint32_t lines_at, lines_bytes;
};

/* The lines of a section follow this head. */
struct section_head {
	uint32_t name, count;
};

struct line_record {
	uint32_t at, file, text, line_column;
};

/* Fills in the lines: a record's is that of all instructions up to the next one's. */
static uint32_t *spread(struct arena *a, const char *records, uint32_t size, uint32_t count,
			size_t n)
{
	uint32_t *ret = arena_alloc(a, n * sizeof(*ret)), line = 0, next = 0;

	for (size_t i = 0; i < n; i++) {
		struct line_record r;

		for (; next < count; next++) {
			memcpy(&r, records + (size_t)next * size, sizeof(r));
			if (r.at > i * INSTRUCTION)
				break;
			line = r.line_column >> LINE_SHIFT;
		}
		ret[i] = line;
	}
	return ret;
}

uint32_t *btflines_read(struct arena *a, const char *ext, const char *btf, const char *section,
			size_t n)
{
	const struct ext_head *head = (const void *)ext;
	const struct btf_header *types = (const void *)btf;
	const char *names, *at, *end;
	uint32_t size;

	if (!ext || !btf || head->bytes < sizeof(*head) || !head->lines_bytes)
		return NULL;
	names = btf + types->hdr_len + types->str_off;
	at = ext + head->bytes + head->lines_at;
	end = at + head->lines_bytes;
	memcpy(&size, at, sizeof(size)); /* of a record */
	at += sizeof(size);
	while (at < end) {
		const struct section_head *s = (const void *)at;

		at += sizeof(*s);
		if (!strcmp(names + s->name, section))
			return spread(a, at, size, s->count, n);
		at += (size_t)s->count * size;
	}
	return NULL;
}
