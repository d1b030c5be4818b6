/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The @operators except @cast and @var: their list, their arguments, and their nodes. */
#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/macro.h"
#include "parse/parse.h"
#include "parse/parser.h"

static struct node *make_stat(struct parser *p, struct node *n, const struct token *word,
			      struct node *args);
static struct node *make_hist(struct parser *p, struct node *n, const struct token *word,
			      struct node *args);
static struct node *make_heat(struct parser *p, struct node *n, const struct token *word,
			      struct node *args);
static struct node *make_quantile(struct parser *p, struct node *n, const struct token *word,
				  struct node *args);
static struct node *make_around(struct parser *p, struct node *n, const struct token *word,
				struct node *args);
static struct node *make_other(struct parser *p, struct node *n, const struct token *word,
			       struct node *args);

/*
 * shape: the arguments' kinds: 'e' an expression, 'n' a literal number, 's' a literal
 * string, 'v' a variable, 'p' a literal percentage; arguments after '?' are optional, the
 * one before '*' can be repeated.
 */
static const struct at_operator {
	const char *name;
	bool guru;
	const char *shape, *takes;
	enum node_kind kind;
	struct node *(*make)(struct parser *p, struct node *n, const struct token *word,
			     struct node *args);
} operators[] = {
	{ "count", false, "e", "one aggregate", NODE_STATOP, make_stat },
	{ "sum", false, "e", "one aggregate", NODE_STATOP, make_stat },
	{ "min", false, "e", "one aggregate", NODE_STATOP, make_stat },
	{ "max", false, "e", "one aggregate", NODE_STATOP, make_stat },
	{ "avg", false, "e", "one aggregate", NODE_STATOP, make_stat },
	{ "variance", false, "e?n", "one aggregate, and a literal number to shift by", NODE_STATOP,
	  make_stat },
	{ "hist_log", false, "e", "one aggregate", NODE_HISTOP, make_hist },
	{ "hist_linear", false, "ennn", "an aggregate, and as literal numbers: low, high, width",
	  NODE_HISTOP, make_hist },
	{ "heat_log", false, "e?nn", "an aggregate, and as literal numbers: low, high", NODE_HEAT,
	  make_heat },
	{ "quantile", false, "ep*",
	  "one aggregate, and percentages as literal numbers: @quantile(x, 50, 99.9)",
	  NODE_QUANTILE, make_quantile },
	{ "defined", false, "e", "one expression", NODE_DEFINED, make_around },
	{ "entry", false, "e", "one expression", NODE_ENTRY, make_around },
	{ "perf", false, "s", "the name of a counter, as a literal string", NODE_ATOP, make_other },
	{ "const", true, "s", "an expression of C, as a literal string", NODE_ATOP, make_other },
	{ "kderef", true, "ne", "a literal number of bytes, and an address", NODE_ATOP,
	  make_other },
	{ "uderef", false, "ne", "a literal number of bytes, and an address", NODE_ATOP,
	  make_other },
	{ "kregister", true, "n", "the literal number of a register", NODE_ATOP, make_other },
	{ "uregister", false, "n", "the literal number of a register", NODE_ATOP, make_other },
	{ "enum", false, "s", "the name of an enumerator, as a literal string", NODE_ATOP,
	  make_other },
	{ "enumname", false, "e?ss", "a value, and as literal strings: an enumeration, its modules",
	  NODE_ATOP, make_other },
	{ "probewrite", false, "v", "the name of a variable", NODE_ATOP, make_other },
};
#define AT_OPERATORS (sizeof(operators) / sizeof(operators[0]))

/* Other words that can begin with '@', for "did you mean". */
static const char *const other_words[] = { "cast", "var", "choose_defined", "define" };

const char *parse_operator_name(size_t i)
{
	return i < AT_OPERATORS	      ? operators[i].name
	       : i < AT_OPERATORS + 2 ? other_words[i - AT_OPERATORS]
				      : NULL;
}

bool atword_is_operator(const char *name)
{
	for (size_t i = 0; i < AT_OPERATORS; i++)
		if (!strcmp(operators[i].name, name))
			return true;
	return !strcmp(name, "cast") || !strcmp(name, "var");
}

static bool literal_sum(const struct node *n, int64_t *ret);

static bool literal_int(const struct node *n, int64_t *ret)
{
	if (n->kind == NODE_NUMBER) {
		*ret = n->number;
		return true;
	}
	if (n->kind == NODE_UNARY && n->op == OP_NEG && n->operand->kind == NODE_NUMBER) {
		*ret = (int64_t) - (uint64_t)n->operand->number;
		return true;
	}
	return n->kind == NODE_BINARY && literal_sum(n, ret);
}

/*
 * Computes a tree that is used as a literal: sums, differences and products of literals.
 */
