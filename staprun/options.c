/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See options.h. Options that only stapio needs are passed on unread; stapio checks them.
 */
#include "staprun/options.h"

#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "staprun/report.h"

static const char usage_text[] =
	"Usage: staprun [options] MODULE[.ko]|PROGRAM.bpf [PARAM=VALUE...]\n"
	"       staprun -A [options] MODULE\n"
	"       staprun -d MODULE\n"
	"       staprun --status MODULE\n"
	"       staprun --globals MODULE\n"
	"       staprun --check MODULE.ko|PROGRAM.bpf\n"
	"Loads a module made by stap, runs it, and removes it again.\n"
	"  MODULE      a path, or the name of a module in /lib/modules/RELEASE/systemtap\n"
	"  PARAM=VALUE sets a parameter of the module (a global of the script)\n";

static bool pass(struct options *o, const char *s)
{
	if (o->npassed == MAX_PASSED) {
		report_error("too many options");
		return false;
	}
	o->passed[o->npassed++] = s;
	return true;
}

/* Passes an option on to stapio, spelled as in its row. */
static bool pass_row(struct options *o, const struct run_option *row)
{
	return pass(o, row->spelt) && (!row->arg || pass(o, optarg));
}

/* Passes an option on and records, in the row's member, that it was given. */
static bool note_row(struct options *o, const struct run_option *row)
{
	*(bool *)((char *)o + row->flag) = true;
	return pass_row(o, row);
}

static bool set_global(struct options *o, const struct run_option *row)
{
	if (o->ngiven == MAX_GIVEN) {
		report_error("too many options");
		return false;
	}
	o->given[o->ngiven++] = optarg;
	return true;
}

static bool set_buffer(struct options *o, const struct run_option *row)
{
	char *end;
	unsigned long mb = strtoul(optarg, &end, 10);

	if (*optarg < '1' || *optarg > '9' || *end || mb > 4095) {
		report_error("-s takes megabytes, from 1 to 4095, not '%s'", optarg);
		return false;
	}
	o->buffer_mb = (unsigned)mb;
	return true;
}

static bool set_remote(struct options *o, const struct run_option *row)
{
	size_t digits = strspn(optarg, "0123456789");

	if (!digits || digits > 9 || optarg[digits] != ':') {
		report_error("-r takes a number and a name, N:URI, not '%s'", optarg);
		return false;
	}
	o->remote = optarg;
	return true;
}

/* Returns the value's number, from 1; 0: it is not one. */
static int number_of(const char *value)
{
	char *end;
	unsigned long n = strtoul(value, &end, 10);

	return *value < '1' || *value > '9' || *end || n > INT_MAX ? 0 : (int)n;
}

static bool set_namespaces(struct options *o, const struct run_option *row)
{
	o->namespaces_of = (unsigned)number_of(optarg);
	if (!o->namespaces_of)
		report_error("-N takes the number of a process, not '%s'", optarg);
	return o->namespaces_of;
}

static bool set_cgroup(struct options *o, const struct run_option *row)
{
	o->cgroup = optarg;
	return true;
}

static bool set_container(struct options *o, const struct run_option *row)
{
	o->container = optarg;
	return true;
}

static bool set_switched(struct options *o, const struct run_option *row)
{
	o->switched = optarg;
	return true;
}

/*
 * Accepts only a file in memory, because writing to it has no other effect.
 */
static bool set_values(struct options *o, const struct run_option *row)
{
	int fd = number_of(optarg);

	if (!fd || fcntl(fd, F_GET_SEALS) < 0 || fcntl(fd, F_SETFD, FD_CLOEXEC)) {
		report_error("--values takes the descriptor of a file in memory, not '%s'", optarg);
		return false;
	}
	o->values = fd;
	return true;
}

static bool set_script(struct options *o, const struct run_option *row)
{
	o->script = optarg;
	return true;
}

/* Pass it to stapio only once. */
static bool set_verbose(struct options *o, const struct run_option *row)
{
	return o->verbose++ || pass_row(o, row);
}

