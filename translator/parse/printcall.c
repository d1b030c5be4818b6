/* SPDX-License-Identifier: GPL-2.0-or-later */
/* print println printf printd printdln, the s… forms, and print_char. */
#include <string.h>

#include "base/session.h"
#include "core/printf.h"
#include "lib/arena.h"
#include "lib/strbuf.h"
#include "parse/fieldnames.h"
#include "parse/literal.h"
#include "parse/parse.h"
#include "parse/parser.h"

enum print_bits {
	PRINT_TO_STRING = 1,
	PRINT_FORMAT = 2,
	PRINT_DELIMITER = 4,
	PRINT_NEWLINE = 8,
	PRINT_CHAR = 16
};

static const struct print {
	const char *name;
	unsigned bits;
} prints[] = {
	{ "print", 0 },
	{ "println", PRINT_NEWLINE },
	{ "printf", PRINT_FORMAT },
	{ "printd", PRINT_DELIMITER },
	{ "printdln", PRINT_DELIMITER | PRINT_NEWLINE },
	{ "sprint", PRINT_TO_STRING },
	{ "sprintln", PRINT_TO_STRING | PRINT_NEWLINE },
	{ "sprintf", PRINT_TO_STRING | PRINT_FORMAT },
	{ "sprintd", PRINT_TO_STRING | PRINT_DELIMITER },
	{ "sprintdln", PRINT_TO_STRING | PRINT_DELIMITER | PRINT_NEWLINE },
	{ "print_char", PRINT_CHAR },
};

static const struct print *find_print(const char *name)
{
	for (size_t i = 0; i < sizeof(prints) / sizeof(prints[0]); i++)
		if (!strcmp(prints[i].name, name))
			return &prints[i];
	return NULL;
}

bool printcall_is(const char *name)
{
	return find_print(name);
}

const char *parse_print_name(size_t i)
{
	return i < sizeof(prints) / sizeof(prints[0]) ? prints[i].name : NULL;
}

/*
 * Returns the error for a directive that could be formatted, but that SystemTap does not
 * have, or NULL.
 */
static const char *conversion_fault(const struct stp_directive *d)
{
	const char *flags = d->name_len ? d->name + d->name_len + 1 : d->text + 1;

	if (d->kind == STP_DIR_LITERAL)
		return NULL;
	if (strchr("-+ #0", flags[0]) && strchr("-+ #", flags[1]))
		return "at most one flag comes after '%': '-', '+', '#', '0' or a space";
	if (d->kind == STP_DIR_PERCENT && d->len > 2)
		return "'%%' takes neither flag nor width nor name";
	return d->len > 3 && !strncmp(d->text + d->len - 3, "ll", 2)
		       ? "all numbers have 64 bits: '%d', without 'll'"
		       : NULL;
}

/* Checks the syntax of the format. The arguments' types are checked later. */
static void check_format(struct parser *p, const struct node *n)
{
	struct stp_directive d;
	const char *error = NULL, *fault = NULL;
	uint32_t pos = 0;

	while (!fault && stp_format_next(n->format, (uint32_t)n->format_len, &pos, &d, &error))
		fault = conversion_fault(&d);
	if (error || fault) {
		/* Includes the byte that is wrong. */
		size_t at = (size_t)(d.text - n->format),
		       len = d.len + (error && at + d.len < n->format_len);

		parser_error(p, literal_part(n->literal_loc, n->format, n->format_len, at, len),
			     error ? error : fault);
	}
}

/* Takes the literal before the values; false: there is no literal. */
static bool take_literal(struct parser *p, struct node *n, struct node *args)
{
	if (!args || args->kind != NODE_STRING) {
		parser_error(p, args ? args->loc : n->loc,
			     n->with_format ? "the first argument has to be a literal format"
					    : "the first argument has to be a literal delimiter");
		n->format = "";
		n->type = TYPE_ERROR;
		return false;
	}
	n->format = args->string;
	n->format_len = args->string_len;
	n->literal_loc = args->loc;
	n->list = args->next;
	if (n->with_format)
		check_format(p, n);
	return true;
}

/* Makes printf("p50=%d p99.9=%d", …) from quantiles. */
static void print_quantiles(struct parser *p, struct node *n)
{
	struct arena *a = p->s->arena;
	struct node *list = n->list;
	struct strbuf format;

	atword_hist_placed(p, list);
	if (list->next)
		parser_error(p, n->loc,
			     "several quantiles are printed alone, by print() or println()");
	strbuf_init(&format, a);
	n->list = list->list;
	for (const struct node *one = n->list; one; one = one->next)
		strbuf_addf(&format, "%sp%s=%%(p%s)d", one == n->list ? "" : " ",
			    node_percentage(a, one->bucket->number),
			    fieldnames_percentage(a, one->bucket->number));
	if (n->with_newline)
		strbuf_addc(&format, '\n');
	n->with_newline = false;
	n->with_format = true;
	n->format = format.s;
	n->format_len = format.len;
	n->literal_loc = list->loc;
}

static void check_values(struct parser *p, struct node *n)
{
	if (n->list && n->list->kind == NODE_QUANTILE && n->list->list && !n->with_format &&
	    !n->with_delimiter) {
		print_quantiles(p, n);
		return;
	}
	if (n->list && n->list->kind == NODE_HISTOP && !n->with_format && !n->with_delimiter) {
		atword_hist_placed(p, n->list);
		if (n->list->next)
			parser_error(p, n->loc,
				     "a histogram is printed alone, by print() or println()");
	} else if (n->with_delimiter && node_count(n->list) < 2) {
		parser_error(p, n->loc, "a delimiter needs at least two values");
	} else if (!n->list && !n->with_newline && !n->with_format) {
		parser_error(p, n->loc, "nothing to print");
	}
}

/* Makes printf("%c", value). */
static struct node *print_char(struct parser *p, struct node *n, struct node *args)
{
	if (node_count(args) != 1) {
		parser_error(p, n->loc, "print_char() takes one number, the byte that is printed");
		n->type = TYPE_ERROR;
	}
	n->with_format = true;
	n->format = "%c";
	n->format_len = strlen(n->format);
	n->literal_loc = n->op_loc;
	n->list = args;
	return n;
}

struct node *printcall_make(struct parser *p, struct loc loc, const struct token *name,
			    struct node *args)
{
	const struct print *print = find_print(name->text);
	struct node *n;

	if (!print)
		return NULL;
	n = node_new(p->s->arena, NODE_PRINT, loc);
	n->op_loc = name->loc;
	n->to_string = print->bits & PRINT_TO_STRING;
	n->with_format = print->bits & PRINT_FORMAT;
	n->with_delimiter = print->bits & PRINT_DELIMITER;
	n->with_newline = print->bits & PRINT_NEWLINE;
	n->type = n->to_string ? TYPE_STRING : TYPE_LONG;
	if (print->bits & PRINT_CHAR)
		return print_char(p, n, args);
	if (!(n->with_format || n->with_delimiter))
		n->list = args;
	else if (!take_literal(p, n, args))
		return n;
	check_values(p, n);
	if (!n->to_string)
		n->fields = fieldnames_of(p->s->arena, n);
	return n;
}
