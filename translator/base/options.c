/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/firstline.h"
#include "base/foreignoptions.h"
#include "base/optionrow.h"
#include "base/rcfile.h"
#include "base/optionrules.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"

bool options_speak(const struct session *s, const char *version)
{
	return !s->options || strverscmp(s->options->compatible, version) >= 0;
}

const char *const privilege_names[PRIVILEGE_COUNT] = {
#define LEVEL(name, group, load) [PRIVILEGE_##name] = group,
	STP_PRIVILEGE_LEVELS(LEVEL)
#undef LEVEL
};

/* ---- the table ---- */

#define ROW(letter, name, arg, help, ...) { letter, name, arg, help, __VA_ARGS__ },
const struct option_row option_rows[] = {
#define OPTION(letter, name, arg, type, help) ROW(letter, name, arg, help, type)
#define IN_STAP(words)			      words
#define RUN_OPTION(id, letter, name, arg, stap, staprun, stapio, help)                             \
	RUN_##stap(letter, sizeof(name) > 1 ? name : NULL, arg, help)
#define RUN_NO(letter, name, arg, help)
#define RUN_PASS(letter, name, arg, help) OPTION(letter, name, arg, PASSED, help)
#include "base/options.def"
#define COMMAND(id, letter, name, arg, words, room, function, refusal, help)                       \
	OPTION(letter, name, arg, WANTED(COMMAND_##id), help)
#include "base/commands.def"
#undef COMMAND
#undef OPTION
};
#define ROWS (sizeof(option_rows) / sizeof(option_rows[0]))
const size_t option_row_count = ROWS;

bool options_row_takes_argument(const struct option_row *row)
{
	return row->arg && row->arg[0] != '[';
}

static struct error *apply(struct option_parse *p, const struct option_row *row, const char *arg)
{
	p->row = row;
	return row->call ? row->call(p, arg) : row->set(p, arg);
}

/* True: word is in a list such as "always, auto, never". */
static bool is_one_of(const char *word, const char *list)
{
	size_t len = strlen(word);

	for (const char *at = list; *at; at += strspn(at, ", ")) {
		size_t n = strcspn(at, ",");

		if (n == len && !memcmp(at, word, n))
			return true;
		at += n;
	}
	return false;
}

/*
 * Handles an option of SystemTap that is missing here. Returns NULL for one that is
 * accepted without effect.
 */
static struct error *unknown_option(struct option_parse *p, const char *name, const char *value)
{
	const struct foreignoption *foreign = foreignoptions_find(name);
	VEC(const char *) names = { 0 };
	const char *near;

	if (foreign && value && foreign->values && !is_one_of(value, foreign->values))
		return error_create(p->s->arena, ERROR_USAGE, "%s takes one of %s, not '%s'", name,
				    foreign->values, value);
	if (foreign)
		return foreign->is_accepted ? NULL
					    : error_create(p->s->arena, ERROR_USAGE, "%s: %s", name,
							   foreign->text);
	for (size_t i = 0; i < ROWS; i++)
		if (option_rows[i].name)
			vec_push(p->s->arena, &names,
				 arena_printf(p->s->arena, "--%s", option_rows[i].name));
	near = name[1] == '-' ? diag_near(p->s, name, names.data, names.count) : NULL;
	return error_create(p->s->arena, ERROR_USAGE,
			    "unknown option '%s'%s%s; stap --help lists them", name,
			    near ? "; did you mean " : "", near ? near : "");
}

/*
 * Finds the option with this name, or the only one with this beginning. If several have
 * it, *others lists them.
 */
static const struct option_row *find_long(struct option_parse *p, const char *name,
					  const char **others)
{
	const struct option_row *found = NULL;
	size_t len = strlen(name), n = 0;

	*others = "";
	for (size_t i = 0; i < ROWS; i++)
		if (option_rows[i].name && !strcmp(option_rows[i].name, name))
			return &option_rows[i];
	if (!len || foreignoptions_find(arena_printf(p->s->arena, "--%s", name)))
		return NULL;
	for (size_t i = 0; i < ROWS; i++) {
		if (!option_rows[i].name || strncmp(option_rows[i].name, name, len))
			continue;
		found = n++ ? NULL : &option_rows[i];
		*others = arena_printf(p->s->arena, "%s%s--%s", *others, n > 1 ? ", " : "",
				       option_rows[i].name);
	}
	return found;
}

/* Parses --name, --name=value or --name value. */
static struct error *parse_long(struct option_parse *p, int argc, char **argv, int *at)
{
	const char *arg = argv[*at] + 2, *value = strchr(arg, '='), *others;
	const char *name = arena_strndup(p->s->arena, arg, strcspn(arg, "="));
	const struct option_row *r = find_long(p, name, &others);

	if (!r && *others)
		return error_create(p->s->arena, ERROR_USAGE,
				    "--%s is the beginning of several: %s", name, others);
	if (!r)
		return unknown_option(p, arena_printf(p->s->arena, "--%s", name),
				      value ? value + 1 : NULL);
	p->shown = arena_printf(p->s->arena, "--%s", r->name);
	if (value && !r->arg)
		return optiontype_wrong(p, "%s takes no argument%.0s", "");
	if (!value && options_row_takes_argument(r)) {
		if (*at + 1 >= argc)
			return optiontype_wrong(p, "%s needs an argument: %s", r->arg);
		return apply(p, r, argv[++*at]);
	}
	return apply(p, r, value ? value + 1 : NULL);
}

/* Parses -vgk, -p4, -o FILE. */
static struct error *parse_letters(struct option_parse *p, int argc, char **argv, int *at)
{
	for (const char *c = argv[*at] + 1; *c; c++) {
		const struct option_row *r = NULL;
		struct error *err;

		for (size_t i = 0; i < ROWS && !r; i++)
			r = option_rows[i].letter == *c ? &option_rows[i] : NULL;
		p->shown = arena_printf(p->s->arena, "-%c", *c);
		if (!r || !r->arg) {
			err = r ? apply(p, r, NULL) : unknown_option(p, p->shown, NULL);
			if (err)
				return err;
			continue;
		}
		if (c[1])
			return apply(p, r, c + 1);
		if (*at + 1 >= argc)
			return optiontype_wrong(p, "%s needs an argument: %s", r->arg);
		return apply(p, r, argv[++*at]);
	}
	return NULL;
}

/* ---- options one by one ---- */

static const char *name_of_row(struct session *s, const struct option_row *r)
{
	return r->name ? arena_printf(s->arena, "--%s", r->name)
		       : arena_printf(s->arena, "-%c", r->letter);
}

struct error *options_set(struct session *s, struct options *o, int argc, char **argv, int *at,
			  const char **name)
{
	struct options changed = *o;
	bool exit_now = false;
	struct option_parse p = { .s = s, .o = &changed, .exit_now = &exit_now };
	const char *word = argv[*at];
	bool is_long = !strncmp(word, "--", 2) && word[2];
	struct error *err;

	if (word[0] != '-' || !word[1])
		return error_create(s->arena, ERROR_USAGE,
				    "'%s' is not an option; as in -T 5, --timeout=5 or -v", word);
	if (!strncmp(word, "--rlimit-", 9) || !strcmp(word, "--help") || word[1] == 'h')
		return error_create(s->arena, ERROR_USAGE, "%s is for the command line of stap",
				    word);
	err = is_long ? parse_long(&p, argc, argv, at) : parse_letters(&p, argc, argv, at);
	if (err)
		return err;
	if (exit_now || changed.wanted || changed.example || changed.script_text != o->script_text)
		return error_create(s->arena, ERROR_USAGE, "%s is for the command line of stap",
				    word);
	*name = p.row ? name_of_row(s, p.row) : word;
	*o = changed;
	return NULL;
}

const char *options_name(struct session *s, const char *word)
{
	struct option_parse p = { .s = s };
	const char *others;
	const struct option_row *r = NULL;

	word += strspn(word, "-");
	for (size_t i = 0; i < ROWS && *word && !word[1] && !r; i++)
		r = option_rows[i].letter == *word ? &option_rows[i] : NULL;
	if (!r && *word)
		r = find_long(&p, word, &others);
	return r ? name_of_row(s, r) : NULL;
}

size_t options_count(void)
{
	return ROWS;
}

const char *options_long(size_t i)
{
	return option_rows[i].name;
}

/* ---- options together ---- */

bool options_passed(const struct options *o, const char *option)
{
	vec_each(&o->run_args, i)
		if (!strcmp(o->run_args.data[i], option))
			return true;
	return false;
}

const char *options_runtime(enum runtime_kind runtime)
{
	static const char *const texts[] = {
		[RUNTIME_KERNEL] = "--runtime=kernel",
		[RUNTIME_USER] = "--runtime=user",
		[RUNTIME_BPF] = "--runtime=bpf",
	};

	return texts[runtime];
}

/*
 * SYSTEMTAP_RELEASE replaces a missing -r; machines of --remote have their own kernels,
 * and programs have none.
 */
static void take_environment(struct options *o)
{
	const char *release = getenv("SYSTEMTAP_RELEASE");

	if (release && *release && !o->release && !o->vm_release && !o->remotes.count &&
	    o->runtime == RUNTIME_KERNEL)
		o->release = release;
}

/*
 * Assigns the words that are not options: the name of a script, or a command's argument;
 * then the script's arguments.
 */
static void take_words(struct session *s, struct options *o, const option_texts *words)
{
	size_t i = 0;

	if (optioncommand_words(o->wanted) == COMMAND_WORDS) {
		if (!o->wanted_word && words->count)
			o->wanted_word = words->data[i++];
	} else if (!o->script_text && !o->example && words->count) {
		o->script_file = words->data[i++];
	}
	for (; i < words->count; i++)
		vec_push(s->arena, &o->args, words->data[i]);
}

struct error *options_check(struct session *s, const struct options *o)
{
	return optioncommand_words(o->wanted) == COMMAND_SCRIPT ? optionrules_check(s, o)
								: optioncommand_check(s, o);
}

struct error *options_parse(struct session *s, int argc, char **argv, struct options *ret,
			    bool *exit_now)
{
	struct option_parse p = { .s = s, .o = ret, .exit_now = exit_now };
	option_texts words = { 0 };
	bool all_words = false;
	struct error *err;

	*ret = (struct options){ .compatible = SYSTEMTAP_VERSION, .argv = argv };
	for (size_t i = 0; i < ROWS; i++)
		optiontype_begin(ret, &option_rows[i]);
	argv = firstline_split(s, &argc, argv);
	err = rcfile_prepend(s, &argc, &argv);
	if (err)
		return err;
	/*
	 * Options may follow the script as well:
	 * `stap script.stp -c CMD`; "--" ends them.
	 */
	for (int at = 1; at < argc && !*exit_now; at++) {
		if (all_words || argv[at][0] != '-' || !argv[at][1]) {
			vec_push(s->arena, &words, argv[at]);
			continue;
		}
		if (!strcmp(argv[at], "--")) {
			all_words = true;
			continue;
		}
		err = argv[at][1] == '-' ? parse_long(&p, argc, argv, &at)
					 : parse_letters(&p, argc, argv, &at);
		if (err)
			return err;
	}
	take_words(s, ret, &words);
	take_environment(ret);
	return *exit_now ? NULL : options_check(s, ret);
}
