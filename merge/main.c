/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap-merge: joins the raw files that a run with -b -M has left, one for each CPU, to
 * the text that the run would have printed. Works on any machine: the files hold all that
 * is needed.
 *
 * Exit status: 0 fine; 1 something was missing or damaged, the readable rest has been
 * written; 2 usage; 5 hits were lost, with --strict; 141 nobody reads standard output.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/dburl.h"
#include "lib/streams.h"
#include "trace/form/json.h"
#include "trace/messages.h"
#include "trace/progress.h"
#include "trace/sink/database.h"
#include "trace/sink/sink.h"
#include "trace/sink/spool.h"
#include "trace/sink/stored.h"
#include "trace/sink/storedlines.h"
#include "trace/source/join.h"
#include "trace/source/raw.h"
#include "trace/source/stream.h"
#include "trace/source/vmcore/vmcore.h"
#include "trace/moment.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_LOST = 5 };
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

struct options {
	const char *output;
	const char *to;
	const char *vmcore;
	struct rotation rotation;
	struct moment from, to_time;
	int stored; /* the descriptor of --stored, or -1 */
	bool has_from, has_to_time;
	bool raw, json, books, strict, verbose, no_warnings;
};

static bool set_option(int c, struct options *o)
{
	const char *wrong = NULL;

	switch (c) {
	case 'b':
		o->raw = true;
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
		o->json = true;
		break;
	case OPT_TO:
		o->to = optarg;
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
		break; /* the module describes itself: nothing of the kernel's is needed */
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
	if (o->vmcore && argc - optind > 1)
		wrong = "--vmcore takes one module's name";
	else if (optind == argc && !o->vmcore)
		wrong = "no files named";
	else if (o->json && o->verbose)
		wrong = "--json and -v exclude each other";
	else if (o->raw && (o->json || o->verbose || o->to))
		wrong = "-b cannot be combined with --json, --to or -v";
	else if (o->output && !o->raw && filename_has_cpu(o->output))
		wrong = "-o: %c is the CPU of a raw file, of -b";
	else if (o->to && (o->json || o->verbose || o->output || o->rotation.bytes))
		wrong = "--to cannot be combined with --json, -v, -o or -S";
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

	if (o->raw)
		name.pattern = NULL;
	snprintf(name.host, sizeof(name.host), "%s", j->host);
	for (char *s = name.host; (s = strchr(s, '/'));)
		*s = '_';
	if (strchr(j->module, '/')) {
		message_error("the module's name has a slash");
		return false;
	}
	rc = output_open(out, name.pattern ? &name : NULL, &o->rotation);
	if (rc)
		message_error("%s: %s", out->name, output_wrong(out, rc));
	return !rc;
}

/* True: the file is one of those that are read. */
static bool is_input(const struct join *j, const char *name)
{
	struct stat a, b;

	if (stat(name, &a))
		return false;
	for (unsigned i = 0; i < j->nparts; i++)
		if (!stat(j->parts[i].name, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
			message_error("%s: it would be written over while it is read", name);
			return true;
		}
	return false;
}

/* Sets up the raw files that -b writes. */
static bool open_raw(struct raw *r, struct join *j, const struct options *o)
{
	struct filename name = { .pattern = raw_pattern(o->output), .module = j->module };
	char path[PATH_MAX];

	snprintf(name.host, sizeof(name.host), "%s", j->host);
	for (char *s = name.host; (s = strchr(s, '/'));)
		*s = '_';
	for (unsigned i = 0; name.pattern && i < j->nrings; i++) {
		name.cpu = i + 1 == j->nrings ? FILENAME_SLOW : (int)i;
		if (!filename_expand(&name, time(NULL), path) && is_input(j, path))
			return false;
	}
	if (!name.pattern || raw_init(r, &name, &o->rotation, &j->tables, j->nrings)) {
		message_error("-b: no memory");
		return false;
	}
	r->header.session = j->parts[0].header.session;
	r->header.monotonic = j->parts[0].header.monotonic;
	raw_start(r, &j->records);
	return true;
}

static bool open_sink(struct sink *s, struct join *j, const char *to, struct spool *spool,
		      struct stored *stored)
{
	static struct sink_trace t;

	t = sink_trace_of(j);
	t.spool = spool;
	t.stored = stored;
	if (!sink_open(s, to, &t))
		return false;
	sink_start(s, &j->records);
	return true;
}

/* The moment that a trace's times count from is the start of its run. */
static void choose_times(struct join *j, const struct options *o)
{
	const struct raw_header *h = &j->parts[0].header;

	if (o->has_from || o->has_to_time)
		join_between(j, o->has_from ? moment_time(&o->from, h->session, h->monotonic) : 0,
			     o->has_to_time ? moment_time(&o->to_time, h->session, h->monotonic)
					    : UINT64_MAX);
}

/* Where the terminal does not have the output itself. */
static void show_progress(const struct join *j, const struct options *o)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < j->nparts; i++)
		total += j->parts[i].size;
	if (total && (o->raw || o->to || o->output || !isatty(STDOUT_FILENO)))
		progress_begin(total);
}

