/* SPDX-License-Identifier: GPL-2.0-or-later */
#define _GNU_SOURCE
#include "base/options.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/diag.h"
#include "base/firstline.h"
#include "base/foreign.h"
#include "base/rcfile.h"
#include "base/session.h"
#include "base/version.h"
#include "lib/arena.h"
#include "lib/dburl.h"
#include "lib/error.h"
#include "lib/rlimit.h"
#include "lib/word.h"

#ifdef HAVE_EXPORTER
#define HAS_EXPORTER true
#else
#define HAS_EXPORTER false
#endif

struct parse {
	struct session *s;
	struct options *o;
	bool *exit_now;
	const char *shown;	      /* the option as given, for messages */
	const struct option_row *row; /* of the last option */
};

#define OWN_INFO "stap_" /* begins the names of modinfo that say what staprun believes */

typedef struct error *(*set_fn)(struct parse *p, const char *arg);

static struct error *usage(struct parse *p, const char *fmt, const char *arg)
{
	return error_create(p->s->arena, ERROR_USAGE, fmt, p->shown, arg);
}

static struct error *parse_number(struct parse *p, const char *arg, long low, long high, long *ret)
{
	char *end;

	*ret = strtol(arg, &end, 10);
	if (!*arg || *end || *ret < low || *ret > high)
		return error_create(p->s->arena, ERROR_USAGE,
				    "%s takes a number from %ld to %ld, not '%s'", p->shown, low,
				    high, arg);
	return NULL;
}

static bool is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!word_char(text[i]))
			return false;
	return len > 0 && !isdigit((unsigned char)text[0]);
}

static struct error *options_parse_definition(struct parse *p, const char *arg,
					      struct definition *ret)
{
	size_t len = strcspn(arg, "=");

	if (!is_name(arg, len))
		return usage(p, "%s takes NAME=VALUE, not '%s'", arg);
	ret->name = arena_strndup(p->s->arena, arg, len);
	ret->value = arg[len] ? arg + len + 1 : NULL;
	return NULL;
}

/* ---- setters, in the order of options.def; those of flags need none ---- */

static struct error *set_script(struct parse *p, const char *arg)
{
	if (p->o->script_text && !p->o->list)
		return usage(p, "%s is given twice; -E adds another script%.0s", arg);
	p->o->script_text = arg;
	return NULL;
}

static struct error *set_more_script(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->more_scripts, arg);
	return NULL;
}

static struct error *set_pass(struct parse *p, const char *arg)
{
	long n;
	struct error *err = parse_number(p, arg, 1, 5, &n);

	p->o->last_pass = (int)n;
	return err;
}

static struct error *set_verbose(struct parse *p, const char *arg)
{
	p->o->verbose++;
	return NULL;
}

/* Sets --vp 00012: a digit for each pass; the largest one counts for stap as a whole. */
static struct error *set_verbose_passes(struct parse *p, const char *arg)
{
	if (!*arg || strspn(arg, "0123456789") != strlen(arg))
		return usage(p, "%s takes a digit for each pass, as 00012, not '%s'", arg);
	for (; *arg; arg++)
		if ((unsigned)(*arg - '0') > p->o->verbose)
			p->o->verbose = (unsigned)(*arg - '0');
	return NULL;
}

static struct error *set_release(struct parse *p, const char *arg)
{
	p->o->release = arg;
	return NULL;
}

static struct error *set_btf(struct parse *p, const char *arg)
{
	p->o->btf = arg;
	return NULL;
}

static struct error *set_module_name(struct parse *p, const char *arg)
{
	size_t len = strlen(arg);

	if (len > 3 && !strcmp(arg + len - 3, ".ko"))
		len -= 3;
	if (!is_name(arg, len) || len > 54)
		return usage(
			p, "%s takes a name of letters, digits and '_', at most 54 long, not '%s'",
			arg);
	p->o->module_name = arena_strndup(p->s->arena, arg, len);
	return NULL;
}

static struct error *set_tmpdir(struct parse *p, const char *arg)
{
	char *path = realpath(arg, NULL);
	struct stat st;

