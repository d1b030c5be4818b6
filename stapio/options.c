/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. */
#include "stapio/options.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stapio/messages.h"
#include "stapio/module.h"

#define VERSION_TEXT "stapio (stap), module interface %d\n"

static const char help_text[] =
	"Usage: stapio [options] --fds=CTL,FORMATS,PROBES,BOOKS,RING... MODULE\n"
	"Reads the output of a loaded module. staprun starts it; see staprun -h.\n"
	"  --fds=N,N,N,N...  descriptors of the module's files: ctl, formats, probes, books, "
	"ring.0, ring.1, ...\n"
	"  -o FILE     write the output to FILE; %h host, %m module, the rest as strftime(3)\n"
	"  -S SIZE[,N] begin a new file at that size (100M, 4G), or time (10m, 1h); keep N files\n"
	"  --compress  compress finished files with zstd\n"
	"  -b          a raw file for each CPU while the script runs, joined at the end\n"
	"  -M          with -b: leave the raw files (FILE_CPU, stpd_cpuCPU) for stap-merge\n"
	"  --json      one JSON object a line: records, warnings, errors, books\n"
	"  --on-full=WHAT  when a buffer is full: drop (default), overwrite the oldest, throttle "
	"who prints\n"
	"  -L          start the script and leave: it goes on by itself, with --on-full=overwrite\n"
	"  -A          attach to a script that was left\n"
	"  -T MS       wait so long for output before looking again (100)\n"
	"  --ready=N   write a byte to descriptor N when the script runs, and go to the "
	"background\n"
	"  -C WHEN     colours in messages: auto, always, never\n"
	"  --timeout=S end the script after S seconds\n"
	"  -c CMD      run CMD when the probes are in place, end with it\n"
	"  -x PID      set target() to PID, end with that process\n"
	"  -t          print the books at the end\n"
	"  --strict    exit status 5 when a hit was dropped or skipped\n"
	"  -w          no warnings\n"
	"  -v          say what is being done\n"
	"  -h, -V      help, version\n";

enum { OPT_FDS = 256, OPT_STRICT, OPT_COMPRESS, OPT_JSON, OPT_ON_FULL, OPT_TIMEOUT, OPT_READY };

static const struct option long_options[] = {
	{ "fds", required_argument, NULL, OPT_FDS },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "compress", no_argument, NULL, OPT_COMPRESS },
	{ "json", no_argument, NULL, OPT_JSON },
	{ "on-full", required_argument, NULL, OPT_ON_FULL },
	{ "ready", required_argument, NULL, OPT_READY },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
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
		message_warning("-o %s: %%m is the module's name; the month is %%Om, and %%F is a "
				"whole date",
				o->output);
	return !why;
}

static const char *const on_full_names[STP_ON_FULL_COUNT] = {
	[STP_DROP] = "drop", [STP_OVERWRITE] = "overwrite", [STP_THROTTLE] = "throttle",
};

static bool set_on_full(struct options *o)
{
	for (int i = 0; i < STP_ON_FULL_COUNT; i++) {
		if (strcmp(optarg, on_full_names[i]))
			continue;
		o->on_full = i;
		o->on_full_given = true;
		return true;
	}
	return wrong("--on-full is drop, overwrite or throttle");
}

static bool parse_whole(const char *s, long min, long max, long *ret)
{
	char *end;

	return parse_number(s, min, max, &end, ret) && !*end;
}

static bool parse_ready(struct options *o)
{
	long fd;

	if (!parse_whole(optarg, 3, INT_MAX, &fd))
		return false;
	o->ready = (int)fd;
	return true;
}

static bool set_color(void)
{
	if (!strcmp(optarg, "always") || !strcmp(optarg, "never"))
		message_color(*optarg == 'a');
	else if (strcmp(optarg, "auto"))
		return wrong("-C is auto, always or never");
	return true;
}

static bool set_rotation(struct options *o)
{
	const char *why = series_parse_rotation(optarg, &o->rotation);

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
		return parse_whole(optarg, 1, INT_MAX, &o->target) ||
		       wrong("-x needs the number of a process");
	case OPT_FDS:
		return parse_fds(optarg, m) ||
		       wrong("--fds needs at least five descriptors above 2");
	case 't':
		o->print_books = true;
		return true;
	case 'C':
		return set_color();
	case OPT_READY:
		return parse_ready(o) || wrong("--ready takes a descriptor");
	case 'A':
		o->attach = true;
		return true;
	case 'L':
		o->leave = true;
		return true;
	case 'T':
		return parse_whole(optarg, 1, 3600000, &o->wait_ms) ||
		       wrong("-T takes milliseconds, 1 and more");
	case OPT_TIMEOUT:
		return parse_whole(optarg, 1, 100000000, &o->timeout) ||
		       wrong("--timeout takes seconds, 1 and more");
	case OPT_ON_FULL:
		return set_on_full(o);
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

	*ret = (struct options){ .ready = -1 };
	message_color(isatty(STDERR_FILENO) && !getenv("NO_COLOR"));
	while ((c = getopt_long(argc, argv, "+o:S:bMc:x:ALT:C:twvhV", long_options, NULL)) != -1) {
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
	else if ((ret->rotation.bytes || ret->rotation.seconds || ret->rotation.compress) &&
		 !ret->output && !ret->keep_raw)
		wrong("-S and --compress need -o");
	else if (ret->attach && (ret->leave || ret->command || ret->target || ret->on_full_given))
		wrong("-A goes without -L, -c, -x and --on-full: the module runs already");
	else if (ret->leave && (ret->command || ret->output || ret->bulk || ret->json))
		wrong("-L goes without -c, -o, -b and --json: who attaches says where the output "
		      "goes");
	else if (ret->keep_raw && !ret->bulk)
		wrong("-M keeps the raw files of -b, which is not given");
	else if (ret->keep_raw && ret->json)
		wrong("--json is for text; of raw files it is made by stap-merge --json");
	else if (!ret->output || check_output(ret))
		return OPTIONS_RUN;
	return OPTIONS_WRONG;
}
