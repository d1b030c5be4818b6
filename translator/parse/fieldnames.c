/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See fieldnames.h. */
#include "parse/fieldnames.h"

#include <ctype.h>
#include <string.h>

#include "core/printf.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "lib/word.h"

#define NAME_MOST 40 /* longer ones are cut: they become columns of tables */

struct name {
	const char *s;
	size_t len;
};

/* ---- the word before a conversion ---- */

static void cut_back(struct name *n, const char *set)
{
	while (n->len && strchr(set, n->s[n->len - 1]) && n->s[n->len - 1])
		n->len--;
}

/*
 * Returns the word that the text ends with, if it labels the next value: "pid=",
 * "pid: ", "\"pid\": \"".
 */
static struct name label_of(const char *text, size_t len)
{
	static const struct name none = { "", 0 };
	struct name n = { text, len };
	size_t from;

	cut_back(&n, " \t\"'([{<");
	if (!n.len || !strchr("=:", n.s[n.len - 1]))
		return none;
	n.len--;
	cut_back(&n, " \t\"'");
	for (from = n.len; from && word_char(n.s[from - 1]);)
		from--;
	while (from < n.len && isdigit((unsigned char)n.s[from]))
		from++;
	return (struct name){ n.s + from, n.len - from };
}

/* ---- the argument ---- */

static struct name name_of(const char *s)
{
	s += strspn(s, "$@");
	return (struct name){ s, strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_") };
}

static struct name target_name_of(const struct node *n)
{
	for (size_t i = n->path.count; i-- > 0;)
		if (n->path.data[i].kind == STEP_MEMBER)
			return name_of(n->path.data[i].member);
	return n->target_name ? name_of(n->target_name) : (struct name){ "", 0 };
}

const char *fieldnames_percentage(struct arena *a, int64_t millionths)
{
	char *name = arena_printf(a, "%s", node_percentage(a, millionths)), *point;

	if ((point = strchr(name, '.')))
		*point = '_';
	return name;
}

/* Returns the name of the place that a value is read from; without text: it has none. */
static struct name argument_name(struct arena *a, const struct node *n)
{
	struct name of;

	switch (n->kind) {
	case NODE_NAME:
	case NODE_CALL:
		return name_of(n->name);
	case NODE_INDEX:
		return argument_name(a, n->base);
	case NODE_TARGET:
		return target_name_of(n);
	case NODE_STATOP:
		of = argument_name(a, n->operand);
		return name_of(
			arena_printf(a, "%.*s_%s", (int)of.len, of.s, stat_op_names[n->stat]));
	case NODE_QUANTILE:
		of = argument_name(a, n->hist->operand);
		return name_of(arena_printf(a, "%.*s_p%s", (int)of.len, of.s,
					    fieldnames_percentage(a, n->bucket->number)));
	case NODE_HEAT:
		of = argument_name(a, n->hist->operand);
		return name_of(arena_printf(a, "%.*s_heat", (int)of.len, of.s));
	default:
		return (struct name){ "", 0 };
	}
}

/* ---- all names ---- */

struct names {
	struct arena *arena;
	struct strbuf text;
	unsigned count;
};

static bool is_taken(const struct names *n, const char *name)
{
	const char *with_ends = arena_printf(n->arena, "\t%s\t", name);

	return strstr(arena_printf(n->arena, "\t%s", n->text.s ? n->text.s : ""), with_ends);
}

static void add(struct names *n, struct name name)
{
	const char *first, *unique;

	n->count++;
	if (name.len > NAME_MOST)
		name.len = NAME_MOST;
	unique = first = name.len ? arena_printf(n->arena, "%.*s", (int)name.len, name.s)
				  : arena_printf(n->arena, "arg%u", n->count);
	for (unsigned i = 2; is_taken(n, unique); i++)
		unique = arena_printf(n->arena, "%s_%u", first, i);
	strbuf_adds(&n->text, unique);
	strbuf_addc(&n->text, '\t');
}

static const struct node *add_star(struct names *n, const struct node *arg)
{
	n->count++;
	strbuf_adds(&n->text, "*\t");
	return arg ? arg->next : NULL;
}

static struct name directive_name(struct names *n, const struct stp_directive *d, struct name label,
				  const struct node *arg)
{
	if (d->name_len)
		return (struct name){ d->name, d->name_len };
	return label.len || !arg ? label : argument_name(n->arena, arg);
}

static void add_formatted(struct names *n, const struct node *print)
{
	const struct node *arg = print->list;
	struct name label = { "", 0 };
	const char *error = NULL;
	struct stp_directive d;
	uint32_t pos = 0;

	while (stp_format_next(print->format, (uint32_t)print->format_len, &pos, &d, &error)) {
		if (d.kind == STP_DIR_LITERAL) {
			label = label_of(d.text, d.len);
			continue;
		}
		if (d.width_star)
			arg = add_star(n, arg);
		if (d.precision_star)
			arg = add_star(n, arg);
		if (stp_directive_arg(d.kind)) {
			add(n, directive_name(n, &d, label, arg));
			arg = arg ? arg->next : NULL;
		}
		label.len = 0;
	}
}

static void add_plain(struct names *n, const struct node *print)
{
	struct name label = { "", 0 };

	for (const struct node *arg = print->list; arg; arg = arg->next) {
		if (arg->kind == NODE_STRING) {
			label = label_of(arg->string, arg->string_len);
			n->count++;
			strbuf_addc(&n->text, '\t');
			continue;
		}
		add(n, label.len ? label : argument_name(n->arena, arg));
		label.len = 0;
	}
}

const char *fieldnames_of(struct arena *a, const struct node *print)
{
	struct names n = { .arena = a };

	strbuf_init(&n.text, a);
	if (print->with_format)
		add_formatted(&n, print);
	else
		add_plain(&n, print);
	return n.text.s ? n.text.s : "";
}
