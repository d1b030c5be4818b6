/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into stap-merge --vmcore: the input is a dump of a
 * machine's memory in ELF.
 */
#include <stdint.h>
#include <string.h>

#include "harness/files.h"
#include "trace/messages.h"
#include "trace/source/join.h"
#include "trace/source/vmcore/vmcore.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_dump(char *const *names, unsigned n, uint8_t first)
{
	static const struct rotation none;
	struct filename null = { .pattern = "/dev/null", .module = "m", .host = "h", .cpu = -1 };
	struct output out;
	struct join j;

	if (series_output(&out, &null, &none))
		return;
	if (vmcore_open(&j, names[0], NULL, &out)) {
		j.records.quiet = true;
		join_run(&j);
		join_check(&j);
	}
	join_close(&j);
	output_close(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	message_setup(0, true);
	if (size && !(data[0] & 1) && (size < 12 || memcmp(data + 1, "KDUMP", 5)))
		files_give(data, size, read_dump);
	return 0;
}
