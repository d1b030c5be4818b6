/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into lket-b2a: the input is one file, or two of equal
 * length (first byte odd), of LKET or raw, which become text, and below /tmp bytes or,
 * with the first byte's bit 2, a database.
 */
#include <stdint.h>

#include "harness/directory.h"
#include "harness/files.h"
#include "trace/messages.h"
#include "trace/sink/lket/convert.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void convert(char *const *names, unsigned n, uint8_t first)
{
	static struct convert c;
	char database[64];
	struct convert_options options = { .full = first & 2,
					   .names = true,
					   .processes = true,
					   .ids = true,
					   .text_name = "/dev/null",
					   .bytes_dir = directory_own(),
					   .database = database };

	snprintf(database, sizeof(database), "sqlite:%s/db", directory_own());
	options.wanted[CONVERT_TEXT] = true;
	options.wanted[first & 4 ? CONVERT_TABLES : CONVERT_BYTES] = true;
	if (!convert_init(&c, &options))
		return;
	(rawtrace_is(names[0]) ? rawtrace_read : bytetrace_read)(&c, names, n);
	convert_deinit(&c);
	directory_empty();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	message_setup(0, true);
	files_give(data, size, convert);
	return 0;
}
