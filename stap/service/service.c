/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See service.h. */
#include "stap/service/service.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/session.h"
#include "lib/error.h"
#include "lib/path.h"
#include "lib/strbuf.h"
#include "stap/service/servicefiles.h"
#include "stap/service/unit.h"

/* Exit statuses of `status`, the same as those of `systemctl status`. */
#define STATUS_NOT_RUNNING 3
#define STATUS_UNKNOWN	   4

struct asked {
	struct session *s;
	const char *name; /* NULL: none was given */
	const char *root; /* --root, or "" */
	bool now, early;
	int *status;
};

static struct error *find(const struct asked *a, struct service_files *ret)
{
	return servicefiles_find(a->s, a->root, a->name, ret);
}

static struct error *enable(struct asked *a)
{
	struct service_files files;
	struct error *err = find(a, &files);

	return err ? err : unit_enable(a->s, a->root, a->name, a->early, a->now, a->status);
}

/* The files may be gone: the unit is disabled nevertheless. */
static struct error *disable(struct asked *a)
{
	struct error *err = servicefiles_check_name(a->s, a->name);

	return err ? err : unit_disable(a->s, a->root, a->name, a->now, a->status);
}

/* Adds a word as a shell would accept it, in quotes if it needs them. */
static void add_word(struct strbuf *out, const char *word)
{
	if (*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"0123456789%+,-./:=@^_")])
		strbuf_adds(out, word);
	else
		strbuf_addword(out, word);
}

static void print_command(struct arena *a, const struct service_files *files)
{
	struct strbuf out;

	strbuf_init(&out, a);
	for (size_t i = 0; i + 1 < files->argv.count; i++) {
		if (i)
			strbuf_addc(&out, ' ');
		add_word(&out, files->argv.data[i]);
	}
	puts(out.s);
}

static struct error *check(struct asked *a)
{
	struct service_files files;
	struct error *err = find(a, &files);

	if (!err)
		print_command(a->s->arena, &files);
	return err;
}

/* Executes stap with the script: this is the unit's program. */
static struct error *run(struct asked *a)
{
	struct service_files files;
	struct error *err = find(a, &files);
	const char *program = arena_printf(a->s->arena, "%s/stap", a->s->bin_dir);

	if (err)
		return err;
	fflush(NULL);
	execv(program, (char **)(uintptr_t)files.argv.data);
	return error_errno(a->s->arena, "cannot run %s", program);
}

static void print_state(const struct unit_state *u)
{
	printf("%s", u->active);
	if (!strcmp(u->active, "failed"))
		printf(" (%s%s%s)", u->result, !strcmp(u->result, "exit-code") ? ", status " : "",
		       !strcmp(u->result, "exit-code") ? u->exit_status : "");
	else if (*u->sub)
		printf(" (%s)", u->sub);
	if (*u->since)
		printf(" since %s", u->since);
	printf("; %s\n", *u->enabled ? u->enabled : "not enabled");
}

static struct error *show_one(struct asked *a)
{
	struct service_files files;
	struct unit_state unit;
	struct error *wrong = find(a, &files), *err = servicefiles_check_name(a->s, a->name);

	if (!err)
		err = unit_show(a->s, a->name, &unit);
	if (err)
		return err;
	*a->status = unit_is_up(&unit) ? 0 : STATUS_NOT_RUNNING;
	if (wrong && wrong->kind == ERROR_ENVIRONMENT && !path_exists(files.script) && *a->status) {
		fprintf(stderr, "stap: %s\n", wrong->text);
		*a->status = STATUS_UNKNOWN;
		return NULL;
	}
	printf("%s: ", a->name);
	print_state(&unit);
	if (wrong) {
		printf("  wrong     %s\n", wrong->text);
	} else {
		fputs("  command   ", stdout);
		print_command(a->s->arena, &files);
	}
	if (*unit.text)
		printf("  run       %s\n", unit.text);
	if (strcmp(unit.restarts, "0"))
		printf("  restarts  %s\n", unit.restarts);
	printf("  log       journalctl -u %s\n", unit_of(a->s, a->name));
	return NULL;
}

static int is_script(const struct dirent *e)
{
	size_t len = strlen(e->d_name);
	char name[sizeof(e->d_name)];

	if (len < 5 || strcmp(e->d_name + len - 4, ".stp"))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(len - 4), e->d_name);
	return servicefiles_is_name(name);
}

/* Prints a line for each script. */
static struct error *show_all(struct asked *a)
{
	struct dirent **entries;
	struct error *err = NULL;
	int n = scandir(SERVICE_SCRIPTS, &entries, is_script, alphasort);

	if (n < 0 && errno != ENOENT)
		return error_errno(a->s->arena, SERVICE_SCRIPTS);
	if (n <= 0)
		fprintf(stderr, "stap: there are no scripts in " SERVICE_SCRIPTS "\n");
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		struct unit_state unit;

