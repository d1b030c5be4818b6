/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See dictionary.h. No length is believed: the bytes may come from a damaged file. */
#include "stapio/dictionary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stapio/module.h"

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

static const char *table_read(struct table *t, struct module *m,
			      ssize_t (*read)(struct module *m, char **ret), uint32_t count)
{
	char *bytes;
	ssize_t size = read(m, &bytes);

	*t = (struct table){ 0 };
	return size < 0 ? strerror((int)-size) : dictionary_init(t, bytes, (size_t)size, count);
}

const char *dictionary_read(struct tables *t, struct module *m)
{
	const char *wrong = table_read(&t->formats, m, module_read_formats, m->hello.nformats);

	return wrong ? wrong : table_read(&t->probes, m, module_read_probes, m->hello.nprobes);
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
