/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/optioncommand.h"

#include <stddef.h>

#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/vec.h"

static const struct row {
	const char *name;
	enum command_words words;
	const char *refusal;
} rows[] = {
	[COMMAND_NONE] = { NULL, COMMAND_SCRIPT, NULL },
#define COMMAND(id, letter, name, arg, words, room, function, refusal, help)                       \
	[COMMAND_##id] = { letter ? (const char[]){ '-', letter, 0 } : "--" name, COMMAND_##words, \
			   refusal },
#include "base/commands.def"
#undef COMMAND
};

enum command_words optioncommand_words(enum command_id id)
{
	return rows[id].words;
}

const char *optioncommand_name(enum command_id id)
{
	return rows[id].name;
}

static struct error *refuse(struct session *s, enum command_id id)
{
	return error_create(s->arena, ERROR_USAGE, rows[id].refusal, rows[id].name);
}

struct error *optioncommand_take(struct session *s, struct options *o, enum command_id id,
				 const char *word)
{
	enum command_id other = o->wanted;

	o->wanted = id;
	o->wanted_word = word;
	if (!other || other == id)
		return NULL;
	if (rows[id].words == COMMAND_BEGINNING || rows[other].words == COMMAND_BEGINNING)
		return refuse(s, rows[id].words == COMMAND_BEGINNING ? id : other);
	return error_create(s->arena, ERROR_USAGE, "%s and %s cannot both be given",
			    rows[other].name, rows[id].name);
}

const char *optioncommand_question(struct session *s)
{
	const struct options *o = s->options;
	const char *ret = o->wanted_word;

	vec_each(&o->args, i)
		ret = arena_printf(s->arena, "%s%s%s", ret ? ret : "", ret ? " " : "",
				   o->args.data[i]);
	return ret;
}

/* True: a script was given where the command gets none, or a second command. */
static bool has_too_much(const struct options *o, enum command_words words)
{
	if (words == COMMAND_BEGINNING)
		return o->list || o->example;
	return o->script_text || o->script_file || o->example || o->more_scripts.count ||
	       o->args.count;
}

struct error *optioncommand_check(struct session *s, const struct options *o)
{
	const struct row *row = &rows[o->wanted];

	if (!row->refusal)
		return NULL;
	if (has_too_much(o, row->words))
		return refuse(s, o->wanted);
	if (row->words == COMMAND_WORDS && o->wanted_word && !*o->wanted_word)
		return error_create(s->arena, ERROR_USAGE, "%s needs a name, not ''", row->name);
	return NULL;
}
