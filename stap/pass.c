/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stap/pass.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sdt.h>
#include <time.h>
#include <unistd.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/diag.h"
#include "base/optioncommand.h"
#include "base/options.h"
#include "base/session.h"
#include "build/build.h"
#include "estimate/estimate.h"
#include "kernel/kernel.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/streams.h"
#include "module/module.h"
#include "opt/opt.h"
#include "parse/parse.h"
#include "parse/reformat.h"
#include "sem/listing.h"
#include "sem/sem.h"
#include "sem/tapset.h"
#include "stap/doc/doc.h"
#include "stap/run/launch.h"

/* ---- 1 ---- */

static struct error *read_stdin(struct session *s, char **text, size_t *len)
{
	return path_read(s->arena, "/dev/stdin", text, len);
}

/*
 * Adds a source. An empty source is a mistake: a file that was not saved, or a shell
 * variable that is not set.
 */
static struct error *add_source(struct session *s, struct source *src)
{
	unsigned errors = s->errors;
	struct unit *u = parse_source(s, src);

	vec_push(s->arena, &s->program->units, u);
	if (s->errors > errors || u->probes.count + u->aliases.count + u->functions.count +
					  u->globals.count + u->embeds.count)
		return NULL;
	return error_create(s->arena, ERROR_SCRIPT, "the script %s is empty", src->name);
}

static struct error *read_file(struct session *s, const char *path, struct source **ret)
{
	struct error *err;
	char *text;
	size_t len;

	err = strcmp(path, "-") ? path_read(s->arena, path, &text, &len)
				: read_stdin(s, &text, &len);
	if (err) {
		diag_page(s, PAGE_READING);
		return error_create(s->arena, ERROR_SCRIPT, "cannot read the script: %s",
				    err->text);
	}
	*ret = source_from_text(s->arena, strcmp(path, "-") ? path : "<stdin>", text, len);
	return NULL;
}

static struct error *add_file(struct session *s, const char *path)
{
	struct source *src;
	struct error *err = read_file(s, path, &src);

	return err ? err : add_source(s, src);
}

static struct error *add_text(struct session *s, const char *text)
{
	return add_source(s, source_from_text(s->arena, "<input>", text, strlen(text)));
}

static bool needs_kernel(const struct session *s)
{
	return s->options->runtime == RUNTIME_KERNEL;
}

/* Warns about arguments that the script does not use: perhaps quotes are missing. */
static void warn_unused_arguments(struct session *s)
{
	const struct options *o = s->options;

	for (size_t i = 0; i < o->args.count && i < SESSION_ARGUMENTS; i++)
		if (!(s->arguments_used >> i & 1))
			diag_warning(s, (struct loc){ 0 },
				     "argument '%s' is not used: the script has no $%zu or @%zu",
				     o->args.data[i], i + 1, i + 1);
}

static struct error *parse_run(struct session *s, struct passes *p)
{
	const struct options *o = s->options;
	struct error *err = NULL, *no_kernel = NULL;

	/*
	 * Conditionals ask for the kernel's release and configuration. -p1 works without
	 * a kernel, and errors in the script are reported before this one.
	 */
	if (needs_kernel(s) && !s->kernel)
		no_kernel = kernel_open(s);
	STAP_PROBE1(stap, pass1b, s);
	tapset_open(s);
	STAP_PROBE1(stap, pass1a, s);
	if (o->list)
		err = add_text(s, arena_printf(s->arena, "probe %s { }", o->script_text));
	else if (o->script_text)
		err = add_text(s, o->script_text);
	else if (o->script_file)
		err = add_file(s, o->script_file);
	for (size_t i = 0; !err && i < o->more_scripts.count; i++)
		err = add_text(s, o->more_scripts.data[i]);
	if (err)
		return err;
	if (!s->errors && !s->listener)
		warn_unused_arguments(s);
	return s->errors || o->last_pass == 1 ? NULL : no_kernel;
}

static void parse_dump(struct session *s, struct passes *p)
{
	struct strbuf out;

	strbuf_init(&out, s->arena);
	vec_each(&s->program->units, i)
		ast_print_unit(&out, s->program->units.data[i]);
	fwrite(out.s, 1, out.len, stdout);
}

