/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dictionary.h. No length is trusted: the bytes may come from a damaged file. */
#include "trace/dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uapi/record.h"

static const char *find_rows(struct table *t)
{
	size_t at = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t len;

		if (t->size - at < sizeof(len))
			return "a table has fewer rows than it should";
		memcpy(&len, t->bytes + at, sizeof(len));
		at += sizeof(len);
		if (t->size - at < len)
			return "a row of a table is cut short";
		t->rows[i] = (struct stp_format_text){ .text = t->bytes + at, .len = len };
		at += len;
	}
	return at == t->size ? NULL : "a table has more rows than it should";
}

const char *dictionary_init(struct table *t, char *bytes, size_t size, uint32_t count)
{
	*t = (struct table){ .bytes = bytes, .size = size, .count = count };
	if (count > size / sizeof(uint32_t))
		return "a table has fewer rows than it should";
	t->rows = calloc(count + 1u, sizeof(*t->rows));
	return t->rows ? find_rows(t) : "no memory for a table";
}

const char *dictionary_formats(struct tables *t, char *bytes, size_t size, uint32_t count,
			       bool have_fields)
{
	const char *wrong;

	if (count > STP_FORMATS_MOST) {
		free(bytes);
		return "more formats than records can name";
	}
	wrong = dictionary_init(&t->formats, bytes, size, have_fields ? 2 * count : count);
	if (wrong || !have_fields)
		return wrong;
	t->formats.count = count;
	t->fields = t->formats.rows + count;
	return NULL;
}

static void table_deinit(struct table *t)
{
	free(t->rows);
	free(t->bytes);
	*t = (struct table){ 0 };
}

void dictionary_deinit(struct tables *t)
{
	table_deinit(&t->formats);
	table_deinit(&t->probes);
}

const char *dictionary_cpu_name(unsigned ring, unsigned nrings, char buf[16])
{
	if (ring + 1 == nrings)
		return "slow";
	snprintf(buf, 16, "%u", ring);
	return buf;
}
