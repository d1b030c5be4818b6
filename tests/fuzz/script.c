/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entry of libFuzzer and AFL++ into the translator: the input is a script, and goes
 * through preprocessor, parser, elaboration and translation to C as `stap -p3
 * --runtime=user -g` takes it. The first byte chooses: even, the library is there; odd,
 * the script is on its own.
 */
#include <stdint.h>

#include "ast/ast.h"
#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "base/source.h"
#include "harness/stap.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "module/module.h"
#include "opt/opt.h"
#include "parse/parse.h"
#include "sem/sem.h"
#include "sem/tapset.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The library's index is made once, and kept in the fuzzer's own directory. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	harness_path("");
	return 0;
}

static void translate(struct session *s, const char *text, size_t len)
{
	const char *c_text;
	struct strbuf out;
	struct unit *unit = parse_source(s, source_from_text(s->arena, "<fuzz>", text, len));

	strbuf_init(&out, s->arena);
	ast_print_unit(&out, unit);
	vec_push(s->arena, &s->program->units, unit);
	if (s->errors)
		return;
	sem_elaborate(s);
	sem_check_arrays(s);
	opt_untyped(s);
	sem_type(s);
	if (s->errors || !s->program->probes.count)
		return;
	opt_run(s);
	module_write(s, &c_text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *argv[] = { "stap", "-p3", "--runtime=user", "-g", "-e", "", "12", "two" };
	struct arena *arena = arena_create();
	struct session s = { .arena = arena, .data_dir = ".", .program = program_create(arena) };
	struct options options;
	bool exit_now = false;

	if (!size || options_parse(&s, sizeof(argv) / sizeof(argv[0]), argv, &options, &exit_now))
		goto out;
	s.options = &options;
	if (data[0] & 1)
		s.data_dir = "/nonexistent"; /* the script is alone */
	tapset_open(&s);
	translate(&s, arena_strndup(arena, (const char *)data + 1, size - 1), size - 1);
out:
	arena_destroy(arena);
	return 0;
}
