/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See quotafile.h. */
#include "staprun/quotafile.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "staprun/image.h"
#include "staprun/report.h"

#define RUNS_DEFAULT   32
#define SHARE_DEFAULT  25	      /* percent of memory */
#define LEAST_DEFAULT  (128ull << 20) /* a run with small buffers and arrays up to 64 MB */
#define FILE_MOST      65536
#define MEGABYTES_MOST (1u << 30)

static const char unlimited[] = "unlimited";

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Removes blanks at both ends. */
static void trim(const char **text, size_t *len)
{
	while (*len && is_blank(**text))
		(*text)++, (*len)--;
	while (*len && is_blank((*text)[*len - 1]))
		(*len)--;
}

/* Reads a whole number up to `most`. */
static bool parse_number(const char *text, size_t len, uint64_t most, uint64_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*ret = 10 * *ret + (uint64_t)(text[i] - '0');
		if (*ret > most)
			return false;
	}
	return len > 0;
}

static bool parse_runs(const char *value, size_t len, uint64_t *ret)
{
	if (!is_word(value, len, unlimited))
		return parse_number(value, len, UINT32_MAX, ret);
	*ret = QUOTA_UNLIMITED;
	return true;
}

static bool parse_memory(const char *value, size_t len, uint64_t memory, uint64_t *ret)
{
	if (is_word(value, len, unlimited)) {
		*ret = QUOTA_UNLIMITED;
		return true;
	}
	if (len && value[len - 1] == '%') {
		if (!parse_number(value, len - 1, 100, ret))
			return false;
		*ret = memory / 100 * *ret;
		return true;
	}
	if (!parse_number(value, len, MEGABYTES_MOST, ret))
		return false;
	*ret <<= 20;
	return true;
}

static bool parse_line(const char *line, size_t len, uint64_t memory, struct quota_limits *ret)
{
	const char *value;
	size_t name;

	trim(&line, &len);
	if (!len || *line == '#' || *line == ';')
		return true;
	value = memchr(line, '=', len);
	if (!value)
		return false;
	name = (size_t)(value - line);
	len -= name + 1;
	value++;
	trim(&line, &name);
	trim(&value, &len);
	if (is_word(line, name, "RUNS"))
		return parse_runs(value, len, &ret->runs);
	return is_word(line, name, "MEMORY") && parse_memory(value, len, memory, &ret->bytes);
}

/*
 * Reads the limits of a machine with that much memory from a text, which need not end
 * with a NUL. Returns 0, or the number of the invalid line.
 */
static unsigned parse(const char *text, size_t size, uint64_t memory, struct quota_limits *ret)
{
	uint64_t share = memory / 100 * SHARE_DEFAULT;

	*ret = (struct quota_limits){ RUNS_DEFAULT, share > LEAST_DEFAULT ? share : LEAST_DEFAULT };
	for (unsigned n = 1; size; n++) {
		const char *end = memchr(text, '\n', size);
		size_t len = end ? (size_t)(end - text) : size;

		if (!parse_line(text, len, memory, ret))
			return n;
		size -= len + (end != NULL);
		text += len + (end != NULL);
	}
	return 0;
}

static uint64_t memory_bytes(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/*
 * Opens the directory for the file. Returns -1 without an error if the file or the
 * directory does not exist.
 */
static int open_dir(const char **wrong)
{
	int dir = image_open_root_dir(QUOTAFILE_DIR);

	*wrong = NULL;
	if (dir < 0) {
		*wrong = errno == EPERM	   ? "users other than root may write to its directory"
			 : errno == ENOENT ? NULL
					   : strerror(errno);
		return -1;
	}
	if (!faccessat(dir, QUOTAFILE_NAME, F_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW))
		return dir;
	*wrong = errno == ENOENT ? NULL : strerror(errno);
	close(dir);
	return -1;
}

bool quotafile_read(struct quota_limits *ret)
{
	struct image text = { 0 };
	const char *wrong;
	unsigned line;
	int dir = open_dir(&wrong);

	if (dir >= 0) {
		wrong = image_read_in(dir, QUOTAFILE_NAME, FILE_MOST, &text);
		close(dir);
	}
	if (wrong) {
		report_error(QUOTAFILE_PATH ": %s", wrong);
		return false;
	}
	line = parse(text.data, text.size, memory_bytes(), ret);
	image_free(&text);
	if (!line)
		return true;
	report_error(QUOTAFILE_PATH ":%u: RUNS=NUMBER or MEMORY=MEGABYTES is expected, or a "
				    "percentage, or unlimited",
		     line);
	return false;
}
