/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dtrace: makes the header or the object of a program's static markers from a provider file.
 *
 * Exit status: 0; 1 the provider file is wrong or a file or the compiler failed; 2 usage.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/path.h"
#include "base/process.h"
#include "base/strbuf.h"
#include "base/vec.h"
#include "dtrace/output.h"
#include "dtrace/provider.h"

enum { EXIT_OK, EXIT_FAILED, EXIT_USAGE };

typedef VEC(char *) words;

struct options {
	const char *source;
	const char *output;
	int make;            /* 'h' or 'G' */
	bool preprocess, keep, verbose, done;
	words cpp;           /* -I and -D */
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
	{ "no-pyparsing", no_argument, NULL, 'N' }, /* chose between two parsers of another implementation */
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
	return c == 'N';
}

/* Operands are what DTrace would look for probes in: object files. The notes in them need nobody's help. */
static int options_parse(struct arena *a, int argc, char **argv, struct options *o)
{
	int c;

	while ((c = getopt_long(argc, argv, "hGs:o:CI:D:kv", long_options, NULL)) != -1)
		if (!option(a, o, c))
			return usage(c == '?' ? "unknown option" : "-h and -G exclude each other");
	if (o->done)
		return EXIT_OK;
	if (!o->source)
		return usage("option -s names the provider file");
	if (!o->make)
		return usage("-h makes a header, -G an object file: which?");
	if (!o->output) {
		const char *slash = strrchr(o->source, '/'), *name = slash ? slash + 1 : o->source, *dot = strrchr(name, '.');

		o->output = arena_printf(a, "%.*s.%c", (int)(dot && dot != name ? dot - name : (int)strlen(name)), name,
					 o->make == 'h' ? 'h' : 'o');
	}
	return EXIT_OK;
}

/* ---- the compiler ---- */

static void add_words(struct arena *a, words *argv, const char *text)
{
	while (*(text += strspn(text, " \t\n"))) {
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
		vec_each(argv, i) fprintf(stderr, "%s%s", i ? " " : "", argv->data[i]);
		fputc('\n', stderr);
	}
	vec_push(a, argv, NULL);
	err = process_run(a, NULL, argv->data, false, &result);
	if (!err && result.status)
		err = error_create(a, ERROR_ENVIRONMENT, "dtrace: %s failed with status %d", argv->data[0], result.status);
	return err;
}

static void discard(const struct options *o, const char *file)
{
	if (!o->keep)
		unlink(file);
}

static struct error *read_source(struct arena *a, const struct options *o, char **text, size_t *len)
{
	const char *file = arena_printf(a, "%s.dtrace.i", o->output);
	words argv = { 0 };
	struct error *err;

	if (!o->preprocess)
		return path_read(a, o->source, text, len);
	compiler(a, &argv, false);
	add(a, &argv, (const char *const[]){ "-E", "-x", "c", NULL });
	vec_each(&o->cpp, i) vec_push(a, &argv, o->cpp.data[i]);
	add(a, &argv, (const char *const[]){ "-o", file, o->source, NULL });
	err = run(a, o, &argv);
	if (!err)
		err = path_read(a, file, text, len);
	discard(o, file);
	return err;
}

/* In place, not by rename: the output may be /dev/stdout. */
static struct error *write_text(struct arena *a, const char *file, const char *text)
{
	_cleanup_fclose_ FILE *f = fopen(file, "w");

	if (!f || fputs(text, f) == EOF || fflush(f))
		return error_errno(a, "%s", file);
	return NULL;
}

static struct error *make_object(struct arena *a, const struct options *o, const char *text)
{
	const char *file = arena_printf(a, "%s.dtrace.c", o->output);
	words argv = { 0 };
	struct error *err = write_text(a, file, text);

	if (err)
		return err;
	compiler(a, &argv, true);
	add(a, &argv, (const char *const[]){ "-fPIC", "-c", "-o", o->output, file, NULL });
	err = run(a, o, &argv);
	discard(o, file);
	return err;
}

int main(int argc, char **argv)
{
	struct arena *a = arena_create();
	struct options o = { 0 };
	provider_list providers = { 0 };
	struct error *err;
	char *text;
	size_t len;
	int status = options_parse(a, argc, argv, &o);

	if (status || o.done)
		return status;
	err = read_source(a, &o, &text, &len);
	if (!err)
		err = provider_parse(a, o.source, text, len, o.preprocess, &providers);
	if (!err)
		err = o.make == 'h' ? write_text(a, o.output, output_header(a, o.source, &providers)) :
				      make_object(a, &o, output_semaphores(a, o.source, &providers));
	if (err)
		return fail(err);
	arena_destroy(a);
	return EXIT_OK;
}
