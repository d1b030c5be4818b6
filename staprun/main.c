/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * staprun: loads a module made by stap, lets stapio run it without privilege, and removes it again, whatever
 * happens to stapio.
 *
 * Exit status: stapio's; 1 something failed; 2 usage; 4 the module was refused.
 */
#include <string.h>

#include "staprun/attach.h"
#include "staprun/daemon.h"
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

	if (!strcmp(o->module, "*"))
		return debugfs_ready() && remove_all_left() ? EXIT_OK : EXIT_FAILED;
	if (!load_name(o->module, name)) {
		say_error("%s: not a module's name", o->module);
		return EXIT_USAGE;
	}
	return debugfs_ready() && remove_on_request(name) ? EXIT_OK : EXIT_FAILED;
}

/* The module is loaded. It stays when it is to go on without a reader. */
static int run_and_remove(const struct options *o, const char *name, char **environment,
			  const struct run_signals *signals, int ready)
{
	static struct files files;
	int status = EXIT_FAILED;

	if (files_open(&files, name))
		status = run_stapio(o, &files, name, environment, signals, ready);
	files_close_control(&files);
	files_close_rings(&files);
	if (attach_is_kept(name))
		attach_say(name);
	else if (!remove_module(name))
		status = EXIT_FAILED;
	return status;
}

static bool set_params(const struct options *o, struct load *l)
{
	for (unsigned i = 0; i < o->ngiven; i++)
		if (!load_add_param(l, o->given[i]))
			return false;
	for (char *const *p = o->params; *p; p++)
		if (!load_add_param(l, *p))
			return false;
	return true;
}

static int load_and_run(const struct options *o, char **environment)
{
	static struct load load;
	struct run_signals signals;
	int ready = -1;

	if (!load_open(&load, o->module) || !set_params(o, &load))
		return EXIT_REFUSED;
	if (!debugfs_ready() || (o->background && !daemon_start(&ready)) || !run_block_signals(&signals))
		return EXIT_FAILED;
	if (!load_module(&load, o->rename))
		return EXIT_REFUSED;
	if (o->rename)
		say_verbose("the module's name is %s", load.name);
	return run_and_remove(o, load.name, environment, &signals, ready);
}

/* Somebody else's files, when another has attached in the meantime, are refused by files_open(). */
static int attach_and_run(const struct options *o, char **environment)
{
	struct run_signals signals;
	char name[MODULE_NAME_SIZE];

	if (!load_name(o->module, name)) {
		say_error("%s: not a module's name", o->module);
		return EXIT_USAGE;
	}
	if (!debugfs_ready() || !run_block_signals(&signals))
		return EXIT_FAILED;
	if (!remove_is_free(name))
		return EXIT_FAILED;
	return run_and_remove(o, name, environment, &signals, -1);
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
	if (options.remove)
		return remove_requested(&options);
	return options.attach ? attach_and_run(&options, environment) : load_and_run(&options, environment);
}