static bool literal_sum(const struct node *n, int64_t *ret)
{
	int64_t a, b;

	if (!literal_int(n->lhs, &a) || !literal_int(n->rhs, &b))
		return false;
	switch (n->op) {
	case OP_ADD:
		*ret = (int64_t)((uint64_t)a + (uint64_t)b);
		return true;
	case OP_SUB:
		*ret = (int64_t)((uint64_t)a - (uint64_t)b);
		return true;
	case OP_MUL:
		*ret = (int64_t)((uint64_t)a * (uint64_t)b);
		return true;
	default:
		return false;
	}
}

/* Returns how many digits come after the point, including leading zeros. */
static unsigned fraction_digits(const struct node *n)
{
	return n->loc.end - n->loc.begin;
}

/*
 * Reads a literal percentage, in millionths: a whole number, or two with a point between
 * them. (The point glues strings everywhere else.)
 */
static bool literal_percentage(const struct node *n, int64_t *ret)
{
	const struct node *rest = n->kind == NODE_CONCAT ? n->list->next : NULL;
	int64_t unit = 1000000, part;

	if (!rest)
		return literal_int(n, ret) && !__builtin_mul_overflow(*ret, unit, ret);
	if (rest->next || n->list->kind != NODE_NUMBER || rest->kind != NODE_NUMBER ||
	    fraction_digits(rest) > 6)
		return false;
	part = rest->number;
	for (unsigned i = fraction_digits(rest); i < 6; i++)
		part *= 10;
	return !__builtin_mul_overflow(n->list->number, unit, ret) &&
	       !__builtin_add_overflow(*ret, part, ret);
}

static bool fits_shape(const char *shape, const struct node *args)
{
	bool optional = false;
	int64_t number;

	for (; *shape; shape++) {
		if (*shape == '*') {
			if (!args)
				return true;
			shape--;
		}
		if (*shape == '?') {
			optional = true;
			continue;
		}
		if (!args)
			return optional;
		if ((*shape == 'n' && !literal_int(args, &number)) ||
		    (*shape == 'p' && !literal_percentage(args, &number)) ||
		    (*shape == 's' && args->kind != NODE_STRING) ||
		    (*shape == 'v' && args->kind != NODE_NAME &&
		     (args->kind != NODE_TARGET || args->path.count)))
			return false;
		args = args->next;
	}
	return !args;
}

static struct node *make_stat(struct parser *p, struct node *n, const struct token *word,
			      struct node *args)
{
	n->type = TYPE_LONG;
	n->operand = args;
	n->stat = (enum stat_op)word->number;
	if (args->next && literal_int(args->next, &n->stat_param) &&
	    (n->stat_param < 0 || n->stat_param > 62))
		parser_meaning_error(p, args->next->loc,
				     "the shift of @variance is a number from 0 to 62");
	args->next = NULL;
	return n;
}

static struct node *make_hist(struct parser *p, struct node *n, const struct token *word,
			      struct node *args)
{
	n->hist_kind = args->next ? HIST_LINEAR : HIST_LOG;
	n->operand = args;
	vec_push(p->s->arena, &p->hists, n);
	if (n->hist_kind == HIST_LOG)
		return n;
	literal_int(args->next, &n->hist_low);
	literal_int(args->next->next, &n->hist_high);
	literal_int(args->next->next->next, &n->hist_width);
	args->next = NULL;
	if (n->hist_width <= 0 || n->hist_high < n->hist_low)
		parser_meaning_error(p, n->loc,
				     "a histogram needs low <= high and a width above 0");
	else if (((uint64_t)n->hist_high - (uint64_t)n->hist_low) / (uint64_t)n->hist_width > 125)
		parser_meaning_error(
			p, n->loc,
			"this histogram has more than 128 buckets; make the width larger");
	return n;
}

static struct node *literal_node(struct parser *p, struct loc loc, int64_t number)
{
	struct node *n = node_new(p->s->arena, NODE_NUMBER, loc);

	n->type = TYPE_LONG;
	n->number = number;
	return n;
}

static struct node *make_heat(struct parser *p, struct node *n, const struct token *word,
			      struct node *args)
{
	struct node *ends = args->next;
	int64_t low = 0, high = INT64_MAX;

	if (ends && literal_int(ends, &low) && ends->next)
		literal_int(ends->next, &high);
	if (low > high)
		parser_meaning_error(p, n->loc, "a heat map needs low <= high");
	args->next = NULL;
	n->type = TYPE_STRING;
	n->hist = node_new(p->s->arena, NODE_HISTOP, n->loc);
	n->hist->hist_kind = HIST_LOG;
	n->hist->operand = args;
	n->list = literal_node(p, n->loc, low);
	n->list->next = literal_node(p, n->loc, high);
	return n;
}

static struct node *quantile_of(struct parser *p, struct node *n, struct node *aggregate,
				struct node *percentage)
{
	struct arena *a = p->s->arena;

