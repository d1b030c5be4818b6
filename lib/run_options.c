/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See run_options.h. */
#include "lib/run_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "uapi/msg.h"

#define FIRST_LONG 256 /* getopt_long() returns FIRST_LONG plus the number of the row */

enum {
#define RUN_OPTION(id, ...) ROW_OF_##id,
#include "uapi/run_options.def"
	ROWS_MAX
};

struct getopt_tables {
	char letters[sizeof("hV") + 2 * ROWS_MAX];
	struct option longs[ROWS_MAX + 3];
};

static void fill_tables(const struct run_program *p, struct getopt_tables *t)
{
	char *letter = t->letters;
	struct option *next = t->longs;

	for (unsigned i = 0; i < p->count; i++) {
		const struct run_option *row = &p->rows[i];

		if (row->letter)
			*letter++ = row->letter;
		if (row->letter && row->arg)
			*letter++ = ':';
		if (*row->name)
			*next++ = (struct option){ row->name, row->arg != NULL, NULL,
						   FIRST_LONG + (int)i };
	}
	strcpy(letter, "hV");
	*next++ = (struct option){ "help", no_argument, NULL, 'h' };
	*next++ = (struct option){ "version", no_argument, NULL, 'V' };
	*next = (struct option){ 0 };
}

/* NULL: getopt_long() has printed what is wrong. */
static const struct run_option *find_row(const struct run_program *p, int c)
{
	if (c >= FIRST_LONG)
		return &p->rows[c - FIRST_LONG];
	for (unsigned i = 0; i < p->count; i++)
		if (p->rows[i].letter == c)
			return &p->rows[i];
	return NULL;
}

static void print_help(const struct run_program *p)
{
	fputs(p->usage, stdout);
	for (unsigned i = 0; i < p->count; i++) {
		const struct run_option *row = &p->rows[i];
		const char *arg = row->arg ? row->arg : "";
		const char *between = !*arg ? "" : row->letter ? " " : "=";
		int width = printf("  %s%s%s", row->spelt, between, arg);

		printf("%*s%s\n", width < 14 ? 14 - width : 2, "", row->help);
	}
	puts("  -h, -V      help, version");
}

/*
 * SystemTap's staprun takes "-b MB", the size of the buffers, and stap takes "-b" alone.
 * Returns -s, with optarg set, if a number follows the -b; otherwise -b.
 */
static int read_bulk(int argc, char **argv, const struct getopt_tables *t)
{
	const char *next = optind < argc ? argv[optind] : "";

	if (!strchr(t->letters, 's') || argv[optind - 1][strlen(argv[optind - 1]) - 1] != 'b' ||
	    !*next || next[strspn(next, "0123456789")])
		return 'b';
	optarg = argv[optind++];
	return 's';
}

static bool apply(const struct run_option *row, struct options *o)
{
	if (row->set)
		return row->set(o, row);
	*(bool *)((char *)o + row->flag) = true;
	return true;
}

enum options_result run_options_parse(const struct run_program *p, int argc, char **argv,
				      struct options *o)
{
	struct getopt_tables t;
	int c;

	fill_tables(p, &t);
	while ((c = getopt_long(argc, argv, t.letters, t.longs, NULL)) != -1) {
		const struct run_option *row;

		if (c == 'b')
			c = read_bulk(argc, argv, &t);
		row = find_row(p, c);

		if (c == 'h' || c == 'V') {
			if (c == 'h')
				print_help(p);
			else
				printf(p->version, STP_ABI);
			return OPTIONS_EXIT;
		}
		if (!row || !apply(row, o))
			return OPTIONS_WRONG;
	}
	return OPTIONS_RUN;
}
