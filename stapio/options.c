/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. */
#include "stapio/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stapio/messages.h"
#include "stapio/module.h"

#define VERSION_TEXT "stapio (stap), module interface %d\n"

static const char help_text[] =
	"Usage: stapio [options] --fds=CTL,FORMATS,PROBES,BOOKS,RING... MODULE\n"
	"Reads the output of a loaded module. staprun starts it; see staprun -h.\n"
	"  --fds=N,N,N,N...  descriptors of the module's files: ctl, formats, probes, books, ring.0, ring.1, ...\n"
	"  -o FILE     write the output to FILE; %h host, %m module, the rest as strftime(3)\n"
	"  -S SIZE[,N] begin a new file at that size (100M, 4G), or time (10m, 1h); keep N files\n"
	"  --compress  compress finished files with zstd\n"
	"  -b          a raw file for each CPU while the script runs, joined at the end\n"
	"  -M          with -b: leave the raw files (FILE_CPU, stpd_cpuCPU) for stap-merge\n"
	"  --json      one JSON object a line: records, warnings, errors, books\n"
	"  -c CMD      run CMD when the probes are in place, end with it\n"
	"  -x PID      set target() to PID, end with that process\n"
	"  -t          print the books at the end\n"
	"  --strict    exit status 5 when a hit was dropped or skipped\n"
	"  -w          no warnings\n"
	"  -v          say what is being done\n"
	"  -h, -V      help, version\n";

enum { OPT_FDS = 256, OPT_STRICT, OPT_COMPRESS, OPT_JSON };

static const struct option long_options[] = {
	{ "fds", required_argument, NULL, OPT_FDS },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "compress", no_argument, NULL, OPT_COMPRESS },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static bool parse_number(const char *s, long min, long max, char **end, long *ret)
{
	errno = 0;
	*ret = strtol(s, end, 10);
	return *end != s && !errno && *ret >= min && *ret <= max;
}

/* The n-th descriptor of --fds. */
static bool add_fd(struct module *m, unsigned n, int fd)
{
	int *const first[] = { &m->ctl, &m->formats, &m->probes, &m->books };

	if (n < 4) {
		*first[n] = fd;
		return true;
	}
	if (m->nrings == MODULE_MAX_RINGS)
		return false;
	m->rings[m->nrings++] = fd;
	return true;
}

static bool parse_fds(const char *s, struct module *m)
{
	m->nrings = 0;
	for (unsigned n = 0;; n++) {
		char *end;
		long fd;

		if (!parse_number(s, 3, INT_MAX, &end, &fd) || !add_fd(m, n, (int)fd))
			return false;
		if (!*end)
			return n >= 4;
		if (*end != ',')
			return false;
		s = end + 1;
	}
}

static bool parse_pid(const char *s, long *ret)
{
	char *end;

	return parse_number(s, 1, INT_MAX, &end, ret) && !*end;
}

static bool wrong(const char *what)
{
	message_error("%s (stapio -h lists the options)", what);
	return false;
}

static bool check_output(const struct options *o)
{
	const char *why = filename_check(o->output, o->keep_raw);

	if (why)
		message_error("-o %s: %s", o->output, why);
	else if (filename_looks_like_date(o->output))
		message_warning("-o %s: %%m is the module's name; the month is %%Om, and %%F is a whole date",
				o->output);
	return !why;
}

static bool set_rotation(struct options *o)
{
	const char *why = rotation_parse(optarg, &o->rotation);

	return !why || wrong(why);
}

static bool set_option(int c, struct options *o, struct module *m)
{
	switch (c) {
	case 'o':
		o->output = optarg;
		return *optarg || wrong("-o needs the name of a file");
	case 'b':
		o->bulk = true;
		return true;
	case 'M':
		o->keep_raw = true;
		return true;
	case 'S':
		return set_rotation(o);
	case OPT_COMPRESS:
		o->rotation.compress = true;
		return true;
	case 'c':
		o->command = optarg;
		return *optarg || wrong("-c needs a command");
	case 'x':
		return parse_pid(optarg, &o->target) || wrong("-x needs the number of a process");
	case OPT_FDS:
		return parse_fds(optarg, m) || wrong("--fds needs at least five descriptors above 2");
	case 't':
		o->print_books = true;
		return true;
	case OPT_JSON:
		o->json = true;
		return true;
	case OPT_STRICT:
		o->strict = true;
		return true;
	case 'w':
		o->no_warnings = true;
		return true;
	case 'v':
		o->verbose++;
		return true;
	default:
		return false; // getopt_long has said it
	}
}

enum options_result options_parse(int argc, char **argv, struct options *ret, struct module *m)
{
	int c;

	*ret = (struct options){ 0 };
	while ((c = getopt_long(argc, argv, "+o:S:bMc:x:twvhV", long_options, NULL)) != -1) {
		if (c == 'h' || c == 'V') {
			if (c == 'h')
				fputs(help_text, stdout);
			else
				printf(VERSION_TEXT, STP_ABI);
			return OPTIONS_EXIT;
		}
		if (!set_option(c, ret, m))
			return OPTIONS_WRONG;
	}
	ret->module = argv[optind];
	if (!ret->module || argv[optind + 1])
		wrong("one module has to be named");
	else if (!m->nrings)
		wrong("--fds is missing: stapio is started by staprun");
	else if (ret->command && ret->target)
		wrong("-c and -x exclude each other");
	else if ((ret->rotation.bytes || ret->rotation.seconds || ret->rotation.compress) && !ret->output &&
		 !ret->keep_raw)
		wrong("-S and --compress need -o");
	else if (ret->keep_raw && !ret->bulk)
		wrong("-M keeps the raw files of -b, which is not given");
	else if (ret->keep_raw && ret->json)
		wrong("--json is for text; of raw files it is made by stap-merge --json");
	else if (!ret->output || check_output(ret))
		return OPTIONS_RUN;
	return OPTIONS_WRONG;
}
