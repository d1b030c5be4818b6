/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See options.h. */
#include "merge/options.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/dburl.h"
#include "lib/filename.h"
#include "lib/streams.h"
#include "trace/messages.h"
#include "trace/sink/database.h"
#include "trace/sink/sink.h"
#include "trace/source/raw.h"

#define ASKED(form) (1u << MERGEFORM_##form)

enum {
	OPT_JSON = 256,
	OPT_TO,
	OPT_COMPRESS,
	OPT_STRICT,
	OPT_VMCORE,
	OPT_VMLINUX,
	OPT_FROM,
	OPT_TO_TIME,
	OPT_STORED,
};

static const char help_text[] =
	"Usage: stap-merge [options] FILE...\n"
	"       stap-merge [options] --vmcore FILE [MODULE]\n"
	"Joins the raw files of stap -b -M, one for each CPU, in order of time.\n"
	"  -b          write raw files again, of the selected part: FILE_0 and so on with -o FILE\n"
	"  -o FILE     write to FILE; %h host, %m module of the trace, the rest as strftime(3)\n"
	"  -S SIZE[,N] begin a new file at that size (100M, 4G); keep N files\n"
	"  --compress  compress finished files with zstd\n"
	"  --json      one JSON object per line: records, warnings, errors, books\n"
	"  --to KIND:WHERE  write data, not text; FILE may be '-', the stream of stap --to:\n";

static const char help_rest[] =
	"  --from TIME leave out earlier output: SECONDS since the start, @SECONDS\n"
	"              since the epoch, HH:MM:SS, 'YYYY-MM-DD HH:MM:SS', and parts of a second\n"
	"  --to-time TIME  leave out later output\n"
	"  --vmcore FILE  read a module's records from a dump of the machine's memory\n"
	"  --vmlinux FILE  accepted, but not needed: the module describes itself\n"
	"  -t          print the books at the end\n"
	"  --strict    exit status 5 when a hit was dropped or skipped\n"
	"  --stored FD  tell in that open file how many records are stored\n"
	"  -v          [cpu,sequence,length] before each hit's output\n"
	"  -w          no warnings\n"
	"  -h, -V      help, version\n";

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPT_JSON },
	{ "to", required_argument, NULL, OPT_TO },
	{ "compress", no_argument, NULL, OPT_COMPRESS },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "to-time", required_argument, NULL, OPT_TO_TIME },
	{ "vmcore", required_argument, NULL, OPT_VMCORE },
	{ "vmlinux", required_argument, NULL, OPT_VMLINUX },
	{ "stored", required_argument, NULL, OPT_STORED },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

#ifdef HAVE_KDUMPFILE
#define HAVE_KDUMPFILE_TEXT ", with libkdumpfile"
#else
#define HAVE_KDUMPFILE_TEXT ", without libkdumpfile"
#endif

#ifdef HAVE_KAFKA
#define HAVE_KAFKA_TEXT ", with librdkafka"
#else
#define HAVE_KAFKA_TEXT ", without librdkafka"
#endif

static bool set_option(int c, struct options *o)
{
	const char *wrong = NULL;

	switch (c) {
	case 'b':
		o->asked |= ASKED(raw);
		break;
	case 'o':
		o->output = optarg;
		wrong = *optarg ? filename_check(optarg, true) : "-o needs the name of a file";
		break;
	case 'S':
		wrong = series_parse_rotation(optarg, &o->rotation);
		break;
	case OPT_COMPRESS:
		o->rotation.compress = true;
		break;
	case OPT_JSON:
		o->asked |= ASKED(json);
		break;
	case OPT_TO:
		o->asked |= ASKED(sink);
		o->sink = optarg;
		dburl_hide_password(optarg);
		wrong = sink_check(optarg);
		break;
	case OPT_FROM:
		o->has_from = true;
		wrong = moment_parse(optarg, &o->from);
		break;
	case OPT_TO_TIME:
		o->has_to_time = true;
		wrong = moment_parse(optarg, &o->to_time);
		break;
	case OPT_VMCORE:
		o->vmcore = optarg;
		break;
	case OPT_VMLINUX:
		break; /* the module describes itself: the kernel is not needed */
	case OPT_STORED:
		o->stored = atoi(optarg);
		wrong = fcntl(o->stored, F_SETFD, FD_CLOEXEC) ? "--stored takes a descriptor"
							      : NULL;
		break;
	case OPT_STRICT:
		o->strict = true;
		break;
	case 't':
		o->books = true;
		break;
	case 'v':
		o->verbose = true;
		break;
	case 'w':
		o->no_warnings = true;
		break;
	default:
		return false; /* getopt_long() has reported it */
	}
	if (wrong)
		message_error("%s (stap-merge -h lists the options)", wrong);
	return !wrong;
}

static int print_help(void)
{
	fputs(help_text, stdout);
	sink_list();
	return fputs(help_rest, stdout);
}

static int printed(int result)
{
	int error = result < 0 ? errno : streams_flush(stdout);

	if (error)
		message_error("writing stdout: %s", strerror(error));
	return error ? EXIT_FAILED : EXIT_OK;
}

/* Sets the form. Returns an error text if other options conflict with it, or NULL. */
static const char *choose_form(struct options *o)
{
	unsigned asked = o->asked | ASKED(text);
	bool raw = asked & ASKED(raw), json = asked & ASKED(json), sink = asked & ASKED(sink);

	o->form = (enum mergeform)(ffs((int)asked) - 1); // the first one in the order of the rows
	if (json && o->verbose)
		return "--json and -v exclude each other";
	if (raw && (json || sink || o->verbose))
		return "-b cannot be combined with --json, --to or -v";
	if (o->output && !raw && filename_has_cpu(o->output))
		return "-o: %c is the CPU of a raw file, of -b";
	if (sink && (json || o->verbose || o->output || o->rotation.bytes))
		return "--to cannot be combined with --json, -v, -o or -S";
	return NULL;
}

int options_parse(int argc, char **argv, struct options *o)
{
	const char *wrong = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "bo:S:tvwhV", long_options, NULL)) != -1) {
		if (c == 'h')
			return printed(print_help());
		if (c == 'V')
			return printed(printf("stap-merge (stap), raw files %d, with %s%s\n",
					      RAW_VERSION, database_list(),
					      HAVE_KAFKA_TEXT HAVE_KDUMPFILE_TEXT));
		if (!set_option(c, o))
			return EXIT_USAGE;
	}
	o->names = argv + optind;
	o->count = (unsigned)(argc - optind);
	if (o->vmcore && o->count > 1)
		wrong = "--vmcore takes one module's name";
	else if (!o->count && !o->vmcore)
		wrong = "no files named";
	else
		wrong = choose_form(o);
	if (!wrong)
		return -1;
	message_error("%s (stap-merge -h lists the options)", wrong);
	return EXIT_USAGE;
}