	if (!path || stat(path, &st) || !S_ISDIR(st.st_mode)) {
		free(path);
		return usage(p, "%s needs a directory that is there, not '%s'", arg);
	}
	setenv("TMPDIR", path, 1);
	free(path);
	return NULL;
}

static struct error *set_output(struct parse *p, const char *arg)
{
	p->o->output = arg;
	return NULL;
}

static struct error *set_to(struct parse *p, const char *arg)
{
	const char *colon = strchr(arg, ':');

	if (!colon || colon == arg || !colon[1])
		return error_create(p->s->arena, ERROR_USAGE,
				    "--to takes KIND:WHERE, as in --to sqlite:FILE; stap-merge -h "
				    "lists the kinds");
	// The argument is this process's own, which others can read.
	dburl_hide_password((char *)(uintptr_t)arg);
	p->o->to = arg;
	return NULL;
}

/* Hands an option of uapi/run_options.def on; staprun judges it. */
static struct error *set_passed(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->run_args, p->shown);
	if (arg)
		vec_push(p->s->arena, &p->o->run_args, arg);
	return NULL;
}

/* What the option counts in SystemTap, for tests of its library, is not counted here. */
static struct error *set_nothing(struct parse *p, const char *arg)
{
	return NULL;
}

static struct error *set_run_time(struct parse *p, const char *arg)
{
	return parse_number(p, arg, 1, 100000000, &p->o->seconds);
}

static struct error *set_command(struct parse *p, const char *arg)
{
	p->o->command = arg;
	return NULL;
}

static struct error *set_target(struct parse *p, const char *arg)
{
	return parse_number(p, arg, 1, 0x7fffffff, &p->o->target_pid);
}

static struct error *set_target_namespaces(struct parse *p, const char *arg)
{
	long pid;
	struct error *err = parse_number(p, arg, 1, 0x7fffffff, &pid);

	vec_push(p->s->arena, &p->o->run_args, "-N");
	vec_push(p->s->arena, &p->o->run_args, arg);
	return err;
}

static struct error *set_architecture(struct parse *p, const char *arg)
{
	p->o->architecture = arg;
	return NULL;
}

/* Adds a definition. `form` is what one with a value looks like; NULL: it needs none. */
static struct error *add_definition(struct parse *p, const char *arg, const char *form,
				    definitions *ret)
{
	struct definition d;
	struct error *err = options_parse_definition(p, arg, &d);

	if (!err && form && !d.value)
		return error_create(p->s->arena, ERROR_USAGE, "%s takes %s, not '%s'", p->shown,
				    form, arg);
	if (!err)
		vec_push(p->s->arena, ret, d);
	return err;
}

static struct error *set_module_info(struct parse *p, const char *arg)
{
	if (!strncmp(arg, OWN_INFO, strlen(OWN_INFO)))
		return usage(p, "%s takes no names that begin with stap_, such as '%s'; stap "
				"writes those itself", arg);
	return add_definition(p, arg, "NAME=VALUE", &p->o->module_info);
}

static struct error *set_include(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->include_dirs, arg);
	return NULL;
}

static struct error *set_define(struct parse *p, const char *arg)
{
	return add_definition(p, arg, NULL, &p->o->macros);
}

static struct error *set_make_variable(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->make_variables, arg);
	return NULL;
}

static struct error *set_global(struct parse *p, const char *arg)
{
	return add_definition(p, arg, "VAR=VALUE", &p->o->globals);
}

static struct error *set_remote(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->remotes, ((struct remote_name){ arg, false }));
	return NULL;
}

static struct error *set_remote_file(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->remotes, ((struct remote_name){ arg, true }));
	return NULL;
}

static struct error *set_remote_prefix(struct parse *p, const char *arg)
{
	p->o->remote_prefix = arg && !strcmp(arg, "host") ? REMOTE_HOST : REMOTE_NUMBER;
	if (arg && strcmp(arg, "host") && strcmp(arg, "number"))
		return usage(p, "%s is number or host, not '%s'", arg);
	return NULL;
}