static const char *parse_said(struct session *s, struct passes *p)
{
	size_t probes = 0;

	vec_each(&s->program->units, i)
		probes += s->program->units.data[i]->probes.count;
	return arena_printf(s->arena, "parsed user script: %zu probes", probes);
}

/* ---- 2 ---- */

static struct error *elaborate_run(struct session *s, struct passes *p)
{
	if (s->options->top_seconds)
		sem_set_interval(s);
	sem_elaborate(s);
	sem_check_arrays(s);
	if (!s->options->list)
		opt_untyped(s);
	sem_type(s);
	if (s->errors || s->options->list)
		return NULL;
	if (s->program->probes.count) {
		opt_run(s);
		return NULL;
	}
	return error_create(s->arena, ERROR_SCRIPT, "there is no probe to run");
}

static void elaborate_dump(struct session *s, struct passes *p)
{
	if (s->options->estimate)
		estimate_show(s,
			      options_passed(s->options, "--json") ? ESTIMATE_JSON : ESTIMATE_TEXT,
			      stdout);
	else
		listing_program(s);
}

static const char *elaborate_said(struct session *s, struct passes *p)
{
	const struct program *g = s->program;

	return arena_printf(s->arena,
			    "analyzed script: %zu probes, %zu functions, %zu embeds, %zu globals",
			    g->probes.count, g->functions.count, g->embeds.count, g->globals.count);
}

/* ---- 3 ---- */

static struct error *translate_run(struct session *s, struct passes *p)
{
	return module_write(s, &p->c_text);
}

static void translate_dump(struct session *s, struct passes *p)
{
	fputs(p->c_text, stdout);
}

static const char *translate_said(struct session *s, struct passes *p)
{
	return arena_printf(s->arena, "translated to C: %zu bytes", strlen(p->c_text));
}

/* ---- 4 ---- */

struct error *passes_keep(struct session *s, const char **program)
{
	bool is_module = s->options->runtime == RUNTIME_KERNEL;
	const char *copy =
		arena_printf(s->arena, "%s.%s", s->options->module_name, is_module ? "ko" : "bpf");
	struct error *err = (is_module ? path_copy : path_copy_program)(s->arena, *program, copy);
	char *cwd = getcwd(NULL, 0);

	if (!err && cwd)
		*program = arena_printf(s->arena, "%s/%s", cwd, copy);
	free(cwd);
	return err;
}

static struct error *build_run(struct session *s, struct passes *p)
{
	struct error *err;

	err = needs_kernel(s) ? build_module(s, p->c_text, &p->program)
			      : build_user_program(s, p->c_text, &p->program);
	if (!err && p->keep && s->options->module_name && s->options->runtime != RUNTIME_USER)
		err = passes_keep(s, &p->program);
	return err;
}

static void build_dump(struct session *s, struct passes *p)
{
	puts(p->program);
}

static const char *build_said(struct session *s, struct passes *p)
{
	return arena_printf(s->arena, "built %s", p->program);
}

/* ---- 5 ---- */

static struct error *run_run(struct session *s, struct passes *p)
{
	return run_program(s, p->program, &p->status);
}

static const char *run_said(struct session *s, struct passes *p)
{
	return "run completed";
}

/* ---- the table ---- */

static const struct pass {
	const char *name;
	struct error *(*run)(struct session *s, struct passes *p);
	void (*dump)(struct session *s, struct passes *p);	  /* for -pN */
	const char *(*said)(struct session *s, struct passes *p); /* for -v */
} table[] = {
	{ "parse", parse_run, parse_dump, parse_said },
	{ "analysis", elaborate_run, elaborate_dump, elaborate_said },
	{ "translation", translate_run, translate_dump, translate_said },
	{ "compilation", build_run, build_dump, build_said },
	{ "run", run_run, NULL, run_said },
};

/*
 * Runs the marker at the beginning of a pass. A marker's name is a literal, so each one
 * has its own line. The markers of the first pass are in the pass itself.
 */
