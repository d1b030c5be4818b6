/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the command lines of staprun and stapio by the rows of uapi/run_options.def. A
 * program uses its own column of the table by defining RUN_OPTION() as ROW_##column(). A
 * program that passes options on also defines ROW_PASS() and ROW_NOTE(). A row without
 * its member or set_ID() does not compile.
 */
#ifndef LIB_RUN_OPTIONS_H
#define LIB_RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct options; /* each program has its own */

struct run_option {
	char letter;	   /* 0: none */
	const char *name;  /* "": none */
	const char *spelt; /* "-o", "--json" */
	const char *arg;   /* NULL: none */
	const char *help;
	/*
	 * The argument is in optarg. False: the error was printed. NULL: the option is a
	 * flag.
	 */
	bool (*set)(struct options *o, const struct run_option *row);
	size_t flag; /* this member of struct options becomes true */
};

#define ROW(letter, name, ...)                                                                     \
	{ letter, name, letter ? (const char[]){ '-', letter, 0 } : "--" name, __VA_ARGS__ },
#define ROW_MEMBER(id) _Generic(((struct options *)0)->id, bool : offsetof(struct options, id))
#define ROW_NO(id, letter, name, arg, help)
#define ROW_FLAG(id, letter, name, arg, help) ROW(letter, name, arg, help, NULL, ROW_MEMBER(id))
#define ROW_SET(id, letter, name, arg, help)  ROW(letter, name, arg, help, set_##id, 0)

struct run_program {
	const char *usage;   /* begins the help text */
	const char *version; /* printf format of -V, which gets STP_ABI */
	const struct run_option *rows;
	unsigned count;
};

enum options_result { OPTIONS_RUN, OPTIONS_EXIT, OPTIONS_WRONG };

/*
 * Parses options up to the first other word, which is then argv[optind]. Prints errors.
 * EXIT: -h or -V was answered.
 */
enum options_result run_options_parse(const struct run_program *p, int argc, char **argv,
				      struct options *o);

#endif
