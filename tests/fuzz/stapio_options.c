/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into stapio: its command line, and the names of files in it. The
 * input is the arguments, each ended by NUL.
 */
#include "stapio/options.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include "harness/arguments.h"
#include "lib/filename.h"
#include "trace/source/module.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(int argc, char **argv)
{
	struct filename name = { .module = "m", .host = "h", .cpu = 3 };
	static struct options options;
	static struct module module;
	char path[PATH_MAX];

	optind = 0; /* getopt_long() begins anew */
	memset(&module, 0, sizeof(module));
	if (options_parse(argc, argv, &options, &module) != OPTIONS_RUN || !options.output)
		return;
	name.pattern = options.output;
	filename_has_cpu(options.output);
	filename_expand(&name, 1700000000, path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char program[] = "stapio";

	arguments_give(data, size, program, look_at);
	return 0;
}
