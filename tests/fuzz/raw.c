/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into stap-merge: the input is one raw file, or two of
 * equal length (first byte odd), which are joined to text, or to JSON (second bit), with
 * the books.
 */
#define _GNU_SOURCE /* memfd_create */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stapio/join.h"
#include "stapio/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void join_all(char *const *names, unsigned n, bool as_json)
{
	static const struct rotation none;
	struct filename null = { .pattern = "/dev/null", .module = "m", .host = "h", .cpu = -1 };
	struct output out;
	struct join j;

	if (output_open(&out, &null, &none))
		return;
	if (join_file_open(&j, names, n, &out)) {
		j.records.as_json = as_json;
		j.records.quiet = true;
		if (as_json)
			json_start(&j.records.json, j.module, j.host, &j.parts[0].header);
		join_run(&j);
		join_check(&j);
		if (j.has_books && as_json)
			json_books(&j.records.json, &j.books, j.merge.records, true);
	}
	join_close(&j);
	output_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char names[2][32], *list[2] = { names[0], names[1] };
	unsigned n = size && data[0] & 1 ? 2 : 1;
	size_t each = size ? (size - 1) / n : 0;
	int fds[2];

	if (!size)
		return 0;
	for (unsigned i = 0; i < n; i++) {
		fds[i] = memfd_create("raw", 0);
		snprintf(names[i], sizeof(names[i]), "/proc/self/fd/%d", fds[i]);
		if (write(fds[i], data + 1 + i * each, each) != (ssize_t)each)
			return 0;
	}
	message_setup(0, true);
	join_all(list, n, data[0] & 2);
	for (unsigned i = 0; i < n; i++)
		close(fds[i]);
	return 0;
}