static struct error *set_remote_timeout(struct parse *p, const char *arg)
{
	long n = 0;
	struct error *err = parse_number(p, arg, 1, 86400, &n);

	p->o->remote_timeout = (unsigned)n;
	return err;
}

static struct error *set_remote_fanout(struct parse *p, const char *arg)
{
	long n = 0;
	struct error *err = parse_number(p, arg, 1, 4096, &n);

	p->o->remote_fanout = (unsigned)n;
	return err;
}

static struct error *set_list(struct parse *p, const char *arg)
{
	p->o->list = true;
	p->o->script_text = arg;
	return NULL;
}

static struct error *set_estimate(struct parse *p, const char *arg)
{
	p->o->estimate = true;
	p->o->last_pass = 2;
	return NULL;
}

static struct error *set_list_vars(struct parse *p, const char *arg)
{
	p->o->list_vars = true;
	return set_list(p, arg);
}

static struct error *set_module(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->modules, arg);
	return NULL;
}

static struct error *set_buffer(struct parse *p, const char *arg)
{
	long n;
	struct error *err = parse_number(p, arg, 1, 4095, &n);

	p->o->buffer_mb = (unsigned)n;
	return err;
}

/*
 * Notes about renamed things are given whatever the version, unless -w asks for silence.
 */
static struct error *set_compatible(struct parse *p, const char *arg)
{
	if (!isdigit((unsigned char)arg[0]) || strverscmp(arg, SYSTEMTAP_VERSION) > 0)
		return usage(
			p, "%s takes a version of SystemTap up to " SYSTEMTAP_VERSION ", not '%s'",
			arg);
	p->o->compatible = arg;
	return NULL;
}

bool options_speak(const struct session *s, const char *version)
{
	return !s->options || strverscmp(s->options->compatible, version) >= 0;
}

const char *const privilege_names[PRIVILEGE_COUNT] = {
#define LEVEL(name, group, load) [PRIVILEGE_##name] = group,
	STP_PRIVILEGE_LEVELS(LEVEL)
#undef LEVEL
};

static struct error *set_privilege(struct parse *p, const char *arg)
{
	for (int i = 0; i < PRIVILEGE_COUNT; i++) {
		if (!strcmp(arg, privilege_names[i])) {
			p->o->privilege = i;
			return NULL;
		}
	}
	return usage(p, "%s is stapusr, stapsys or stapdev, not '%s'", arg);
}

static struct error *set_unprivileged(struct parse *p, const char *arg)
{
	return set_privilege(p, "stapusr");
}

static struct error *set_vm(struct parse *p, const char *arg)
{
	p->o->vm = true;
	p->o->vm_release = arg;
	return NULL;
}

static struct error *set_disk(struct parse *p, const char *arg)
{
	long n = 1024;
	struct error *err = arg ? parse_number(p, arg, 1, 1 << 20, &n) : NULL;

	p->o->disk_mb = (unsigned)n;
	return err;
}

static struct error *set_runtime(struct parse *p, const char *arg)
{
	if (strcmp(arg, "kernel") && strcmp(arg, "user"))
		return usage(p, "%s is kernel or user, not '%s'", arg);
	p->o->runtime = !strcmp(arg, "user") ? RUNTIME_USER : RUNTIME_KERNEL;
	return NULL;
}

static struct error *set_rlimit(struct parse *p, const char *arg)
{
	return rlimit_set(p->s->arena, p->shown, arg);
}

static struct error *set_color(struct parse *p, const char *arg)
{
	static const char *const names[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"
	};

	for (int i = 0; i < 3; i++) {
		if (!strcmp(arg ? arg : "always", names[i])) {
			p->o->color = i;
			return NULL;
		}
	}
	return usage(p, "%s is always, never or auto, not '%s'", arg);
}

static struct error *set_dump_types(struct parse *p, const char *arg)
{
	p->o->dump = DUMP_TYPES;
	return NULL;
}

static struct error *set_dump_aliases(struct parse *p, const char *arg)
{
	p->o->dump = DUMP_ALIASES;
	return NULL;
}

