/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into stap-merge: the input is one raw file, or two of
 * equal length (first byte odd), which are joined to text, or to JSON (second bit), with
 * the books.
 */
#include <stdint.h>

#include "harness/files.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/source/join.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct json json;

static void to_text(struct join *j)
{
}

static void to_json(struct join *j)
{
	json_start(&json, &j->records, j->nrings, j->module, j->host, &j->parts[0].header);
}

static void (*const forms[])(struct join *j) = { to_text, to_json };

static void join_all(char *const *names, unsigned n, uint8_t first)
{
	static const struct rotation none;
	struct filename null = { .pattern = "/dev/null", .module = "m", .host = "h", .cpu = -1 };
	struct output out;
	struct join j;

	if (series_output(&out, &null, &none))
		return;
	if (join_file_open(&j, names, n, &out)) {
		j.records.quiet = true;
		forms[(first & 2) >> 1](&j);
		join_run(&j);
		join_check(&j);
		if (j.has_books)
			records_books(&j.records, &j.books, j.merge.records, true);
	}
	join_close(&j);
	json_deinit(&json);
	output_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	message_setup(0, true);
	files_give(data, size, join_all);
	return 0;
}