/* Has the writer of a stream of lines told which of them are stored. */
static void count_lines(struct join *j, struct stored *stored)
{
	static struct storedlines lines;

	lines = (struct storedlines){ .output = j->output, .stored = stored, .since = sink_now() };
	j->lines = &lines;
	j->line = storedlines_record;
}

/* Ends what the trace was given to. False: it failed. */
static bool close_output(struct join *j, struct sink *sink, struct stored *stored)
{
	bool ok = !sink || sink_close(sink, j->has_books ? &j->books : NULL);

	// A stream that was cut off is what is left of a run.
	if (sink && j->cut_off && !sink->form.over)
		message_error("%s: %" PRIu64 " records are stored", "standard input",
			      stored_sum(stored));
	ok &= output_close(j->output);
	if (j->lines)
		storedlines_settle(j->lines);
	return ok;
}

static int merge_all(struct join *j, const struct options *o, struct spool *spool,
		     struct stored *stored)
{
	struct sink sink = { .form.over = false };
	struct json json = { .form.over = false };
	struct raw raw;
	bool closed;

	if (o->raw && !open_raw(&raw, j, o))
		return EXIT_FAILED;
	if (o->to && !open_sink(&sink, j, o->to, spool, stored))
		return EXIT_FAILED;
	if (o->stored >= 0 && !o->to)
		count_lines(j, stored);
	j->verbose = o->verbose;
	if (o->json) {
		json_start(&json, &j->records, j->nrings, j->module, j->host, &j->parts[0].header);
		json_messages(&json);
	}
	choose_times(j, o);
	show_progress(j, o);
	join_run(j);
	progress_end();
	if (!output_reader_left(j->output) && !sink.form.over)
		join_check(j); // the rest was not read
	if (j->has_books && o->books)
		books_print(&j->books);
	else if (j->has_books)
		books_warn(&j->books, message_warning);
	if (j->has_books)
		records_books(&j->records, &j->books, j->merge.records, true);
	message_tee(NULL, NULL);
	json_deinit(&json);
	if (o->raw && !raw_close(&raw, j->books_copy))
		j->damaged = true;
	closed = close_output(j, o->to ? &sink : NULL, stored);
	if (output_reader_left(j->output))
		return STREAMS_READER_LEFT;
	if (!closed || j->damaged)
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

static bool open_files(struct join *j, const struct options *options, char **names, unsigned n,
		       struct spool *spool, struct output *o)
{
	bool ok;

	*j = (struct join){ 0 };
	if (options->vmcore)
		return vmcore_open(j, options->vmcore, n ? names[0] : NULL, o);
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
	struct options options = { .stored = -1 };
	struct stored stored = { 0 };
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
	if (!open_spool(&options, !options.vmcore && is_stream(names, n), &spool))
		return EXIT_FAILED;
	if (open_files(&join, &options, names, n, spool, &output) &&
	    open_output(&output, &join, &options) &&
	    stored_open(&stored, options.stored, join.tables.probes.count))
		status = merge_all(&join, &options, spool, &stored);
	stored_close(&stored);
	join_close(&join);
	if (spool)
		spool_end(spool);
	return message_lost() || streams_flush(stderr) ? EXIT_FAILED : status;
}