static struct error *set_dump_functions(struct parse *p, const char *arg)
{
	p->o->dump = DUMP_FUNCTIONS;
	return NULL;
}

static struct error *set_doc(struct parse *p, const char *arg)
{
	p->o->doc = arg;
	return NULL;
}

static struct error *set_sign_module(struct parse *p, const char *arg)
{
	p->o->sign = true;
	p->o->sign_key = arg;
	return NULL;
}

static struct error *set_make_key(struct parse *p, const char *arg)
{
	p->o->make_key = true;
	p->o->key_dir = arg;
	return NULL;
}

static struct error *set_doctor(struct parse *p, const char *arg)
{
	p->o->doctor = true;
	p->o->doctor_thing = arg;
	return NULL;
}

static struct error *set_examples(struct parse *p, const char *arg)
{
	p->o->examples = true;
	p->o->script_file = arg;
	return NULL;
}

static struct error *set_explain(struct parse *p, const char *arg)
{
	p->o->explain = true;
	p->o->script_file = arg;
	return NULL;
}

static struct error *set_monitor(struct parse *p, const char *arg)
{
	long n = 1;
	struct error *err = arg ? parse_number(p, arg, 1, 3600, &n) : NULL;

	p->o->monitor = (unsigned)n;
	p->o->globals_readable = true; // they are shown
	return err;
}

/* staprun refreshes the tables; how often they come is the script's. */
static struct error *set_top(struct parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->run_args, "--top");
	return arg ? parse_number(p, arg, 1, 86400, &p->o->top_seconds) : NULL;
}

static struct error *set_exporter(struct parse *p, const char *arg)
{
	p->o->exporter = true;
	p->o->exporter_at = arg;
	return NULL;
}

static struct error *set_status(struct parse *p, const char *arg)
{
	p->o->status = true;
	p->o->run_name = arg;
	return NULL;
}

static struct error *set_stop(struct parse *p, const char *arg)
{
	p->o->stop = true;
	p->o->run_name = arg;
	return NULL;
}

static struct error *set_example(struct parse *p, const char *arg)
{
	p->o->example = arg;
	return NULL;
}

static void print_help(void);

static struct error *set_help(struct parse *p, const char *arg)
{
	print_help();
	*p->exit_now = true;
	return NULL;
}

static struct error *set_version(struct parse *p, const char *arg)
{
	const char *commit = version_commit;

	printf("stap %s%s%s%s, speaking SystemTap's language, %s ncurses (--monitor), %s "
	       "libedit (-i), %s stap-exporter\n"
	       "Licence: GPL-2.0-or-later. There is no warranty, to the extent permitted by law.\n",
	       STAP_VERSION, *commit ? " (commit " : "", commit, *commit ? ")" : "",
	       version_has_screen ? "with" : "without", version_has_editor ? "with" : "without",
	       HAS_EXPORTER ? "with" : "without");
	*p->exit_now = true;
	return NULL;
}

/* ---- the table ---- */

struct option_row {
	char letter;
	const char *name, *arg;
	set_fn set;  /* NULL: */
	size_t flag; /* this member of struct options becomes true */
	const char *help;
};

static const struct option_row table[] = {
#define OPTION(letter, name, arg, set, help) { letter, name, arg, set_##set, 0, help },
#define FLAG(letter, name, member, help)                                                           \
	{ letter, name, NULL, NULL, offsetof(struct options, member), help },
#define IN_STAP(words) words
#define RUN_OPTION(id, letter, name, arg, stap, staprun, stapio, help)                             \
	RUN_##stap(letter, sizeof(name) > 1 ? name : NULL, arg, help)
#define RUN_NO(letter, name, arg, help)
#define RUN_PASS(letter, name, arg, help) OPTION(letter, name, arg, passed, help)
#include "base/options.def"
#undef OPTION
#undef FLAG
};
#define ROWS (sizeof(table) / sizeof(table[0]))

static bool takes_argument(const struct option_row *row)
{
	return row->arg && row->arg[0] != '[';
}

