/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that rows of options.def have: each reads an argument and sets a member. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/optioncommand.h"
#include "base/optionrow.h"
#include "base/session.h"
#include "lib/arena.h"
#include "lib/error.h"
#include "lib/strbuf.h"
#include "lib/word.h"

struct error *optiontype_wrong(struct option_parse *p, const char *fmt, const char *arg)
{
	return error_create(p->s->arena, ERROR_USAGE, fmt, p->shown, arg);
}

static void *member(struct options *o, size_t at)
{
	return (char *)o + at;
}

/* Stores a number into a member of any width. */
static void store(struct options *o, const struct option_row *row, long value)
{
	if (row->size == sizeof(long))
		*(long *)member(o, row->at) = value;
	else if (row->size == sizeof(int))
		*(int *)member(o, row->at) = (int)value;
	else
		*(bool *)member(o, row->at) = value;
}

void optiontype_begin(struct options *o, const struct option_row *row)
{
	if (row->usual)
		store(o, row, row->usual);
}

struct error *optiontype_value(struct option_parse *p, const char *arg)
{
	store(p->o, p->row, p->row->bare);
	return NULL;
}

struct error *optiontype_text(struct option_parse *p, const char *arg)
{
	if (p->row->flag)
		*(bool *)member(p->o, p->row->flag) = true;
	*(const char **)member(p->o, p->row->at) = arg;
	return NULL;
}

struct error *optiontype_read_number(struct option_parse *p, const char *arg, long low, long high,
				     long *ret)
{
	char *end;

	*ret = strtol(arg, &end, 10);
	if (!*arg || *end || *ret < low || *ret > high)
		return error_create(p->s->arena, ERROR_USAGE,
				    "%s takes a number from %ld to %ld, not '%s'", p->shown, low,
				    high, arg);
	return NULL;
}

struct error *optiontype_number(struct option_parse *p, const char *arg)
{
	const struct option_row *row = p->row;
	long n = row->bare;
	struct error *err = arg ? optiontype_read_number(p, arg, row->low, row->high, &n) : NULL;

	if (!err)
		store(p->o, row, n);
	return err;
}

/*
 * Writes "kernel or user" for "kernel|user", "always, never or auto" for "[=always|…]".
 */
static const char *spell_words(struct arena *a, const char *words)
{
	struct strbuf out;

	strbuf_init(&out, a);
	for (const char *at = words + strspn(words, "[="); *at && *at != ']';) {
		size_t len = strcspn(at, "|]");

		if (at > words && at[-1] == '|')
			strbuf_adds(&out, strchr(at, '|') ? ", " : " or ");
		strbuf_add(&out, at, len);
		at += len + (at[len] == '|');
	}
	return out.s;
}

/* The row's argument lists the words; the first one is the default. */
struct error *optiontype_choice(struct option_parse *p, const char *arg)
{
	const struct option_row *row = p->row;
	const char *at = row->arg + strspn(row->arg, "[=");

	for (size_t i = 0; i < row->count; i++) {
		size_t len = strcspn(at, "|]");

		if (!arg || (strlen(arg) == len && !memcmp(arg, at, len))) {
			store(p->o, row, row->values[i]);
			return NULL;
		}
		at += len + (at[len] == '|');
	}
	return error_create(p->s->arena, ERROR_USAGE, "%s is %s, not '%s'", p->shown,
			    spell_words(p->s->arena, row->arg), arg);
}

struct error *optiontype_list(struct option_parse *p, const char *arg)
{
	vec_push(p->s->arena, (option_texts *)member(p->o, p->row->at), arg);
	return NULL;
}

bool optiontype_is_name(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!word_char(text[i]))
			return false;
	return len > 0 && !isdigit((unsigned char)text[0]);
}

struct error *optiontype_definition(struct option_parse *p, const char *arg)
{
	size_t len = strcspn(arg, "=");
	struct definition d;

	if (!optiontype_is_name(arg, len))
		return optiontype_wrong(p, "%s takes NAME=VALUE, not '%s'", arg);
	if (p->row->needs_value && !arg[len])
		return error_create(p->s->arena, ERROR_USAGE, "%s takes %s, not '%s'", p->shown,
				    p->row->arg, arg);
	d.name = arena_strndup(p->s->arena, arg, len);
	d.value = arg[len] ? arg + len + 1 : NULL;
	vec_push(p->s->arena, (definitions *)member(p->o, p->row->at), d);
	return NULL;
}

/* Passes on an option of uapi/run_options.def; staprun checks it. */
struct error *optiontype_pass(struct option_parse *p, const char *arg)
{
	vec_push(p->s->arena, &p->o->run_args, p->shown);
	if (arg)
		vec_push(p->s->arena, &p->o->run_args, arg);
	return NULL;
}

/*
 * SystemTap uses this option to count something for tests of its library; here it does
 * nothing.
 */
struct error *optiontype_nothing(struct option_parse *p, const char *arg)
{
	return NULL;
}

struct error *optiontype_command(struct option_parse *p, const char *arg)
{
	return optioncommand_take(p->s, p->o, (enum command_id)p->row->bare, arg);
}
