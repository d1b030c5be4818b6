/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap-merge: joins the raw files that a run with -b -M has left, one for each CPU, to
 * the text that the run would have printed. Works on any machine: the files hold all that
 * is needed.
 *
 * Exit status: 0 fine; 1 something was missing or damaged, the readable rest has been
 * written; 2 usage; 5 hits were lost, with --strict.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "stapio/join.h"
#include "stapio/messages.h"
#include "stapio/sink/database.h"
#include "stapio/sink/sink.h"
#include "stapio/sink/spool.h"
#include "stapio/stream.h"
#include "user/dburl.h"
#include "user/streams.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_LOST = 5 };
enum { OPT_JSON = 256, OPT_TO, OPT_COMPRESS, OPT_STRICT };

static const char help_text[] =
	"Usage: stap-merge [options] FILE...\n"
	"Joins the raw files of stap -b -M, one for each CPU, in order of time.\n"
	"  -o FILE     write to FILE; %h host, %m module of the trace, the rest as strftime(3)\n"
	"  -S SIZE[,N] begin a new file at that size (100M, 4G); keep N files\n"
	"  --compress  compress finished files with zstd\n"
	"  --json      one JSON object a line: records, warnings, errors, books\n"
	"  --to KIND:WHERE  write data in place of text; FILE may be '-', what stap --to sends:\n";

static const char help_rest[] =
	"  -t          print the books at the end\n"
	"  --strict    exit status 5 when a hit was dropped or skipped\n"
	"  -v          [cpu,sequence,length] before each hit's output\n"
	"  -w          no warnings\n"
	"  -h, -V      help, version\n";

static const struct option long_options[] = {
	{ "json", no_argument, NULL, OPT_JSON },
	{ "to", required_argument, NULL, OPT_TO },
	{ "compress", no_argument, NULL, OPT_COMPRESS },
	{ "strict", no_argument, NULL, OPT_STRICT },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct options {
	const char *output;
	const char *to;
	struct rotation rotation;
	bool json, books, strict, verbose, no_warnings;
};

static bool set_option(int c, struct options *o)
{
	const char *wrong = NULL;

	switch (c) {
	case 'o':
		o->output = optarg;
		wrong = *optarg ? filename_check(optarg, false) : "-o needs the name of a file";
		break;
	case 'S':
		wrong = series_parse_rotation(optarg, &o->rotation);
		break;
	case OPT_COMPRESS:
		o->rotation.compress = true;
		break;
	case OPT_JSON:
		o->json = true;
		break;
	case OPT_TO:
		o->to = optarg;
		dburl_hide_password(optarg);
		wrong = sink_check(optarg);
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
		return false; /* getopt_long has reported it */
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

/* Parses the arguments. Returns an exit status; -1: go on. */
static int parse(int argc, char **argv, struct options *o)
{
	const char *wrong = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "o:S:tvwhV", long_options, NULL)) != -1) {
		if (c == 'h')
			return printed(print_help());
		if (c == 'V')
			return printed(printf("stap-merge (stap), raw files %d, with %s\n",
				      RAW_VERSION, database_list()));
		if (!set_option(c, o))
			return EXIT_USAGE;
	}
	if (optind == argc)
		wrong = "no files named";
	else if (o->json && o->verbose)
		wrong = "--json and -v exclude each other";
	else if (o->to && (o->json || o->verbose || o->output || o->rotation.bytes))
		wrong = "--to goes without --json, -v, -o and -S";
	if (!wrong)
		return -1;
	message_error("%s (stap-merge -h lists the options)", wrong);
	return EXIT_USAGE;
}

/* Opens the output, whose name may need data of the trace. */
static bool open_output(struct output *out, const struct join *j, const struct options *o)
{
	struct filename name = { .pattern = o->output, .module = j->module, .cpu = -1 };
	int rc;

	snprintf(name.host, sizeof(name.host), "%s", j->host);
	for (char *s = name.host; (s = strchr(s, '/'));)
		*s = '_';
	if (strchr(j->module, '/')) {
		message_error("the module's name has a slash");
		return false;
	}
	rc = output_open(out, o->output ? &name : NULL, &o->rotation);
	if (rc)
		message_error("%s: %s", out->name, output_wrong(out, rc));
	return !rc;
}

static void tee_message(void *ctx, const char *type, const char *text)
{
	json_message(ctx, type, text);
}

static bool open_sink(struct sink *s, struct join *j, const char *to, struct spool *spool)
{
	static struct sink_trace t;

	t = sink_trace_of(j);
	t.spool = spool;
	j->records.sink = s;
	return sink_open(s, to, &t);
}

static void run(struct join *j)
{
	if (j->is_stream)
		stream_run(j);
	else
		join_run(j);
}

static int merge_all(struct join *j, const struct options *o, struct spool *spool)
{
	struct sink sink;

	if (o->to && !open_sink(&sink, j, o->to, spool))
		return EXIT_FAILED;
	j->verbose = o->verbose;
	j->records.as_json = o->json;
	if (o->json) {
		json_start(&j->records.json, j->module, j->host, &j->parts[0].header);
		message_tee(tee_message, &j->records.json);
	}
	run(j);
	join_check(j);
	if (j->has_books && o->books)
		books_print(&j->books);
	else if (j->has_books)
		books_warn(&j->books);
	if (j->has_books && o->json)
		json_books(&j->records.json, &j->books, j->merge.records, true);
	message_tee(NULL, NULL);
	if (o->to && !sink_close(&sink, j->has_books ? &j->books : NULL))
		j->damaged = true;
	if (!output_close(j->output) || j->damaged)
		return EXIT_FAILED;
	return o->strict && books_lost(&j->books) ? EXIT_LOST : EXIT_OK;
}

static bool is_stream(char **names, unsigned n)
{
	return n == 1 && !strcmp(names[0], "-");
}

/* Has the input wait for a database. False: it cannot, which has been reported. */
static bool open_spool(const struct options *o, bool stream, struct spool **ret)
{
	*ret = NULL;
	if (o->to && stream && sink_spools(o->to))
		*ret = spool_start(STDIN_FILENO, SPOOL_BOUND);
	return *ret || !o->to || !stream || !sink_spools(o->to);
}

static bool open_files(struct join *j, char **names, unsigned n, struct spool *spool,
		       struct output *o)
{
	bool ok;

	*j = (struct join){ 0 };
	if (!is_stream(names, n))
		return join_file_open(j, names, n, o);
	ok = stream_open(j, spool ? spool_stream(spool) : stdin, o);
	if (ok && spool)
		spool_keep(spool, j->at);
	return ok;
}

int main(int argc, char **argv)
{
	static struct output output;
	struct options options = { 0 };
	struct spool *spool;
	struct join join;
	char **names;
	unsigned n;
	int status;

	if (!streams_open())
		return EXIT_FAILED;
	status = parse(argc, argv, &options);
	if (status >= 0)
		return status;
	message_setup(0, options.no_warnings);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	status = EXIT_FAILED;
	names = argv + optind;
	n = (unsigned)(argc - optind);
	if (!open_spool(&options, is_stream(names, n), &spool))
		return EXIT_FAILED;
	if (open_files(&join, names, n, spool, &output) && open_output(&output, &join, &options))
		status = merge_all(&join, &options, spool);
	join_close(&join);
	if (spool)
		spool_end(spool);
	return message_lost() || streams_flush(stderr) ? EXIT_FAILED : status;
}
