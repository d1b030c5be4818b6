/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes large tables as strings: compilers read these a hundred times faster than lists
 * of numbers.
 */
#include <string.h>

#include "module/module.h"

#define BYTES_A_LINE 64

/* Adds a byte. There are millions of them: no printf. */
static void add_byte(struct strbuf *b, uint8_t byte)
{
	char octal[4] = { '\\', (char)('0' + (byte >> 6)), (char)('0' + (byte >> 3 & 7)),
			  (char)('0' + (byte & 7)) };

	if (byte >= ' ' && byte < 0x7f && !strchr("\"\\?", byte))
		strbuf_addc(b, (char)byte);
	else
		strbuf_add(b, octal, sizeof(octal));
}

void bytes_write(struct emit_module *m, const char *name, size_t index, const uint8_t *data,
		 size_t size)
{
	struct strbuf *b = &m->w->out;

	strbuf_addf(b, "static const char %s_%zu[] __attribute__((aligned(8))) =", name, index);
	for (size_t i = 0; i < size; i++) {
		if (i % BYTES_A_LINE == 0)
			strbuf_adds(b, i ? "\"\n\"" : "\n\"");
		add_byte(b, data[i]);
	}
	strbuf_adds(b, size ? "\";\n" : "\"\";\n");
}
