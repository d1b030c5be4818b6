/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer into staprun: its command line. The input is the arguments, each
 * ended by NUL.
 */
#include "staprun/options.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include "staprun/load.h"
#include "staprun/params.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST 600 /* more than staprun has room for */

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
	char text[8192], *argv[MOST + 2] = { "staprun" };
	int argc = 1;

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	for (size_t at = 0; at < size && argc <= MOST; at += strlen(text + at) + 1)
		argv[argc++] = text + at;
	look_at(argc, argv);
	return 0;
}
