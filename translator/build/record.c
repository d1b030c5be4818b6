/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a recipe from kbuild's .cmd files. Each file begins with one line, `cmd_TARGET :=
 * COMMAND; COMMAND…` (savedcmd_ in later kernels). Paths are absolute and the commands
 * run in the kernel's build directory, or, since 6.13, relative to the module's own
 * directory and run there. If a line needs more of a shell than quotes and `;`, modules
 * for this kernel are always built by kbuild.
 */
#include <string.h>

#include "arch/arch.h"
#include "base/session.h"
#include "build/recipe.h"
#include "kernel/config.h"
#include "kernel/kernel.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"

typedef VEC(words) commands;

struct recording {
	struct build *b;
	struct arena *a;
	bool in_work; /* commands run in the module's directory */
	struct recipe recipe;
};

static struct error *not_recordable(struct recording *rec, const char *why)
{
	return error_create(rec->a, ERROR_ABSENT, "kbuild's commands cannot be replayed: %s", why);
}

/* Removes make's own escapes. */
static const char *unescape(struct arena *a, const char *text, size_t len)
{
	struct strbuf b;

	strbuf_init(&b, a);
	for (size_t i = 0; i < len; i++) {
		if ((text[i] == '$' && i + 1 < len && text[i + 1] == '$') ||
		    (text[i] == '\\' && i + 1 < len && text[i + 1] == '#'))
			i++;
		strbuf_addc(&b, text[i]);
	}
	return b.s;
}

/* Reads the command line of a .cmd file. */
static struct error *read_line(struct recording *rec, const char *file, const char **target,
			       const char **ret)
{
	char *text;
	size_t len;
	const char *assign;
	struct error *err =
		path_read(rec->a, arena_printf(rec->a, "%s/%s", rec->b->work, file), &text, &len);

	if (err)
		return err;
	len = strcspn(text, "\n");
	assign = memmem(text, len, " := ", 4);
	if (!assign || !strstr(text, "cmd_"))
		return not_recordable(rec, file);
	*target = arena_strndup(rec->a, strstr(text, "cmd_") + 4,
				(size_t)(assign - strstr(text, "cmd_") - 4));
	assign += 4;
	*ret = unescape(rec->a, assign, len - (size_t)(assign - text));
	return NULL;
}

/*
 * Reads one word of shell at *p, which is neither blank nor ';'. False: the word cannot
 * be replayed.
 */
static bool split_word(const char **p, struct strbuf *word)
{
	for (; **p && !strchr(" \t;", **p); (*p)++) {
		char quote = **p;

		if (quote == '\'' || quote == '"') {
			const char *end = strchr(*p + 1, quote);

			if (!end || (quote == '"' && memchr(*p, '$', (size_t)(end - *p))) ||
			    memchr(*p, '\\', (size_t)(end - *p)))
				return false;
			strbuf_add(word, *p + 1, (size_t)(end - *p - 1));
			*p = end;
		} else if (quote == '\\' && (*p)[1]) {
			strbuf_addc(word, *++*p);
		} else if (strchr("$`(){}<>|&*?[]~#!", quote)) {
			return false;
		} else {
			strbuf_addc(word, quote);
		}
	}
	return !memchr(word->s, '\t', word->len) && !memchr(word->s, '\n', word->len);
}

/* Splits `a b; c` into two commands; `true` and `:` are left out. */
static bool split_line(struct arena *a, const char *line, commands *ret)
{
	words argv = { 0 };

	for (;;) {
		line += strspn(line, " \t");
		if (!*line || *line == ';') {
			if (argv.count && strcmp(argv.data[0], "true") && strcmp(argv.data[0], ":"))
				vec_push(a, ret, argv);
			if (!*line)
				return true;
			argv = (words){ 0 };
			line++;
			continue;
		}

		struct strbuf word;

		strbuf_init(&word, a);
		if (!split_word(&line, &word))
			return false;
		vec_push(a, &argv, word.s);
	}
}

static struct error *read_commands(struct recording *rec, const char *file, commands *ret)
{
	const char *target, *line;
	struct error *err = read_line(rec, file, &target, &line);

	if (err)
		return err;
	*ret = (commands){ 0 };
	return split_line(rec->a, line, ret) && ret->count ? NULL : not_recordable(rec, line);
}

/*
 * Returns the name of a file in the work directory without that directory, as the
 * commands spell it. NULL: the file is somewhere else.
 */
static const char *in_work(struct recording *rec, const char *word)
{
	size_t len = strlen(rec->b->work);

	if (!strncmp(word, rec->b->work, len) && word[len] == '/')
		return word + len + 1;
	if (rec->in_work && !strncmp(word, "./", 2))
		word += 2;
	return rec->in_work && *word != '/' && *word != '-' && !strstr(word, "/") &&
			       path_exists(arena_printf(rec->a, "%s/%s", rec->b->work, word))
		       ? word
		       : NULL;
}

