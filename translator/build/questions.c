/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kbuild tests forty options of the compiler, one after the other, each time by compiling
 * an empty file. This takes a second, before it compiles anything, in which nothing else
 * can be done because nobody knows the flags yet. Here the compiler is asked once, about
 * all options that the kernel's makefiles name: options that it accepts together, it also
 * accepts alone. For kbuild's run a program with the compiler's name comes before the
 * compiler in PATH. This program answers yes for the accepted options and passes
 * everything else on to the compiler, above all the refused options. So kbuild finds what
 * it would have found.
 *
 * NAME.mod.c, which needs a third of a second for its headers, is not compiled in full
 * either: only the commands of the empty module are needed.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "build/parts.h"
#include "kernel/config.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "lib/subprocess.h"

/* Makefiles that set flags for the whole kernel, and so for modules. */
static const char *const makefiles[] = { "Makefile", "arch/%s/Makefile",
					 "scripts/Makefile.extrawarn", "scripts/Makefile.warn" };

/* Forms of their questions. */
static const struct {
	const char *call, *before;
} questions[] = {
	{ "$(call cc-option,", "" },
	{ "$(call cc-option-yn,", "" },
	{ "$(call cc-disable-warning,", "-W" },
};

enum { ROUNDS = 3 }; /* the driver reports errors first, then the compiler proper */

/*
 * True: the text is one option, or several that are tested together, without anything
 * that make or a shell would have to expand.
 */
static bool is_plain(const char *option)
{
	return *option == '-' &&
	       !option[strspn(
		       option,
		       "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+_=. ")];
}

static void add_option(struct arena *a, words *list, const char *option)
{
	if (is_plain(option) && !build_words_have(list, option))
		vec_push(a, list, option);
}

/*
 * Adds the options that `call` tests in the text. Later kernels test -WNAME when they
 * need -Wno-NAME.
 */
static void add_questions(struct arena *a, words *list, const char *text, const char *call,
			  const char *before)
{
	while ((text = strstr(text, call))) {
		size_t len;
		const char *option;

		text += strlen(call);
		text += strspn(text, " ");
		for (len = strcspn(text, ",)\n"); len && text[len - 1] == ' ';)
			len--;
		option = arena_printf(a, "%s%.*s", before, (int)len, text);
		add_option(a, list, option);
		if (!strncmp(option, "-Wno-", 5))
			add_option(a, list, arena_printf(a, "-W%s", option + 5));
	}
}

static words list_questions(struct build *b)
{
	struct arena *a = b->s->arena;
	const char *dir = kernel_source_dir(b->s);
	const struct arch_machine *arch = arch_of(b->s)->machine;
	words list = { 0 };

	for (size_t i = 0; i < sizeof(makefiles) / sizeof(*makefiles); i++) {
		const char *file = arena_printf(a, makefiles[i], arch->kernel_dir);
		char *text;
		size_t len;

		if (path_read(a, arena_printf(a, "%s/%s", dir, file), &text, &len))
			continue;
		for (size_t q = 0; q < sizeof(questions) / sizeof(*questions); q++)
			add_questions(a, &list, text, questions[q].call, questions[q].before);
	}
	return list;
}

static void add_words(struct arena *a, words *argv, const char *option)
{
	char *save, *copy = arena_strdup(a, option);

	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save))
		vec_push(a, argv, word);
}

/*
 * Tries all options in one run. True: the compiler accepts them. Otherwise *said is its
 * output.
 */
static bool takes_all(struct build *b, const char *compiler, const words *options,
		      const char **said)
{
	/*
	 * The options that the kernel always has, as far as other options depend on them.
	 */
	const char *const before[] = { compiler, "-Werror", "-O2", "-fno-PIE" };
	const char *const behind[] = { "-S", "-x", "c", "/dev/null", "-o", "/dev/null", NULL };
	struct arena *a = b->s->arena;
	struct process_result result;
	words argv = { 0 };

	for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
		vec_push(a, &argv, before[i]);
	for (const char *const *flag = arch_of(b->s)->module->flags; *flag; flag++)
		vec_push(a, &argv, *flag);
	vec_each(options, i)
		add_words(a, &argv, options->data[i]);
	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++)
		vec_push(a, &argv, behind[i]);
	if (subprocess_run_tool(a, NULL, (char *const *)argv.data, NULL, &result))
		return false;
	*said = result.output;
	return !result.status;
}

/*
 * True: the compiler complains about the option: it quotes the word that a complaint is
 * about.
 */
static bool is_refused(struct arena *a, const char *option, const char *said)
{
	words parts = { 0 };

	add_words(a, &parts, option);
	vec_each(&parts, i)
		if (strstr(said, arena_printf(a, "'%s'", parts.data[i])))
			return true;
	return false;
}

/*
 * Returns the options that the compiler accepts; none if it does not name those that it
 * refuses.
 */
static words accepted_options(struct build *b, const char *compiler)
{
	words list = list_questions(b);

	for (unsigned round = 0; list.count && round < ROUNDS; round++) {
		const char *said = "";
		words kept = { 0 };

		if (takes_all(b, compiler, &list, &said))
			return list;
		vec_each(&list, i)
			if (!is_refused(b->s->arena, list.data[i], said))
				vec_push(b->s->arena, &kept, list.data[i]);
		list = kept;
	}
	return (words){ 0 };
}

/*
 * Returns the program that replaces the compiler. `… OPTION -c -x c /dev/null -o FILE` is
 * a test: only its status counts.
 */
static const char *program_text(struct build *b, const char *compiler)
{
	words options = accepted_options(b, compiler);
	struct strbuf text;

	strbuf_init(&text, b->s->arena);
	strbuf_adds(&text, "#!/bin/sh\ncase \"$*\" in\n");
	vec_each(&options, i)
		strbuf_addf(&text, "'-Werror '*' %s -c -x c /dev/null -o '*) exit 0 ;;\n",
			    options.data[i]);
	strbuf_addf(&text,
		    "*.mod.c)\n\tfor word; do\n\t\tshift\n\t\tcase $word in *.mod.c) "
		    "word='%s/script.c' ;; esac\n"
		    "\t\tset -- \"$@\" \"$word\"\n\tdone ;;\nesac\nexec '%s' \"$@\"\n",
		    b->work, compiler);
	return text.s;
}

const char *questions_path(struct build *b)
{
	struct arena *a = b->s->arena;
	const char *path = subprocess_path(), *name = b->compiler.name;
	const char *compiler = subprocess_find(a, name);
	const char *dir = arena_printf(a, "%s/bin", b->work), *text;

	if (!compiler || *compiler != '/' || strchr(name, '/') || strchr(compiler, '\''))
		return path;
	text = program_text(b, compiler);
	if (path_make_dirs(a, dir, 0700) ||
	    path_write_program(a, arena_printf(a, "%s/%s", dir, name), text, strlen(text)))
		return path;
	return arena_printf(a, "%s:%s", dir, path);
}
