/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See symbolmap.h. */
#include "cfi/symbolmap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfi/unwindtable.h"
#include "lib/printable.h"

#define BYTES_MOST (32u << 20)
#define NAME_MOST  512

/* Reads the file and adds a NUL; NULL: it is empty or too large. */
static char *read_text(int fd, struct arena *a)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text;
	ssize_t n = 0;

	if (size <= 0 || size > BYTES_MOST)
		return NULL;
	text = arena_alloc(a, (size_t)size + 1);
	for (off_t have = 0; have < size; have += n) {
		n = pread(fd, text + have, (size_t)(size - have), have);
		if (n <= 0)
			break;
	}
	return text;
}

/* Reads a number and the blank after it. */
static bool read_number(const char **at, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(*at, &end, 16);
	if (end == *at || errno || *end != ' ')
		return false;
	*at = end + 1;
	return true;
}

/* An incomplete line is still being written: it has no newline. */
static void read_line(const char *line, struct arena *a, struct table *t)
{
	struct table_symbol symbol = { .rank = (unsigned)t->symbols.count };
	size_t len;

	if (!read_number(&line, &symbol.address) || !read_number(&line, &symbol.size))
		return;
	len = strcspn(line, "\n");
	if (line[len] != '\n' || !len || len > NAME_MOST || !symbol.address || !symbol.size)
		return;
	symbol.name = printable_line(arena_strndup(a, line, len));
	vec_push(a, &t->symbols, symbol);
}

static int compare_symbols(const void *a, const void *b)
{
	uint64_t one = ((const struct table_symbol *)a)->address;
	uint64_t other = ((const struct table_symbol *)b)->address;

	return (one > other) - (one < other);
}

/*
 * A table has room for 4 GB. Keeps the symbols of the range of that size with the most:
 * Node.js also lists code that its own interpreter reads, far from that of the processor.
 */
static void keep_range(struct table *t)
{
	struct table_symbol *symbols = t->symbols.data;
	size_t n = t->symbols.count, best = 0, most = 0;

	qsort(symbols, n, sizeof(*symbols), compare_symbols);
	for (size_t first = 0, end = 0; first < n; first++) {
		while (end < n && symbols[end].address - symbols[first].address <= UINT32_MAX)
			end++;
		if (end - first > most) {
			most = end - first;
			best = first;
		}
	}
	memmove(symbols, symbols + best, most * sizeof(*symbols));
	t->symbols.count = most;
	t->base = symbols[0].address;
}

bool symbolmap_read(int fd, const struct arch_unwind *arch, struct arena *a,
		    struct programfile *ret)
{
	static const struct programfile_segment all = { 0, 0, UINT64_MAX };
	struct table t = { .base = 0 };
	const char *line = read_text(fd, a);

	*ret = (struct programfile){ 0 };
	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		read_line(line, a, &t);
	if (!t.symbols.count)
		return false;
	rules_init(&t.cfi, a, arch);
	keep_range(&t);
	ret->base = t.base;
	vec_push(a, &ret->segments, all);
	unwindtable_write(a, &t, &ret->table, &ret->table_size);
	return true;
}
