/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of options.def and the functions that apply them. A row's type chooses its
 * setter: setters of types are in optiontype.c, those of CALL rows in optioncall.c. To
 * add a type: a macro here, which fills the row, and its setter in optiontype.c.
 */
#ifndef STAP_OPTIONROW_H
#define STAP_OPTIONROW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"

struct error;
struct option_row;
struct session;

struct option_parse {
	struct session *s;
	struct options *o;
	bool *exit_now;
	const char *shown;	      /* the option as given, for messages */
	const struct option_row *row; /* of the last option */
};

/* Applies p->row; arg is NULL if none was given. */
typedef struct error *option_setter(struct option_parse *p, const char *arg);

struct option_row {
	char letter;
	const char *name, *arg, *help;
	option_setter *set;  /* of the type */
	option_setter *call; /* of CALL; done instead */
	size_t at, size;     /* the member of struct options that the option sets */
	size_t flag;	     /* of GIVEN: another member, which becomes true */
	long low, high;	     /* of numbers */
	long usual;	     /* of numbers and choices: the default of the member */
	long bare;	     /* its value if the option has no argument */
	const int *values;   /* of choices: the values of the words of `arg`, in order */
	size_t count;
	bool needs_value; /* of DEFINES: a name alone is not enough */
};

/* A row does not compile if its member has another type than the row gives. */
#define OPTION_MEMBER(member) (((struct options *)0)->member)
#define OPTION_AT(member, type)                                                                    \
	.at = _Generic(OPTION_MEMBER(member), type : offsetof(struct options, member))
#define OPTION_WIDTH(member)                                                                       \
	_Generic(OPTION_MEMBER(member), int                                                        \
		 : sizeof(int), unsigned                                                           \
		 : sizeof(int), long                                                               \
		 : sizeof(long))
#define OPTION_INTS(...)                                                                           \
	(const int[])                                                                              \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}

#define FLAG(member)                                                                               \
	.set = optiontype_value, OPTION_AT(member, bool), .size = sizeof(bool), .bare = true
#define VALUE(member, value)                                                                       \
	.set = optiontype_value, .at = offsetof(struct options, member),                           \
	.size = sizeof(OPTION_MEMBER(member)), .bare = value
#define TEXT(member)			     .set = optiontype_text, OPTION_AT(member, const char *)
#define GIVEN(truth, member)		     TEXT(member), .flag = offsetof(struct options, truth)
#define NUMBER(member, least, most, usually) NUMBER_OR(member, least, most, 0), .usual = usually
#define NUMBER_OR(member, least, most, without)                                                    \
	.set = optiontype_number, .at = offsetof(struct options, member),                          \
	.size = OPTION_WIDTH(member), .low = least, .high = most, .bare = without
#define CHOICE(member, usually, ...)                                                               \
	.set = optiontype_choice, .at = offsetof(struct options, member),                          \
	.size = sizeof(OPTION_MEMBER(member)), .usual = usually,                                   \
	.values = OPTION_INTS(__VA_ARGS__),                                                        \
	.count = sizeof(OPTION_INTS(__VA_ARGS__)) / sizeof(int)
#define LIST(member) .set = optiontype_list, OPTION_AT(member, option_texts)
#define DEFINES(member, is_needed)                                                                 \
	.set = optiontype_definition, OPTION_AT(member, definitions), .needs_value = is_needed
#define WANTED(id)	   .set = optiontype_command, .bare = id
#define PASSED		   .set = optiontype_pass
#define NOTHING		   .set = optiontype_nothing
#define CALL(name)	   .call = optioncall_##name
#define CALL_ON(name, ...) __VA_ARGS__, CALL(name)

option_setter optiontype_value, optiontype_text, optiontype_number, optiontype_choice,
	optiontype_list, optiontype_definition, optiontype_pass, optiontype_nothing,
	optiontype_command;

option_setter optioncall_script, optioncall_verbose, optioncall_verbose_passes, optioncall_estimate,
	optioncall_module_name, optioncall_tmpdir, optioncall_top, optioncall_to,
	optioncall_modinfo, optioncall_list, optioncall_list_vars, optioncall_compatible,
	optioncall_monitor, optioncall_target_namespaces, optioncall_remote, optioncall_remote_file,
	optioncall_rlimit, optioncall_help, optioncall_version;

/* Sets the member to its default, if the row has one. */
void optiontype_begin(struct options *o, const struct option_row *row);
/* Returns an error of usage; fmt gets the option's name, then arg. */
struct error *optiontype_wrong(struct option_parse *p, const char *fmt, const char *arg);
struct error *optiontype_read_number(struct option_parse *p, const char *arg, long low, long high,
				     long *ret);
/* True: `len` characters that are a valid name in C. */
bool optiontype_is_name(const char *text, size_t len);

/* -h and -V: write to standard output. */
void optionhelp_print(void);
void optionhelp_version(void);

/* The rows, in the order of --help. */
extern const struct option_row option_rows[];
extern const size_t option_row_count;
bool options_row_takes_argument(const struct option_row *row);

#endif