static struct error *apply(struct parse *p, const struct option_row *row, const char *arg)
{
	p->row = row;
	if (row->set)
		return row->set(p, arg);
	*(bool *)((char *)p->o + row->flag) = true;
	return NULL;
}

static void print_help(void)
{
	static char room[1 << 15];

	/* All in one write, which is main()'s: it says why that fails. */
	setvbuf(stdout, room, _IOFBF, sizeof(room));
	puts("Usage: stap [OPTIONS] FILE [ARGS]      run the script in FILE ('-': standard input)\n"
	     "       stap [OPTIONS] -e SCRIPT [ARGS]  run SCRIPT\n"
	     "       stap [OPTIONS] -l POINT          list probe points\n"
	     "       stap [OPTIONS] -i [FILE]         a dialogue\n"
	     "       stap service VERB [NAME]         scripts that run from boot on\n\n"
	     "Options:");
	for (size_t i = 0; i < ROWS; i++) {
		const struct option_row *r = &table[i];
		char left[64];

		snprintf(left, sizeof(left), "%s%.1s%s%s%s%s%s", r->letter ? "-" : "    ",
			 r->letter ? &r->letter : "", r->letter && r->name ? ", " : "",
			 r->name ? "--" : "", r->name ? r->name : "",
			 takes_argument(r) ? (r->letter ? " " : "=") : "", r->arg ? r->arg : "");
		printf("  %-28s %s\n", left, r->help);
	}
	puts("\nExamples:\n"
	     "  stap -e 'probe kernel.function(\"vfs_read\") { printf(\"%s %d\\n\", execname(), "
	     "$count) }' -c 'cat /etc/hostname'\n"
	     "  stap -l 'syscall.*'\n"
	     "  stap --runtime=user -e 'probe begin { println(\"hello\") exit() }'\n\n"
	     "man stap, man stap-language, man stapprobes");
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
static struct error *unknown_option(struct parse *p, const char *name, const char *value)
{
	const struct foreign *foreign = foreign_find(name);
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
		if (table[i].name)
			vec_push(p->s->arena, &names,
				 arena_printf(p->s->arena, "--%s", table[i].name));
	near = name[1] == '-' ? diag_near(p->s, name, names.data, names.count) : NULL;
	return error_create(p->s->arena, ERROR_USAGE,
			    "unknown option '%s'%s%s; stap --help lists them", name,
			    near ? "; did you mean " : "", near ? near : "");
}

/*
 * Finds the option of that name, or the only one that begins so. *others lists those that
 * begin so where there are several.
 */
static const struct option_row *find_long(struct parse *p, const char *name, const char **others)
{
	const struct option_row *found = NULL;
	size_t len = strlen(name), n = 0;

	*others = "";
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].name && !strcmp(table[i].name, name))
			return &table[i];
	if (!len || foreign_find(arena_printf(p->s->arena, "--%s", name)))
		return NULL;
	for (size_t i = 0; i < ROWS; i++) {
		if (!table[i].name || strncmp(table[i].name, name, len))
			continue;
		found = n++ ? NULL : &table[i];
		*others = arena_printf(p->s->arena, "%s%s--%s", *others, n > 1 ? ", " : "",
				       table[i].name);
	}
	return found;
}

/* Parses --name, --name=value or --name value. */
static struct error *parse_long(struct parse *p, int argc, char **argv, int *at)
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
		return usage(p, "%s takes no argument%.0s", "");
	if (!value && takes_argument(r)) {
		if (*at + 1 >= argc)
			return usage(p, "%s needs an argument: %s", r->arg);
		return apply(p, r, argv[++*at]);
	}
	return apply(p, r, value ? value + 1 : NULL);
}

/* Parses -vgk, -p4, -o FILE. */
static struct error *parse_letters(struct parse *p, int argc, char **argv, int *at)
{
	for (const char *c = argv[*at] + 1; *c; c++) {
		const struct option_row *r = NULL;
		struct error *err;

		for (size_t i = 0; i < ROWS && !r; i++)
			r = table[i].letter == *c ? &table[i] : NULL;
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
			return usage(p, "%s needs an argument: %s", r->arg);
		return apply(p, r, argv[++*at]);
	}
	return NULL;
}