	n->type = TYPE_LONG;
	n->hist = node_new(a, NODE_HISTOP, n->loc);
	n->hist->hist_kind = HIST_FINE;
	n->hist->operand = ast_clone(a, aggregate);
	n->bucket = literal_node(p, percentage->loc, 0);
	literal_percentage(percentage, &n->bucket->number);
	if (n->bucket->number < 0 || n->bucket->number > 100 * 1000000)
		parser_meaning_error(p, percentage->loc,
				     "a percentage has to be between 0 and "
				     "100");
	return n;
}

/* Makes a value from one percentage; from several, a list that only print() accepts. */
static struct node *make_quantile(struct parser *p, struct node *n, const struct token *word,
				  struct node *args)
{
	struct node *percentage = args->next;

	args->next = NULL;
	if (!percentage->next)
		return quantile_of(p, n, args, percentage);
	for (; percentage; percentage = percentage->next)
		n->list = node_append(n->list,
				      quantile_of(p, node_new(p->s->arena, NODE_QUANTILE, n->loc),
						  args, percentage));
	n->type = TYPE_LONG;
	n->hist = n->list->hist;
	n->bucket = n->list->bucket;
	vec_push(p->s->arena, &p->hists, n);
	return n;
}

void atword_hist_placed(struct parser *p, const struct node *hist)
{
	vec_each(&p->hists, i)
		if (p->hists.data[i] == hist)
			p->hists.data[i] = NULL;
}

void atword_check_hists(struct parser *p)
{
	vec_each(&p->hists, i)
		if (p->hists.data[i])
			parser_error(p, p->hists.data[i]->loc,
				     p->hists.data[i]->kind == NODE_QUANTILE
					     ? "several percentages are not a number; print() them "
					       "alone, or ask for one"
					     : "a histogram has no value; print it, or take a "
					       "bucket with [index]");
	p->hists.count = 0;
}

static struct node *make_around(struct parser *p, struct node *n, const struct token *word,
				struct node *args)
{
	n->operand = args;
	return n;
}

static struct node *make_other(struct parser *p, struct node *n, const struct token *word,
			       struct node *args)
{
	n->atop = word->text;
	n->list = args;
	return n;
}

/* The names that bpftrace and other languages have for an operator. */
static const struct {
	const char *name, *ours;
} foreign_names[] = {
	{ "mean", "'avg'" },
	{ "average", "'avg'" },
	{ "hist", "'hist_log' or 'hist_linear'" },
	{ "lhist", "'hist_linear'" },
	{ "quantize", "'hist_log'" },
	{ "heatmap", "'heat_log'" },
	{ "heat", "'heat_log'" },
	{ "stddev", "'variance'" },
	{ "stdev", "'variance'" },
	{ "percentile", "'quantile'" },
	{ "percentiles", "'quantile'" },
	{ "median", "'quantile'" },
};

/* Returns the nearest word among the operators and the macros, as "'count'". */
static const char *near_word(struct session *s, const char *word)
{
	const struct macros *macros = macrolib_get(s);
	VEC(const char *) names = { 0 };

	for (size_t i = 0; i < sizeof(foreign_names) / sizeof(foreign_names[0]); i++)
		if (!strcmp(foreign_names[i].name, word))
			return foreign_names[i].ours;
	for (size_t i = 0; i < AT_OPERATORS; i++)
		vec_push(s->arena, &names, operators[i].name);
	for (size_t i = 0; i < sizeof(other_words) / sizeof(other_words[0]); i++)
		vec_push(s->arena, &names, other_words[i]);
	vec_each(&macros->names, i)
		vec_push(s->arena, &names, macros->names.data[i]);
	return diag_near(s, word, names.data, names.count);
}

static const struct at_operator *find_operator(const char *name)
{
	for (size_t i = 0; i < AT_OPERATORS; i++)
		if (!strcmp(operators[i].name, name))
			return &operators[i];
	return NULL;
}

struct node *atword_make(struct parser *p, struct loc loc, const struct token *word,
			 struct node *args)
{
	const struct at_operator *op = find_operator(word->text);
	struct node *n = node_new(p->s->arena, op ? op->kind : NODE_ATOP, loc);

	n->op_loc = word->loc;
	if (!op) {
		const char *near = near_word(p->s, word->text);

		diag_error(p->s, word->loc, "there is no operator or macro '@%s'%s%s", word->text,
			   near ? "; did you mean " : "", near ? near : "");
	} else if (!fits_shape(op->shape, args)) {
		parser_error(p, loc,
			     arena_printf(p->s->arena, "@%s takes %s", word->text, op->takes));
	} else {
		if (op->guru)
			parser_need_guru(p, word->loc,
					 arena_printf(p->s->arena,
						      "@%s reaches past the script's limits",
						      word->text));
		return op->make(p, n, word, args);
	}
	n = make_other(p, node_new(p->s->arena, NODE_ATOP, loc), word, args);
	n->type = TYPE_ERROR;
	return n;
}
