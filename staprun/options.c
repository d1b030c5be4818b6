/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. What only stapio needs is passed on unread; stapio judges it. */
#include "staprun/options.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "staprun/report.h"
#include "uapi/msg.h"

static const char help_text[] =
	"Usage: staprun [options] MODULE[.ko] [PARAM=VALUE...]\n"
	"       staprun -A [options] MODULE\n"
	"       staprun -d MODULE\n"
	"Loads a module made by stap, runs it, and removes it again.\n"
	"  MODULE      a path, or the name of a module in /lib/modules/RELEASE/systemtap\n"
	"  PARAM=VALUE sets a parameter of the module (a global of the script)\n"
	"  -o FILE     write the output to FILE; %h host, %m module, the rest as strftime(3)\n"
	"  -S SIZE[,N] begin a new file at that size (100M, 4G), or time (10m, 1h); keep N files\n"
	"  --compress  compress finished files with zstd\n"
	"  -b          a raw file for each CPU while the script runs, joined at the end\n"
	"  -M          with -b: leave the raw files (FILE_CPU, stpd_cpuCPU) for stap-merge\n"
	"  --json      one JSON object a line: records, warnings, errors, books\n"
	"  -c CMD      run CMD when the probes are in place, end with it\n"
	"  -x PID      set target() to PID, end with that process\n"
	"  --on-full=WHAT  when a buffer is full: drop (default), overwrite the oldest, throttle "
	"who prints\n"
	"  -s MB       size of each CPU's buffer\n"
	"  -G VAR=VALUE  set a global, as PARAM=VALUE does\n"
	"  -L          load and start the module, and leave it to itself, with "
	"--on-full=overwrite\n"
	"  -A          attach to a module that was left: MODULE is its name\n"
	"  -F          flight recorder: -L, with -o -D\n"
	"  -D          in the background; prints its process number; needs -o\n"
	"  -d          end and remove a module that was left; '*': all of them\n"
	"  -R          load it under a name of its own\n"
	"  -r N:URI    which of several machines this is: remote_id(), remote_uri()\n"
	"  -N PID      ns_pid() and the like see from that process's namespaces\n"
	"  -T MS       wait so long for output before looking again (100)\n"
	"  --timeout=S end the script after S seconds\n"
	"  -C WHEN     colours in messages: auto, always, never\n"
	"  -u          nothing: probes of programs need no module of their own\n"
	"  -t          print the books at the end: hits, delivered, dropped, skipped\n"
	"  --strict    exit status 5 when a hit was dropped or skipped\n"
	"  -w          no warnings\n"
	"  -v          say what is being done\n"
	"  -h, -V      help, version\n";

enum { OPT_STRICT = 256, OPT_COMPRESS, OPT_JSON, OPT_ON_FULL, OPT_TIMEOUT };

static const struct option long_options[] = {
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "compress", no_argument, NULL, OPT_COMPRESS },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "on-full", required_argument, NULL, OPT_ON_FULL },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* How stapio spells what getopt returned. */
static const struct passed {
	int c;
	const char *flag;
	bool has_argument;
} passed_options[] = {
	{ 'o', "-o", true },
	{ 'S', "-S", true },
	{ OPT_COMPRESS, "--compress", false },
	{ 'b', "-b", false },
	{ 'M', "-M", false },
	{ OPT_JSON, "--json", false },
	{ OPT_ON_FULL, "--on-full", true },
	{ OPT_TIMEOUT, "--timeout", true },
	{ 'A', "-A", false },
	{ 'T', "-T", true },
	{ 'C', "-C", true },
	{ 'c', "-c", true },
	{ 'x', "-x", true },
	{ 't', "-t", false },
	{ OPT_STRICT, "--strict", false },
	{ 'w', "-w", false },
	{ 'v', "-v", false },
};

static bool pass(struct options *o, const char *s)
{
	if (o->npassed == MAX_PASSED) {
		report_error("too many options");
		return false;
	}
	o->passed[o->npassed++] = s;
	return true;
}

static bool pass_option(struct options *o, int c)
{
	for (unsigned i = 0; i < sizeof(passed_options) / sizeof(passed_options[0]); i++) {
		const struct passed *p = &passed_options[i];
		if (p->c == c)
			return pass(o, p->flag) && (!p->has_argument || pass(o, optarg));
	}
	return false;
}

