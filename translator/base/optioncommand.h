/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Commands are actions that stap does instead of running a script. They are rows of
 * commands.def. Their functions are declared here, and main.c calls them. This folder
 * knows only what their command lines may contain.
 */
#ifndef STAP_OPTIONCOMMAND_H
#define STAP_OPTIONCOMMAND_H

#include <stdbool.h>

struct error;
struct options;
struct session;

enum command_id {
	COMMAND_NONE, /* the script runs */
#define COMMAND(id, letter, name, arg, words, room, function, refusal, help) COMMAND_##id,
#include "base/commands.def"
#undef COMMAND
};

#define COMMAND(id, letter, name, arg, words, room, function, refusal, help)                       \
	struct error *function(struct session *s, int *status);
#include "base/commands.def"
#undef COMMAND

/* The meaning of words that are not options. */
enum command_words { COMMAND_SCRIPT, COMMAND_BEGINNING, COMMAND_WORDS, COMMAND_ANY };
enum command_words optioncommand_words(enum command_id id);
/* Returns "-i" or "--doctor". */
const char *optioncommand_name(enum command_id id);
/* Sets the command and its argument. An error if another command was given. */
struct error *optioncommand_take(struct session *s, struct options *o, enum command_id id,
				 const char *word);
/* Returns the command's argument and the words after it as one text, or NULL. */
const char *optioncommand_question(struct session *s);
/* Checks the scripts and names that were given to the command. */
struct error *optioncommand_check(struct session *s, const struct options *o);

#endif
