/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dtrace: makes the header or the object of a program's static markers from a provider
 * file.
 *
 * Exit status: 0; 1 the provider file is wrong or a file or the compiler failed; 2 usage.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dtrace/generate.h"
#include "dtrace/provider.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/outfile.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/streams.h"
#include "lib/subprocess.h"
#include "lib/vec.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE };

typedef VEC(char *) words;

struct options {
	const char *source;
	const char *output;
	int make; /* option letter: 'h' or 'G' */
	bool preprocess, keep, verbose, done;
	/*
	 * our own directory, because the compiler follows every link at the path of its
	 * output
	 */
	const char *work;
	words cpp; /* -I and -D */
};

static const char usage_text[] =
	"usage: dtrace -h|-G -s FILE.d [-o FILE] [-C [-I DIR] [-D NAME[=VALUE]]] [-k] [-v]\n"
	"  -h       make a header: a macro for each probe of the provider file\n"
	"  -G       make an object file: the semaphores\n"
	"  -s FILE  the provider file\n"
	"  -o FILE  the file to make; without it FILE.h or FILE.o in this directory\n"
	"  -C       run the C preprocessor on the provider file first; -I and -D are for it\n"
	"  -k       keep intermediate files: OUTPUT.dtrace.c, OUTPUT.dtrace.i\n"
	"  -v       print the commands that are run\n"
	"  -64, -32, -fpic, -fPIC, -x ARG, --types  ignored: objects fit all programs of $CFLAGS\n"
	"The compiler is $CC (cc), its options $CFLAGS.\n";

static int usage(const char *problem)
{
	fprintf(stderr, "dtrace: %s\n%s", problem, usage_text);
	return EXIT_USAGE;
}

static int fail(const struct error *err)
{
	fprintf(stderr, "%s\n", err->text);
	return EXIT_FAILED;
}

/* ---- options ---- */

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'H' },
	/* choose between two parsers of another implementation */
	{ "no-pyparsing", no_argument, NULL, 'N' },
	/* requests types of arguments in comments: they are always there */
	{ "types", no_argument, NULL, 'N' },
	{ 0 },
};

static bool option(struct arena *a, struct options *o, int c)
{
	switch (c) {
	case 'h':
	case 'G':
		if (o->make && o->make != c)
			return false;
		o->make = c;
		return true;
	case 's':
		o->source = optarg;
		return true;
	case 'o':
		o->output = optarg;
		return true;
	case 'I':
	case 'D':
		vec_push(a, &o->cpp, arena_printf(a, "-%c%s", c, optarg));
		return true;
	case 'C':
		return o->preprocess = true;
	case 'k':
		return o->keep = true;
	case 'v':
		return o->verbose = true;
	case 'H':
		printf("%s", usage_text);
		return o->done = true;
	}
	return c == 'N' || c == 'x';
}

/* Removes words that builds for DTrace pass: getopt() would read them as letters. */
static int drop_ignored(int argc, char **argv)
{
	static const char *const ignored[] = { "-64", "-32", "-fpic", "-fPIC" };
	int n = 0;

	for (int i = 0; i < argc; i++) {
		bool is_ignored = false;

		for (size_t k = 0; k < sizeof(ignored) / sizeof(ignored[0]); k++)
			is_ignored |= i > 0 && !strcmp(argv[i], ignored[k]);
		if (!is_ignored)
			argv[n++] = argv[i];
	}
	argv[n] = NULL;
	return n;
}

/*
 * Parses the options. Operands are accepted and not read: DTrace would search these
 * object files for probes, but their notes are complete.
 */
static int options_parse(struct arena *a, int argc, char **argv, struct options *o)
{
	int c;

	argc = drop_ignored(argc, argv);
	while ((c = getopt_long(argc, argv, "hGs:o:CI:D:kvx:", long_options, NULL)) != -1)
		if (!option(a, o, c))
			return usage(c == '?' ? "unknown option" : "-h and -G exclude each other");
	if (o->done)
		return EXIT_OK;
	if (!o->source)
		return usage("option -s names the provider file");
	if (!o->make)
		return usage("-h makes a header, -G an object file: which?");
	if (!o->output) {
		const char *slash = strrchr(o->source, '/'), *name = slash ? slash + 1 : o->source,
			   *dot = strrchr(name, '.');

		o->output = arena_printf(a, "%.*s.%c",
					 (int)(dot && dot != name ? dot - name : (int)strlen(name)),
					 name, o->make == 'h' ? 'h' : 'o');
	}
	return EXIT_OK;
}

/* ---- the compiler ---- */

/* Skips blanks, and escaped newlines as make(1) writes them. */
static const char *skip_blanks(const char *text)
{
	text += strspn(text, " \t\n");
	return text[0] == '\\' && text[1] == '\n' ? skip_blanks(text + 2) : text;
}

static void add_words(struct arena *a, words *argv, const char *text)
{
	while (*(text = skip_blanks(text))) {
		size_t len = strcspn(text, " \t\n");

		vec_push(a, argv, arena_strndup(a, text, len));
		text += len;
	}
}

static void compiler(struct arena *a, words *argv, bool with_flags)
{
	const char *cc = getenv("CC"), *flags = getenv("CFLAGS");

	add_words(a, argv, cc && *cc ? cc : "cc");
	if (with_flags && flags)
		add_words(a, argv, flags);
}

