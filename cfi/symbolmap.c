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

/* A table has room for 4 GB. */
static bool is_near(uint64_t address, uint64_t near)
{
	return (address > near ? address - near : near - address) < 1ull << 31;
}

/* An incomplete line is still being written: it has no newline. */
static void read_line(const char *line, uint64_t near, struct arena *a, struct table *t)
{
	struct table_symbol symbol = { .rank = (unsigned)t->symbols.count };
	size_t len;

	if (!read_number(&line, &symbol.address) || !read_number(&line, &symbol.size))
		return;
	len = strcspn(line, "\n");
	if (line[len] != '\n' || !len || len > NAME_MOST || !symbol.address || !symbol.size ||
	    !is_near(symbol.address, near))
		return;
	symbol.name = printable_line(arena_strndup(a, line, len));
	vec_push(a, &t->symbols, symbol);
}

bool symbolmap_read(int fd, uint64_t near, const struct arch_unwind *arch, struct arena *a,
		    struct programfile *ret)
{
	static const struct programfile_segment all = { 0, 0, UINT64_MAX };
	struct table t = { .base = UINT64_MAX };
	const char *line = read_text(fd, a);

	*ret = (struct programfile){ 0 };
	for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
		read_line(line, near, a, &t);
	if (!t.symbols.count)
		return false;
	rules_init(&t.cfi, a, arch);
	vec_each(&t.symbols, i)
		if (t.symbols.data[i].address < t.base)
			t.base = t.symbols.data[i].address;
	ret->base = t.base;
	vec_push(a, &ret->segments, all);
	unwindtable_write(a, &t, &ret->table, &ret->table_size);
	return true;
}