static bool give(struct options *o, const char *param)
{
	if (o->ngiven == MAX_GIVEN) {
		report_error("too many options");
		return false;
	}
	o->given[o->ngiven++] = param;
	return true;
}

static bool give_buffer(struct options *o)
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

static bool set_remote(struct options *o)
{
	size_t digits = strspn(optarg, "0123456789");

	if (!digits || digits > 9 || optarg[digits] != ':') {
		report_error("-r takes a number and a name, N:URI, not '%s'", optarg);
		return false;
	}
	o->remote = optarg;
	return true;
}

static bool set_namespaces(struct options *o)
{
	char *end;
	unsigned long pid = strtoul(optarg, &end, 10);

	if (*optarg < '1' || *optarg > '9' || *end || pid > INT_MAX) {
		report_error("-N takes the number of a process, not '%s'", optarg);
		return false;
	}
	o->namespaces_of = (unsigned)pid;
	return true;
}

static bool set_option(struct options *o, int c)
{
	o->command |= c == 'c';
	o->target |= c == 'x';
	o->output |= c == 'o';
	switch (c) {
	case '?':
		return false; // getopt_long has said it
	case 'u':
		return true; // the kernel's probes of programs need no module of their own any more
	case 'N':
		return set_namespaces(o);
	case 's':
		return give_buffer(o);
	case 'G':
		return give(o, optarg);
	case 'r':
		return set_remote(o);
	case 'F':
		o->flight = true;
		return true;
	case 'D':
		o->background = true;
		return true;
	case 'R':
		o->rename = true;
		return true;
	case 'A':
		o->attach = true;
		return pass_option(o, c);
	case 'L':
		o->leave = true;
		return true;
	case 'd':
		o->remove = true;
		return true;
	case 'v':
		// Once is enough for stapio.
		return o->verbose++ || pass_option(o, c);
	default:
		return pass_option(o, c);
	}
}

static enum options_result wrong(const char *what)
{
	report_error("%s (staprun -h lists the options)", what);
	return OPTIONS_WRONG;
}

enum options_result options_parse(int argc, char **argv, struct options *ret)
{
	int c;

	*ret = (struct options){ 0 };
	while ((c = getopt_long(argc, argv, "+o:S:bMs:G:c:x:dFLADRr:uT:C:N:twvhV", long_options,
				NULL)) != -1) {
		if (c == 'h' || c == 'V') {
			if (c == 'h')
				fputs(help_text, stdout);
			else
				printf("staprun (stap), module interface %d\n", STP_ABI);
			return OPTIONS_EXIT;
		}
		if (!set_option(ret, c))
			return OPTIONS_WRONG;
	}
	if (optind == argc)
		return wrong("no module named");
	ret->module = argv[optind];
	ret->params = argv + optind + 1;
	if (!*ret->module)
		return wrong("no module named");
	if (!ret->module[strspn(ret->module, "0123456789")])
		return wrong("the module's name is a number; -b and -M take none, the size of the "
			     "buffers is -s MB");
	if (ret->command && ret->target)
		return wrong("-c and -x exclude each other");
	if (ret->flight)
		*(ret->output ? &ret->background : &ret->leave) = true;
	if (ret->leave && !pass(ret, "-L"))
		return OPTIONS_WRONG;
	if (ret->attach && (ret->leave || ret->background || ret->rename || ret->remote ||
			    ret->namespaces_of || ret->buffer_mb || ret->ngiven || *ret->params))
		return wrong("-A goes without what loading takes: -L, -F, -D, -R, -r, -N, -s, -G "
			     "and parameters");
	if (ret->background && (ret->leave || !ret->output))
		return wrong("-D needs -o, and goes without -L");
	if (ret->leave && ret->command)
		return wrong("-L and -c exclude each other");
	if (ret->remove && (*ret->params || ret->buffer_mb || ret->ngiven ||
			    ret->npassed > (ret->verbose ? 1u : 0u)))
		return wrong("-d takes a module's name and nothing else");
	return OPTIONS_RUN;
}