/* ---- options one by one ---- */

/* True: something else than a run is asked for, or a script is given. */
static bool asks_for_something(const struct options *o)
{
	return o->list || o->dump || o->doc || o->explain || o->examples || o->example ||
	       o->status || o->stop || o->language_server || o->doctor || o->make_key ||
	       o->clean_cache || o->exporter || o->format;
}

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
	struct parse p = { .s = s, .o = &changed, .exit_now = &exit_now };
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
	if (exit_now || asks_for_something(&changed) || changed.interactive ||
	    changed.script_text != o->script_text)
		return error_create(s->arena, ERROR_USAGE, "%s is for the command line of stap",
				    word);
	*name = p.row ? name_of_row(s, p.row) : word;
	*o = changed;
	return NULL;
}

const char *options_name(struct session *s, const char *word)
{
	struct parse p = { .s = s };
	const char *others;
	const struct option_row *r = NULL;

	word += strspn(word, "-");
	for (size_t i = 0; i < ROWS && *word && !word[1] && !r; i++)
		r = table[i].letter == *word ? &table[i] : NULL;
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
	return table[i].name;
}

/* ---- options together ---- */

bool options_passed(const struct options *o, const char *option)
{
	vec_each(&o->run_args, i)
		if (!strcmp(o->run_args.data[i], option))
			return true;
	return false;
}

/* Returns an option for modules alone that was given, or NULL. */
static const char *option_of_modules(const struct options *o)
{
	if (o->estimate)
		return "--estimate";
	vec_each(&o->run_args, i)
		if (strcmp(o->run_args.data[i], "--json"))
			return o->run_args.data[i];
	return NULL;
}

/* The word behind --status is a name as well. */
static struct error *check_watching(struct parse *p)
{
	struct options *o = p->o;
	const char *shown = o->stop ? "--stop" : "--status";

	if (o->status && !o->stop && !o->run_name) {
		o->run_name = o->script_file;
		o->script_file = NULL;
	}
	if (o->status && o->stop)
		return error_create(p->s->arena, ERROR_USAGE,
				    "--status and --stop cannot both be given");
	if (o->script_text || o->script_file || o->example || o->more_scripts.count)
		return error_create(p->s->arena, ERROR_USAGE,
				    "%s takes the name of one run; a wildcard, as "
				    "in 'stap_*', matches several",
				    shown);
	if (o->run_name && !*o->run_name)
		return error_create(p->s->arena, ERROR_USAGE, "%s needs a name, not ''", shown);
	return NULL;
}

/*
 * SYSTEMTAP_RELEASE is -r where no option says it; machines of --remote have their own
 * kernels, and programs none.
 */
static void take_environment(struct options *o)
{
	const char *release = getenv("SYSTEMTAP_RELEASE");

	if (release && *release && !o->release && !o->vm_release && !o->remotes.count &&
	    o->runtime != RUNTIME_USER)
		o->release = release;
}

/* Checks that need all options to be read. */
static struct error *check_combination(struct parse *p)
{
	struct options *o = p->o;
	struct arena *a = p->s->arena;

