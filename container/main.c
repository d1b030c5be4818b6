/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap-container: prints the control group of a container, or lists all. staprun
 * --container runs it without privileges.
 *
 * Exit status: 0; 1 there is no such container, or several; 2 usage.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "container/container.h"
#include "lib/confined.h"
#include "lib/hierarchy.h"
#include "lib/printable.h"
#include "lib/streams.h"

enum { EXIT_OK, EXIT_NONE, EXIT_USAGE };

static const char usage_text[] =
	"Usage: stap-container [-l] [NAME]\n"
	"Prints the control group of a container, or lists containers.\n"
	"  NAME        its name, its id or the beginning of that, pod/NAME, pod/NAMESPACE/NAME\n"
	"  -l, --list  list all containers, or those that NAME matches\n"
	"      --root=DIR    root directory of the engines' state\n"
	"      --cgroups=DIR where control groups of version 2 are mounted\n"
	"  -h, --help\n";

#define NAME_WIDTH 29

struct arguments {
	const char *root, *mount, *word;
	bool list;
};

static int error(const char *what, const char *hint)
{
	fprintf(stderr, "ERROR: %s\n%s%s%s", what, hint ? "       " : "", hint ? hint : "",
		hint ? "\n" : "");
	return EXIT_NONE;
}

/* Ends the program when there is no memory for the copy. */
static char *shown(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		exit(error("out of memory", NULL));
	return printable_line(copy);
}

static void print_text(const char *text)
{
	char *copy = shown(text);

	puts(copy);
	free(copy);
}

/*
 * Engines choose names, and users make groups: nothing in them may control a terminal.
 * Widths of columns are counted in characters of UTF-8.
 */
static void print_row(FILE *to, const struct container *c)
{
	char *id = shown(c->id), *name = shown(c->name && *c->name ? c->name : "-"),
	     *group = shown(c->group);
	int n = 0;

	for (const char *s = name; *s; s++)
		n += (*s & 0xc0) != 0x80;
	fprintf(to, "%-12.12s %-10s %s%*s%s\n", id, c->engine, name,
		n < NAME_WIDTH ? NAME_WIDTH - n : 1, "", group);
	free(id);
	free(name);
	free(group);
}

static int list(const struct containers *all, const char *word)
{
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		if (word && !container_is_meant(&all->rows[i], word))
			continue;
		if (!n++)
			printf("%-12s %-10s %-28s %s\n", "ID", "ENGINE", "NAME", "CONTROL GROUP");
		print_row(stdout, &all->rows[i]);
	}
	return n || !word ? EXIT_OK : EXIT_NONE;
}

static bool is_below(const char *group, const char *above)
{
	size_t len = strlen(above);

	return !strncmp(group, above, len) && group[len] == '/';
}

/*
 * Prints the group of the requested container. A container may have groups below its own
 * with the same id: the topmost one is printed. Outside of it, a group with the same id
 * does not belong to its engine.
 */
static int print_one(const struct containers *all, const char *word)
{
	const struct container *found = NULL;
	size_t others = 0;
	char text[512], said[201];

	for (size_t i = 0; i < all->count; i++) {
		const struct container *c = &all->rows[i];

		if (!container_is_meant(c, word))
			continue;
		if (!found)
			found = c;
		else if (!is_below(c->group, found->group))
			others++;
	}
	snprintf(said, sizeof(said), "%s", word);
	printable_line(said);
	if (!found) {
		snprintf(text, sizeof(text), "no running container '%s'", said);
		return error(text, confined_in(CONFINED_CGROUP)
					   ? CONFINED_CGROUP_HINT
					   : "stap-container -l lists all; "
					     "names that only root may read need root, ids do not");
	}
	if (others) {
		snprintf(text, sizeof(text), "'%s' means several containers:", said);
		error(text, NULL);
		for (size_t i = 0; i < all->count; i++)
			if (container_is_meant(&all->rows[i], word))
				print_row(stderr, &all->rows[i]);
		return EXIT_NONE;
	}
	if (isatty(STDOUT_FILENO))
		print_text(found->group);
	else
		puts(found->group); /* a program reads it */
	return EXIT_OK;
}

static int parse(int argc, char **argv, struct arguments *ret)
{
	static const struct option options[] = {
		{ "list", no_argument, NULL, 'l' },
		{ "root", required_argument, NULL, 'r' },
		{ "cgroups", required_argument, NULL, 'c' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int letter;

	*ret = (struct arguments){ .root = "" };
	while ((letter = getopt_long(argc, argv, "lh", options, NULL)) >= 0) {
		switch (letter) {
		case 'l':
			ret->list = true;
			break;
		case 'r':
			ret->root = optarg;
			break;
		case 'c':
			ret->mount = optarg;
			break;
		case 'h':
			fputs(usage_text, stdout);
			return -1;
		default:
			return EXIT_USAGE;
		}
	}
	ret->word = argv[optind];
	if (argc - optind <= 1 && (ret->list || (ret->word && *ret->word)))
		return EXIT_OK;
	fputs(usage_text, stderr);
	return EXIT_USAGE;
}

int main(int argc, char **argv)
{
	char mount[PATH_MAX];
	struct containers all;
	struct arguments a;
	int status, failed;

	if (!streams_open())
		return EXIT_NONE;
	status = parse(argc, argv, &a);
	if (status)
		return status < 0 ? EXIT_OK : status;
	if (!a.mount && !hierarchy_find(mount))
		return error("no hierarchy of control groups of version 2 is mounted",
			     HIERARCHY_MOUNT);
	failed = container_find(a.mount ? a.mount : mount, &all);
	if (failed)
		return error(strerror(-failed), NULL);
	container_name(a.root, &all);
	status = a.list ? list(&all, a.word) : print_one(&all, a.word);
	container_free(&all);
	if (streams_flush(stdout))
		return error("writing stdout failed", NULL);
	return status;
}