/*
 * Sets *ret to the recipe's name for a file. Files that are named after the module
 * (NAME.o, NAME.ko …) get placeholders. Any other file is the same for all modules, and
 * is kept in kernel_dir.
 */
static struct error *own_file(struct recording *rec, const char *file, const char **ret)
{
	size_t len = strlen(rec->b->name);

	if (!strncmp(file, rec->b->name, len) && file[len] == '.') {
		*ret = arena_printf(rec->a, "@work@/@name@%s", file + len);
		return NULL;
	}
	*ret = arena_printf(rec->a, "%s/%s", rec->b->kernel_dir, *file == '.' ? file + 1 : file);
	return path_copy(rec->a, arena_printf(rec->a, "%s/%s", rec->b->work, file), *ret);
}

static void add_step(struct recording *rec, enum recipe_kind kind, words argv)
{
	vec_push(rec->a, &rec->recipe.steps, ((struct recipe_step){ kind, argv }));
}

static bool is_objtool(const char *program)
{
	size_t len = strlen(program), name = strlen("/objtool");

	return len >= name && !strcmp(program + len - name, "/objtool");
}

/*
 * Adds the environment: objtool is told the architecture by a variable that make exports.
 */
static void add_environment(struct recording *rec, const char *program, words *step)
{
	if (!is_objtool(program))
		return;
	vec_push(rec->a, step, "env");
	vec_push(rec->a, step,
		 arena_printf(rec->a, "SRCARCH=%s", arch_of(rec->b->s)->machine->kernel_dir));
}

/* ---- compiler ---- */

static bool starts(const char *word, const char *with)
{
	return !strncmp(word, with, strlen(with));
}

/*
 * Returns the word; in place of a name of the unit, the name that the precompiled header
 * has, because everything is compiled with that.
 */