		name = arena_strndup(a->s->arena, name, strlen(name) - 4);
		if (!err)
			err = unit_show(a->s, name, &unit);
		if (!err) {
			printf("%-20s ", name);
			print_state(&unit);
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
	return err;
}

static struct error *show(struct asked *a)
{
	if (*a->root)
		return error_create(a->s->arena, ERROR_USAGE,
				    "status is that of this machine: it cannot be combined with "
				    "--root");
	return a->name ? show_one(a) : show_all(a);
}

enum { NEEDS_NAME = 1, TAKES_NOW = 2, TAKES_EARLY = 4 };

static const struct verb {
	const char *name;
	struct error *(*act)(struct asked *a);
	unsigned takes;
	const char *help;
} verbs[] = {
	{ "enable", enable, NEEDS_NAME | TAKES_NOW | TAKES_EARLY,
	  "start it at each boot; --now: and now; --early: before all other services" },
	{ "disable", disable, NEEDS_NAME | TAKES_NOW,
	  "do not start it at boot; --now: and stop it" },
	{ "status", show, 0, "show its state; without NAME: one line for each" },
	{ "check", check, NEEDS_NAME, "check its files, and print the command line they make" },
	{ "run", run, NEEDS_NAME, "run it, as the unit stap@NAME does" },
};
#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

static const struct verb *verb_named(const char *name)
{
	for (size_t i = 0; i < VERBS; i++)
		if (!strcmp(verbs[i].name, name))
			return &verbs[i];
	return NULL;
}

static bool is_help(const char *word)
{
	return !strcmp(word, "-h") || !strcmp(word, "--help");
}

bool service_is_asked(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "service"))
		return false;
	return access("service", F_OK) || (argc > 2 && verb_named(argv[2]));
}

static void print_help(void)
{
	puts("Usage: stap service VERB [OPTION]... [NAME]\n"
	     "Scripts that run from boot on: " SERVICE_SCRIPTS "/NAME.stp, with options in\n"
	     "NAME.conf.\n");
	for (size_t i = 0; i < VERBS; i++)
		printf("  %-8s %s\n", verbs[i].name, verbs[i].help);
	puts("\nOptions:\n"
	     "  --now       start or stop it as well\n"
	     "  --early     enable it for early events: before sysinit.target\n"
	     "  --root=DIR  use the system whose files are in DIR\n\n"
	     "man stap@.service");
}

static struct error *usage(struct session *s, const char *text)
{
	return error_create(s->arena, ERROR_USAGE, "service: %s; see stap service --help", text);
}

static struct error *take_word(struct asked *a, const struct verb *verb, const char *word,
			       bool is_name)
{
	bool is_option = !is_name && word[0] == '-' && word[1];

	if (is_option && !strcmp(word, "--now") && verb->takes & TAKES_NOW)
		a->now = true;
	else if (is_option && !strcmp(word, "--early") && verb->takes & TAKES_EARLY)
		a->early = true;
	else if (is_option && !strncmp(word, "--root=", 7))
		a->root = path_canonical(a->s->arena, word + 7);
	else if (is_option)
		return usage(a->s, arena_printf(a->s->arena, "unknown option '%s'", word));
	else if (a->name)
		return usage(a->s, arena_printf(a->s->arena, "'%s' is a second name", word));
	else
		a->name = word;
	if (!a->root)
		return error_create(a->s->arena, ERROR_USAGE, "%s: there is no such directory",
				    word);
	return NULL;
}

struct error *service_main(struct session *s, int argc, char **argv, int *status)
{
	const struct verb *verb = argc > 2 ? verb_named(argv[2]) : NULL;
	struct asked asked = { .s = s, .root = "", .status = status };
	bool only_names = false;
	struct error *err = NULL;

	if (!access("service", F_OK))
		return error_create(s->arena, ERROR_USAGE,
				    "there is a file 'service' here: `stap ./service` runs it as a "
				    "script; `stap service %s` is for another directory",
				    argv[2]);
	if (argc > 2 && is_help(argv[2])) {
		print_help();
		return NULL;
	}
	if (!verb)
		return usage(s, argc > 2 ? arena_printf(s->arena, "there is no verb '%s'", argv[2])
					 : "a verb is missing");
	for (int i = 3; i < argc && !err; i++) {
		if (!only_names && is_help(argv[i])) {
			print_help();
			return NULL;
		}
		if (!only_names && !strcmp(argv[i], "--"))
			only_names = true;
		else
			err = take_word(&asked, verb, argv[i], only_names);
	}
	if (!err && !asked.name && verb->takes & NEEDS_NAME)
		err = usage(s, "a name is missing");
	/* "/" means this machine. */
	if (!strcmp(asked.root ? asked.root : "", "/"))
		asked.root = "";
	if (!err && asked.now && *asked.root)
		err = usage(s, "--now is for this machine, not for --root");
	return err ? err : verb->act(&asked);
}
