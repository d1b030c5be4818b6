/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap -i: a session in which a script is put together, run and changed. The library is
 * indexed once, and the kernel's types are read once. A child that inherits both runs the
 * script, and frees its memory by exiting. To add a command: a row in verbs.c and its
 * function there or in the file of its topic.
 */
#ifndef STAP_DIALOGUE_DIALOGUE_H
#define STAP_DIALOGUE_DIALOGUE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/vec.h"
#include "stap/dialogue/line.h"

/* Options set by `set`: the words as on a command line. */
struct setting {
	const char *name; /* "--timeout" */
	const char *shown;
	int argc;
	char **argv;
};

/* Performs the options, as stap does, and returns the exit status. */
typedef int dialogue_perform(struct session *s, struct options *o);

struct dialogue {
	struct session *s;
	dialogue_perform *perform;
	struct options start, options; /* of the command line; with the settings */
	VEC(struct setting) settings;
	VEC(const char *) script;  /* its statements */
	VEC(const char *) history; /* the lines so far */
	struct line_reader lines;
	struct arena *warm_arena;
	struct session warm; /* what children begin with */
	int values_fd;	     /* values that runs leave; 0: not open */
	const char *left;    /* values of the last run that left any; NULL: none */
	int status;	     /* of the last command */
	bool is_over;
};

/* Runs the dialogue. *status becomes the status of the last command. */
struct error *dialogue_talk(struct session *s, dialogue_perform *perform, int *status);

/* ---- prompt.c ---- */

/*
 * Returns the words of a line, split as by a shell, and a NULL; NULL: it cannot be split.
 */
char **prompt_words(struct dialogue *d, const char *line, int *argc);
/* Reads further lines until the text can be added. False: it was cancelled. */
bool prompt_more(struct dialogue *d, const char **text);

/* ---- verbs.c ---- */

enum command_takes {
	TAKES_NOTHING,
	TAKES_SCRIPT,
	TAKES_NAME,
	TAKES_POINT,
	TAKES_OPTION,
	TAKES_FILE,
};

struct command {
	const char *name, *form, *help;
	enum command_takes takes;			  /* for completion */
	int (*run)(struct dialogue *d, const char *rest); /* returns a status */
};

/* Enumerates the commands, by i from 0; NULL: no more. */
const struct command *verbs_row(size_t i);
/* Finds the command by its name or a unique beginning of it; NULL: there is none. */
const struct command *verbs_find(const char *name, size_t len);
/* Runs the command in the line, which is not empty. */
int verbs_take(struct dialogue *d, const char *line);

/* ---- edit.c: the script as it stands ---- */

/* Adds the statements of a text; returns how many. */
size_t edit_add_text(struct dialogue *d, const char *text);
/* Returns the whole script. */
const char *edit_text(struct dialogue *d);
int edit_add(struct dialogue *d, const char *rest);
int edit_delete(struct dialogue *d, const char *rest);
int edit_list(struct dialogue *d, const char *rest);
int edit_probes(struct dialogue *d, const char *rest);
int edit_globals(struct dialogue *d, const char *rest);
int edit_functions(struct dialogue *d, const char *rest);
int edit_edit(struct dialogue *d, const char *rest);
int edit_load(struct dialogue *d, const char *rest);
int edit_save(struct dialogue *d, const char *rest);

/* ---- settings.c ---- */

/* Applies options for one run, of `argc` words, to *o. False: after a message. */
bool settings_apply(struct dialogue *d, struct options *o, int argc, char **argv,
		    const char **name);
int settings_set(struct dialogue *d, const char *rest);
int settings_unset(struct dialogue *d, const char *rest);
int settings_show(struct dialogue *d, const char *rest);

/* ---- runvalues.c: values that a run leaves ---- */

/* Lets the run of these options leave its values, with --globals, and takes them. */
void runvalues_begin(struct dialogue *d, struct options *o);
void runvalues_end(struct dialogue *d, const struct options *o);
/*
 * Initialises the scalars of the script with the values left. False, after a message:
 * there are none.
 */
bool runvalues_begin_with(struct dialogue *d, struct options *o);
int runvalues_show(struct dialogue *d, const char *rest);

/* ---- work.c: children ---- */

/* Opens the library and the kernel's facts for the children to come. */
void work_warm(struct dialogue *d);
/* True: children can use the same state for both options. */
bool work_is_same_world(const struct options *a, const struct options *b);
/* Lets a child perform the options on the terminal; returns its status. */
int work_do(struct dialogue *d, const struct options *o);
/* Lets a child perform them without output; returns the text that it printed. */
const char *work_ask(struct dialogue *d, const struct options *o);

/* ---- complete.c ---- */

/* The lines before this one that belong to it are in *context, a struct completing. */
struct completing {
	struct dialogue *d;
	const char *before;
};
void complete_line(void *context, const char *line, size_t *begin, line_words *ret);

#endif