static const char *unit_name(const char *word)
{
	static const struct {
		const char *begin, *whole;
	} names[] = {
		{ "-DKBUILD_BASENAME=", "-DKBUILD_BASENAME=\"stap\"" },
		{ "-DKBUILD_MODNAME=", "-DKBUILD_MODNAME=\"stap\"" },
		{ "-D__KBUILD_MODNAME=", "-D__KBUILD_MODNAME=kmod_stap" },
		{ "-DKBUILD_MODFILE=", "-DKBUILD_MODFILE=\"stap\"" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (starts(word, names[i].begin))
			return names[i].whole;
	return word;
}

/*
 * True for flags that only this run has, or that are added again: dependency files, debug
 * information, stap's own directories; for flags of the kernel's function tracer, which
 * does not trace functions of the module; and for those of clang's link-time
 * optimisation.
 */
static bool is_dropped(struct recording *rec, const char *word)
{
	return !strcmp(word, "-pg") || !strcmp(word, "-mfentry") ||
	       !strcmp(word, "-mrecord-mcount") || !strcmp(word, "-mnop-mcount") ||
	       starts(word, "-flto") || !strcmp(word, "-fsplit-lto-unit") ||
	       !strcmp(word, "-fno-lto") || !strcmp(word, "-fvisibility=hidden") ||
	       starts(word, "-Wp,-M") || !strcmp(word, "-c") || !strcmp(word, "-g") ||
	       starts(word, "-g0") || starts(word, "-gdwarf") || starts(word, "-ggdb") ||
	       !strcmp(word, arena_printf(rec->a, "-I%s", rec->b->runtime)) ||
	       !strcmp(word, flags_arch(rec->b->s, rec->b->runtime)) ||
	       !strcmp(word, arena_printf(rec->a, "-I%s", rec->b->kernel_dir)) ||
	       !strcmp(word, flags_former_headers(rec->b));
}

/* Returns the path of a kernel's file, from the directory that the commands run in. */
static const char *absolute(struct recording *rec, const char *path)
{
	if (*path == '/')
		return path;
	return arena_printf(rec->a, "%s/%s",
			    rec->in_work ? rec->b->work : rec->b->s->kernel->build_dir, path);
}

/*
 * True for flags that make room before functions. Kernels use it to count calls on
 * processors that need that (strip.c), and for forward-edge checks: it is a tenth of a
 * module. It stays if there are such checks.
 */
static bool is_padding(const words *argv, const char *word)
{
	return (starts(word, "-fpatchable-function-entry=") ||
		starts(word, "-fmin-function-alignment=")) &&
	       !build_words_have(argv, "-fsanitize=kcfi");
}

/*
 * Returns gcc's words without those of is_dropped(), -o and the source; files of -include
 * go to prefix.
 */
static words compiler_flags(struct recording *rec, const words *argv, words *prefix)
{
	words flags = { 0 };

	vec_each(argv, i) {
		const char *word = argv->data[i];

		if (!strcmp(word, "-include") && i + 1 < argv->count)
			vec_push(rec->a, prefix, absolute(rec, argv->data[++i]));
		else if (!strcmp(word, "-o"))
			i++;
		else if (!is_dropped(rec, word) && !is_padding(argv, word) && i + 1 < argv->count)
			vec_push(rec->a, &flags, unit_name(word));
	}
	return flags;
}

/*
 * True for flags of checks of calls, and of the room for them. kbuild compiles NAME.mod.c
 * without them, because it has no code.
 */
static bool is_check(const char *word)
{
	return starts(word, "-fsanitize=kcfi") || starts(word, "-fpatchable-function-entry=") ||
	       starts(word, "-fmin-function-alignment=");
}

static words without_checks(struct arena *a, const words *argv)
{
	words ret = { 0 };

	vec_each(argv, i)
		if (!is_check(argv->data[i]))
			vec_push(a, &ret, argv->data[i]);
	return ret;
}

static bool same_words(struct arena *arena, const words *left, const words *right)
{
	words a = without_checks(arena, left), b = without_checks(arena, right);

	if (a.count != b.count)
		return false;
	vec_each(&a, i)
		if (strcmp(a.data[i], b.data[i]))
			return false;
	return true;
}

/* Records the commands run with one object: `name` in this build. */
static struct error *record_objtool(struct recording *rec, enum recipe_kind kind, const char *name,
				    const words *argv)
{
	words step = { 0 };
	bool found = false;

	add_environment(rec, argv->data[0], &step);
	vec_each(argv, i) {
		const char *file = in_work(rec, argv->data[i]);

		if (file && strcmp(file, name))
			return not_recordable(rec, argv->data[i]);
		found |= file != NULL;
		vec_push(rec->a, &step, file ? "@object@" : argv->data[i]);
	}
	if (!found)
		return not_recordable(rec, argv->data[0]);
	add_step(rec, kind, step);
	return NULL;
}

bool record_lacks_objtool(struct session *s)
{
	return kernel_config(s, "STACK_VALIDATION") && !kernel_config(s, "OBJTOOL");
}

static bool objtool_is_hidden(struct recording *rec, const commands *object, const commands *link)
{
	struct session *s = rec->b->s;

	if (object->count > 1 || link->count > 1)
		return false;
	return kernel_config(s, "OBJTOOL") || kernel_config(s, "STACK_VALIDATION");
}

/* Records commands that kbuild printed but did not record, a command a line. */
static struct error *record_printed_objtool(struct recording *rec, const char *said)
{
	while (*said) {
		size_t size = strcspn(said, "\n");
		commands list = { 0 };
		bool plain = split_line(rec->a, arena_strndup(rec->a, said, size), &list);

		said += size + (said[size] == '\n');
		if (plain && list.count == 1 && is_objtool(list.data[0].data[0]))
			return record_objtool(rec, RECIPE_OBJECT, "script.o", &list.data[0]);
	}
	return not_recordable(rec, "objtool's command is not in them");
}

static void record_flags(struct recording *rec, const commands *script)
{
	words prefix = { 0 };
	words flags = compiler_flags(rec, &script->data[0], &prefix);

	add_step(rec, RECIPE_PREFIX, prefix);
	add_step(rec, RECIPE_COMPILE, flags);
}

/* Records the compiler's flags for NAME.mod.c, if they differ. */
static void record_module_flags(struct recording *rec, const words *script, const words *module)
{
	words prefix = { 0 }, module_prefix = { 0 };
	words flags = compiler_flags(rec, script, &prefix);
	words module_flags = compiler_flags(rec, module, &module_prefix);

	if (same_words(rec->a, &flags, &module_flags) &&
	    same_words(rec->a, &prefix, &module_prefix))
		return;
	vec_each(&module_prefix, i) {
		vec_push(rec->a, &module_flags, "-include");
		vec_push(rec->a, &module_flags, module_prefix.data[i]);
	}
	vec_push(rec->a, &module_flags, "-DKBUILD_MODNAME=\"@name@\"");
	add_step(rec, RECIPE_MODULE, module_flags);
}

static struct error *record_objects(struct recording *rec, const commands *script)
{
	const char *info = arena_printf(rec->a, "%s.mod.o", rec->b->name);
	commands module;
	struct error *err = read_commands(rec, arena_printf(rec->a, ".%s.cmd", info), &module);

	for (size_t i = 1; !err && i < script->count; i++)
		err = record_objtool(rec, RECIPE_OBJECT, "script.o", &script->data[i]);
	for (size_t i = 1; !err && i < module.count; i++)
		err = record_objtool(rec, RECIPE_MODULE_OBJECT, info, &module.data[i]);
	if (!err)
		record_module_flags(rec, &script->data[0], &module.data[0]);
	return err;
}

/* ---- linker, modpost ---- */

/* True for the list of objects, as the words themselves or in a file NAME.mod. */
static bool names_objects(struct recording *rec, const char *word)
{
	const char *file = in_work(rec, *word == '@' ? word + 1 : word);

	if (!file)
		return false;
	return *word == '@' || !strcmp(file, "script.o") || !strcmp(file, "runtime.o") ||
	       starts(file, "family_");
}

static struct error *record_command(struct recording *rec, enum recipe_kind kind, const words *argv)
{
	struct error *err = NULL;
	bool listed = false;
	words step = { 0 };

	add_environment(rec, argv->data[0], &step);
	for (size_t i = 0; !err && i < argv->count; i++) {
		const char *word = argv->data[i], *file;

		if (names_objects(rec, word)) {
			if (!listed)
				vec_push(rec->a, &step, "@objects@");
			listed = true;
			continue;
		}
		file = in_work(rec, word);
		if (file)
			err = own_file(rec, file, &word);
		if (!err)
			vec_push(rec->a, &step, word);
	}
	if (!err)
		add_step(rec, kind, step);
	return err;
}

static struct error *record_commands(struct recording *rec, enum recipe_kind kind,
				     const commands *list)
{
	struct error *err = NULL;

	for (size_t i = 0; !err && i < list->count; i++)
		err = record_command(rec, kind, &list->data[i]);
	return err;
}

/*
 * Records the part after the pipe in `sed 's/ko$/o/' modules.order | scripts/mod/modpost
 * FLAGS -o Module.symvers … -T -`.
 */
static struct error *record_modpost(struct recording *rec)
{
	const char *target, *line, *pipe;
	commands list = { 0 };
	words step = { 0 };
	struct error *err = read_line(rec, ".Module.symvers.cmd", &target, &line);

	if (err)
		return err;
	pipe = strrchr(line, '|');
	if (!split_line(rec->a, pipe ? pipe + 1 : line, &list) || list.count != 1 ||
	    !strstr(list.data[0].data[0], "modpost"))
		return not_recordable(rec, line);

	words *argv = &list.data[0];

	vec_each(argv, i) {
		const char *word = argv->data[i], *before = i ? argv->data[i - 1] : "";
		const char *file = in_work(rec, word);

		if (!strcmp(before, "-T"))
			word = "@work@/modules";
		else if (!strcmp(before, "-o"))
			word = "@work@/Module.symvers";
		else if (file)
			return not_recordable(rec, word);
		vec_push(rec->a, &step, word);
	}
	add_step(rec, RECIPE_MODPOST, step);
	return NULL;
}

/* Finds directory and compiler, from the .cmd file of the object. */
static struct error *begin(struct recording *rec, commands *script)
{
	const char *target, *line;
	words dir = { 0 };
	struct error *err = read_line(rec, ".script.o.cmd", &target, &line);

	if (err)
		return err;
	rec->in_work = *target != '/';
	vec_push(rec->a, &dir, rec->in_work ? "@work@" : rec->b->s->kernel->build_dir);
	add_step(rec, RECIPE_DIR, dir);
	err = read_commands(rec, ".script.o.cmd", script);
	if (!err)
		record_flags(rec, script);
	return err;
}

struct error *record_compiler(struct build *b, struct recipe *ret)
{
	struct recording rec = { .b = b, .a = b->s->arena };
	commands script;
	struct error *err = begin(&rec, &script);

	*ret = rec.recipe;
	return err;
}

struct error *record_recipe(struct build *b, const char *said, struct recipe *ret)
{
	struct recording rec = { .b = b, .a = b->s->arena };
	commands script, link, final;
	struct error *err = begin(&rec, &script);

	if (!err)
		err = read_commands(&rec, arena_printf(rec.a, ".%s.o.cmd", b->name), &link);
	if (!err)
		err = read_commands(&rec, arena_printf(rec.a, ".%s.ko.cmd", b->name), &final);
	if (!err && objtool_is_hidden(&rec, &script, &link))
		err = record_printed_objtool(&rec, said);
	if (!err)
		err = record_objects(&rec, &script);
	if (!err)
		err = record_commands(&rec, RECIPE_LINK, &link);
	if (!err)
		err = record_modpost(&rec);
	if (!err)
		err = record_commands(&rec, RECIPE_FINAL, &final);
	*ret = rec.recipe;
	return err;
}