/* The kernel's probes of programs no longer need a separate module. */
static bool set_nothing(struct options *o, const struct run_option *row)
{
	return true;
}

static const struct run_option rows[] = {
#define ROW_PASS(id, letter, name, arg, help) ROW(letter, name, arg, help, pass_row, 0)
#define ROW_NOTE(id, letter, name, arg, help) ROW(letter, name, arg, help, note_row, ROW_MEMBER(id))
#define IN_STAPRUN(words)		      words
#define RUN_OPTION(id, letter, name, arg, stap, staprun, stapio, help)                             \
	ROW_##staprun(id, letter, name, arg, help)
#include "uapi/run_options.def"
};

/* Each option that is passed on must be an option of the next program. */
enum { DOES_NO, DOES_PASS, DOES_NOTE, DOES_FLAG, DOES_SET };
#define RUN_OPTION(id, letter, name, arg, stap, staprun, stapio, help)                             \
	_Static_assert(DOES_##stap == DOES_NO || DOES_##staprun != DOES_NO, #id);                  \
	_Static_assert((DOES_##staprun != DOES_PASS && DOES_##staprun != DOES_NOTE) ||             \
			       DOES_##stapio != DOES_NO,                                           \
		       #id);
#include "uapi/run_options.def"

static const struct run_program program = {
	.usage = usage_text,
	.version = "staprun (stap), module interface %d\n",
	.rows = rows,
	.count = sizeof(rows) / sizeof(rows[0]),
};

static enum options_result wrong(const char *what)
{
	report_error("%s (staprun -h lists the options)", what);
	return OPTIONS_WRONG;
}

/* Returns how many requests there are that load no module. */
static int other_requests(const struct options *o)
{
	return o->remove + o->status + o->globals + o->check + (o->switched != NULL);
}

enum options_result options_parse(int argc, char **argv, struct options *ret)
{
	enum options_result result;

	*ret = (struct options){ 0 };
	result = run_options_parse(&program, argc, argv, ret);
	if (result != OPTIONS_RUN)
		return result;
	if (optind == argc)
		return wrong("no module named");
	ret->module = argv[optind];
	ret->params = argv + optind + 1;
	if (!*ret->module)
		return wrong("no module named");
	if (!ret->module[strspn(ret->module, "0123456789")])
		return wrong("the module's name is a number; the size of the buffers is -s MB");
	if (ret->command && ret->target)
		return wrong("-c and -x exclude each other");
	if (ret->flight)
		*(ret->output ? &ret->background : &ret->leave) = true;
	if (ret->leave && !pass(ret, "-L"))
		return OPTIONS_WRONG;
	if (ret->attach && (ret->leave || ret->background || ret->rename || ret->remote ||
			    ret->namespaces_of || ret->cgroup || ret->container || ret->buffer_mb ||
			    ret->ngiven || ret->script || *ret->params))
		return wrong("-A cannot be combined with options for loading: -L, -F, -D, -R, -r, "
			     "-N, -s, -G, --cgroup, --container, --script and parameters");
	if (ret->cgroup && ret->container)
		return wrong("--cgroup and --container exclude each other");
	if (ret->background && (ret->leave || !ret->output))
		return wrong("-D needs -o, and cannot be combined with -L");
	if (ret->leave && ret->command)
		return wrong("-L and -c exclude each other");
	if (other_requests(ret) > 0 &&
	    (*ret->params || ret->buffer_mb || ret->ngiven || ret->cgroup || ret->container ||
	     ret->script || ret->values || other_requests(ret) > 1 ||
	     ret->npassed > (ret->verbose ? 1u : 0u)))
		return wrong(ret->remove    ? "-d takes a module's name and nothing else"
			     : ret->check   ? "--check takes a file and nothing else"
			     : ret->status  ? "--status takes a module's name and nothing else"
			     : ret->globals ? "--globals takes a module's name and nothing else"
					    : "--switch takes a module's name and nothing else");
	return OPTIONS_RUN;
}