static void mark_begin(const struct session *s, int number)
{
	switch (number) {
	case 2:
		STAP_PROBE1(stap, pass2, s);
		break;
	case 3:
		STAP_PROBE1(stap, pass3, s);
		break;
	case 4:
		STAP_PROBE1(stap, pass4, s);
		break;
	case 5:
		STAP_PROBE1(stap, pass5, s);
		break;
	}
}

static void mark_end(const struct session *s, int number)
{
	switch (number) {
	case 1:
		STAP_PROBE1(stap, pass1__end, s);
		break;
	case 2:
		STAP_PROBE1(stap, pass2__end, s);
		break;
	case 3:
		STAP_PROBE1(stap, pass3__end, s);
		break;
	case 4:
		STAP_PROBE1(stap, pass4__end, s);
		break;
	case 5:
		STAP_PROBE1(stap, pass5__end, s);
		break;
	}
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void say_timing(const char *text, int number, double ms)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	fprintf(stderr, "Pass %d: %s in %.0f ms, %ld MB.\n", number, text, ms, u.ru_maxrss / 1024);
}

/* Writes the script in the usual layout to standard output. */
struct error *passes_format(struct session *s, int *status)
{
	const struct options *o = s->options;
	struct strbuf out;
	struct source *src;
	struct error *err = NULL;

	if (o->script_text)
		src = source_from_text(s->arena, "<input>", o->script_text, strlen(o->script_text));
	else
		err = read_file(s, o->script_file, &src);
	if (err)
		return err;
	strbuf_init(&out, s->arena);
	if (!reformat_source(s, src, &out)) {
		diag_page(s, PAGE_PASS1);
		return error_create(s->arena, ERROR_SCRIPT, "Pass 1: parse failed.");
	}
	fwrite(out.s, 1, out.len, stdout);
	return NULL;
}

struct error *passes_parse(struct session *s)
{
	return parse_run(s, &(struct passes){ 0 });
}

struct error *passes_elaborate(struct session *s)
{
	return elaborate_run(s, &(struct passes){ 0 });
}

struct error *passes_check(struct session *s)
{
	struct error *err = passes_parse(s);

	return err || s->errors ? err : passes_elaborate(s);
}

/*
 * True: -v prints the cost of a hit. --estimate prints it anyway; programs have no table
 * of costs.
 */
static bool says_costs(const struct options *o)
{
	return !o->list && !o->estimate && o->runtime == RUNTIME_KERNEL;
}

static struct error *run_pass(struct session *s, struct passes *state, int i)
{
	double start = now_ms();
	struct error *err;

	mark_begin(s, i + 1);
	err = table[i].run(s, state);
	if ((err && !s->pages && err->kind != ERROR_USAGE) || (!err && s->errors))
		diag_page(s, PAGE_PASS1 + i);
	if (err)
		return err;
	if (s->errors)
		return error_create(s->arena,
				    s->failures == s->errors ? ERROR_ENVIRONMENT : ERROR_SCRIPT,
				    "Pass %d: %s failed.", i + 1, table[i].name);
	mark_end(s, i + 1);
	if (s->options->verbose)
		say_timing(table[i].said(s, state), i + 1, now_ms() - start);
	if (s->options->verbose && table[i].run == elaborate_run && says_costs(s->options))
		estimate_show(s, ESTIMATE_TEXT, stderr);
	return NULL;
}

struct error *passes_build(struct session *s, const char **program)
{
	struct passes state = { 0 };
	struct error *err = NULL;

	for (int i = 0; !err && i < 4; i++)
		err = run_pass(s, &state, i);
	*program = state.program;
	return err;
}

struct error *passes_run(struct session *s, int *status)
{
	struct passes state = { .keep = true };
	const struct options *o = s->options;

	for (int i = 0; i < o->last_pass; i++) {
		struct error *err = run_pass(s, &state, i);

		if (err)
			return err;
		if (o->list && i == 1) {
			*status = doc_list_points(s, o->list_vars) ? 0 : 1;
			return NULL;
		}
		if (i + 1 == o->last_pass && table[i].dump)
			table[i].dump(s, &state);
	}
	*status = state.status;
	if (state.status && state.status != STREAMS_READER_LEFT)
		fprintf(stderr, "Pass 5: run failed.  [man error::pass5]\n");
	return NULL;
}
