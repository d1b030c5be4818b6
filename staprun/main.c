/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun: loads a module made by stap, lets stapio run it without privilege, and removes it again, whatever
 * happens to stapio.
 *
 * Exit status: stapio's; 1 something failed; 2 usage; 4 the module was refused.
 */
#include "staprun/debugfs.h"
#include "staprun/load.h"
#include "staprun/options.h"
#include "staprun/privileges.h"
#include "staprun/remove.h"
#include "staprun/run.h"
#include "staprun/say.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_REFUSED = 4 };

static int remove_requested(const struct options *o)
{
	char name[MODULE_NAME_SIZE];

	if (!load_name(o->module, name)) {
		say_error("%s: not a module's name", o->module);
		return EXIT_USAGE;
	}
	return debugfs_ready() && remove_on_request(name) ? EXIT_OK : EXIT_FAILED;
}

static int load_and_run(const struct options *o, char **environment)
{
	static struct load load;
	static struct files files;
	struct run_signals signals;
	int status = EXIT_FAILED;

	if (!load_open(&load, o->module) || !load_set_params(&load, o->params))
		return EXIT_REFUSED;
	if (!debugfs_ready() || !run_block_signals(&signals))
		return EXIT_FAILED;
	if (!load_module(&load))
		return EXIT_REFUSED;
	if (files_open(&files, load.name))
		status = run_stapio(o, &files, load.name, environment, &signals);
	files_close_control(&files);
	files_close_rings(&files);
	if (!remove_module(load.name))
		status = EXIT_FAILED;
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	char **environment;

	if (!privileges_prepare(&environment))
		return EXIT_FAILED;
	switch (options_parse(argc, argv, &options)) {
	case OPTIONS_EXIT:
		return EXIT_OK;
	case OPTIONS_WRONG:
		return EXIT_USAGE;
	case OPTIONS_RUN:
		break;
	}
	say_verbosity = options.verbose;
	if (!privileges_check())
		return EXIT_REFUSED;
	return options.remove ? remove_requested(&options) : load_and_run(&options, environment);
}
