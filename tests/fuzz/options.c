/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into staprun: its command line. The input is the arguments, each
 * ended by NUL.
 */
#include "staprun/options.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include "harness/arguments.h"
#include "staprun/load.h"
#include "staprun/params.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_at(int argc, char **argv)
{
	static struct options options;
	static struct params params;
	char name[MODULE_NAME_SIZE];

	optind = 0; /* getopt_long() begins anew */
	if (options_parse(argc, argv, &options) != OPTIONS_RUN)
		return;
	load_name(options.module, name);
	params = (struct params){ 0 };
	for (unsigned i = 0; i < options.ngiven; i++)
		if (!params_check(options.given[i]))
			params_add(&params, options.given[i]);
	for (char *const *p = options.params; *p; p++)
		if (!params_check(*p))
			params_add(&params, *p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char program[] = "staprun";

	arguments_give(data, size, program, look_at);
	return 0;
}