	if (*p->exit_now || o->dump || o->doc || o->examples || o->explain || o->clean_cache ||
	    o->make_key || o->doctor)
		return NULL;
	if (o->status || o->stop)
		return check_watching(p);
	if (o->exporter)
		return NULL; /* the stap that it starts looks at the rest */
	if (o->language_server)
		return o->script_text || o->script_file || o->more_scripts.count
			       ? error_create(a, ERROR_USAGE,
					      "--language-server gets its scripts from "
					      "the editor; do not name any")
			       : NULL;
	if (o->interactive)
		return asks_for_something(o)
			       ? error_create(
					 a, ERROR_USAGE,
					 "-i is a dialogue; give other commands there")
			       : NULL;
	if (!o->script_text && !o->script_file && !o->example && o->more_scripts.count)
		return error_create(
			a, ERROR_USAGE,
			"-E adds to a script; give that one as a FILE, or with -e SCRIPT");
	if (!o->script_text && !o->script_file && !o->example)
		return error_create(a, ERROR_USAGE,
				    "no script; give a FILE, or -e SCRIPT. See stap --help");
	if (o->guru && o->privilege != PRIVILEGE_STAPDEV)
		return error_create(a, ERROR_USAGE, "-g is for the stapdev privilege, not for %s",
				    privilege_names[o->privilege]);
	if (o->command && o->target_pid)
		return error_create(a, ERROR_USAGE, "-c and -x cannot both be given");
	if (o->runtime == RUNTIME_USER && (o->vm || o->strict))
		return error_create(a, ERROR_USAGE,
				    "--runtime=user cannot be combined with --vm or --strict");
	if ((o->disk_mb || o->network) && !o->vm)
		return error_create(a, ERROR_USAGE,
				    "--disk and --network are for a guest: they need --vm");
	if (o->runtime == RUNTIME_USER && o->btf)
		return error_create(a, ERROR_USAGE,
				    "--btf describes a kernel; --runtime=user has none");
	if (o->runtime == RUNTIME_USER && option_of_modules(o))
		return error_create(a, ERROR_USAGE,
				    "%s is for modules; it cannot be combined with --runtime=user",
				    option_of_modules(o));
	if (!o->output && (options_passed(o, "-S") || options_passed(o, "--compress")))
		return error_create(a, ERROR_USAGE,
				    "-S and --compress need -o FILE");
	if (o->to &&
	    (o->output || o->remotes.count || options_passed(o, "--json") ||
	     options_passed(o, "-b") || options_passed(o, "-F") || options_passed(o, "-S")))
		return error_create(a, ERROR_USAGE,
				    "--to cannot be combined with -o, -S, -b, -F, --json or "
				    "--remote; stap-merge --to converts raw files of -b -M");
	if (o->monitor && (o->vm || o->remotes.count || options_passed(o, "-F")))
		return error_create(a, ERROR_USAGE,
				    "--monitor shows a run of this machine, and cannot be combined "
				    "with --vm, --remote or -F");
	if (o->remotes.count && (o->runtime == RUNTIME_USER || o->vm || o->release))
		return error_create(a, ERROR_USAGE,
				    "--remote finds the kernel by itself and cannot be "
				    "combined with --runtime=user, --vm or -r");
	if (o->remotes.count && (options_passed(o, "-S") || options_passed(o, "--compress")))
		return error_create(a, ERROR_USAGE,
				    "-S and --compress cannot be combined with --remote, "
				    "whose files here do not rotate");
	if (o->suppress_time_limits && !o->guru)
		return error_create(a, ERROR_USAGE,
				    "--suppress-time-limits removes limits that keep the "
				    "machine responsive; it needs -g");
	if (o->example && (o->script_text || o->script_file))
		return error_create(a, ERROR_USAGE,
				    "--example names the script; do not give another one");
	return NULL;
}

struct error *options_check(struct session *s, struct options *o)
{
	bool exit_now = false;
	struct parse p = { .s = s, .o = o, .exit_now = &exit_now };

	return check_combination(&p);
}

struct error *options_parse(struct session *s, int argc, char **argv, struct options *ret,
			    bool *exit_now)
{
	struct parse p = { .s = s, .o = ret, .exit_now = exit_now };
	VEC(const char *) words = { 0 };
	bool all_words = false;
	struct error *err;
	size_t first = 0;

	*ret = (struct options){ .last_pass = 5,
				 .compatible = SYSTEMTAP_VERSION,
				 .remote_timeout = 30,
				 .remote_fanout = 32,
				 .privilege = PRIVILEGE_STAPDEV };
	argv = firstline_split(s, &argc, argv);
	err = rcfile_prepend(s, &argc, &argv);
	if (err)
		return err;
	/*
	 * Options may stand behind the script as well:
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
	if (!ret->script_text && !ret->script_file && !ret->example && words.count)
		ret->script_file = words.data[first++];
	for (; first < words.count; first++)
		vec_push(s->arena, &ret->args, words.data[first]);
	take_environment(ret);
	return check_combination(&p);
}