static void add(struct arena *a, words *argv, const char *const *more)
{
	for (; *more; more++)
		vec_push(a, argv, arena_strdup(a, *more));
}

static struct error *run(struct arena *a, const struct options *o, words *argv)
{
	struct process_result result;
	struct error *err;

	if (o->verbose) {
		vec_each(argv, i)
			fprintf(stderr, "%s%s", i ? " " : "", argv->data[i]);
		fputc('\n', stderr);
	}
	vec_push(a, argv, NULL);
	err = subprocess_run(a, NULL, argv->data, false, &result);
	if (!err && result.status)
		err = error_create(a, ERROR_ENVIRONMENT, "dtrace: %s failed with status %d",
				   argv->data[0], result.status);
	return err;
}

static const char *work_file(struct arena *a, const struct options *o, const char *suffix)
{
	const char *slash = strrchr(o->output, '/');

	return arena_printf(a, "%s/%s%s", o->work, slash ? slash + 1 : o->output, suffix);
}

/* Writes in place, not by rename: the output may be /dev/stdout. */
static struct error *write_file(struct arena *a, const char *file, const char *bytes, size_t len)
{
	struct outfile f;
	int rc = outfile_open(&f, file, 0666);
	FILE *to = rc ? NULL : fdopen(f.fd, "w");
	size_t written;

	if (rc)
		return error_create(a, ERROR_RUN, "%s: %s", file, outfile_error(&f, rc));
	close(f.dir);
	written = to ? fwrite(bytes, 1, len, to) : 0;
	if (!to || fclose(to) || written != len)
		return error_errno(a, "%s", file);
	return NULL;
}

static struct error *write_text(struct arena *a, const char *file, const char *text)
{
	return write_file(a, file, text, strlen(text));
}

/* Leaves a copy of an intermediate file next to the output, for -k. */
static struct error *keep(struct arena *a, const struct options *o, const char *file,
			  const char *suffix)
{
	struct error *err;
	char *text;
	size_t len;

	if (!o->keep)
		return NULL;
	err = path_read(a, file, &text, &len);
	return err ? err : write_file(a, arena_printf(a, "%s%s", o->output, suffix), text, len);
}

static struct error *read_source(struct arena *a, const struct options *o, char **text, size_t *len)
{
	const char *file;
	words argv = { 0 };
	struct error *err;

	if (!o->preprocess)
		return path_read(a, o->source, text, len);
	file = work_file(a, o, ".dtrace.i");
	compiler(a, &argv, false);
	add(a, &argv, (const char *const[]){ "-E", "-x", "c", NULL });
	vec_each(&o->cpp, i)
		vec_push(a, &argv, o->cpp.data[i]);
	add(a, &argv, (const char *const[]){ "-o", file, o->source, NULL });
	err = run(a, o, &argv);
	if (!err)
		err = path_read(a, file, text, len);
	return err ? err : keep(a, o, file, ".dtrace.i");
}

static struct error *make_object(struct arena *a, const struct options *o, const char *text)
{
	const char *file = work_file(a, o, ".dtrace.c"), *made = work_file(a, o, "");
	struct error *err = write_text(a, file, text);
	words argv = { 0 };
	char *object;
	size_t len;

	if (!err)
		err = keep(a, o, file, ".dtrace.c");
	if (err)
		return err;
	compiler(a, &argv, true);
	add(a, &argv, (const char *const[]){ "-fPIC", "-c", "-o", made, file, NULL });
	err = run(a, o, &argv);
	if (!err)
		err = path_read(a, made, &object, &len);
	return err ? err : write_file(a, o->output, object, len);
}

static struct error *make(struct arena *a, const struct options *o)
{
	provider_list providers = { 0 };
	struct error *err;
	char *text;
	size_t len;

	err = read_source(a, o, &text, &len);
	if (!err)
		err = provider_parse(a, o->source, text, len, o->preprocess, &providers);
	if (err)
		return err;
	return o->make == 'h' ? write_text(a, o->output, generate_header(a, o->source, &providers))
			      : make_object(a, o, generate_semaphores(a, o->source, &providers));
}

static struct error *make_in_directory(struct arena *a, struct options *o)
{
	const char *tmp = getenv("TMPDIR");
	char *work = arena_printf(a, "%s/dtraceXXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	struct error *err;

	if (!mkdtemp(work))
		return error_errno(a, "%s", work);
	o->work = work;
	err = make(a, o);
	path_remove_tree(work);
	return err;
}

static int end(int status)
{
	int error = streams_flush(stdout);

	if (error)
		fprintf(stderr, "dtrace: writing to standard output: %s\n", strerror(error));
	return error || streams_flush(stderr) ? EXIT_FAILED : status;
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	struct error *err;
	struct arena *a;
	int status;

	if (!streams_open())
		return EXIT_FAILED;
	a = arena_create();
	status = options_parse(a, argc, argv, &o);
	if (status || o.done)
		return status ? status : end(status);
	err = make_in_directory(a, &o);
	status = err ? fail(err) : EXIT_OK;
	arena_destroy(a);
	return end(status);
}
