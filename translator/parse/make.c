/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes expressions and statements from the grammar's input. */
#include <string.h>

#include "ast/ast.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "lib/arena.h"
#include "parse/macro.h"
#include "parse/parser.h"

static struct node *new_node(struct parser *p, enum node_kind kind, struct loc loc)
{
	return node_new(p->s->arena, kind, loc);
}

struct node *make_number(struct parser *p, struct loc loc, int64_t number)
{
	struct node *n = new_node(p, NODE_NUMBER, loc);

	n->number = number;
	n->type = TYPE_LONG;
	return n;
}

struct node *make_string(struct parser *p, const struct token *t)
{
	struct node *n = new_node(p, NODE_STRING, t->loc);

	n->string = t->text;
	n->string_len = t->len;
	n->type = TYPE_STRING;
	return n;
}

struct node *make_name(struct parser *p, const struct token *t)
{
	struct node *n = new_node(p, NODE_NAME, t->loc);

	n->name = t->text;
	return n;
}

struct node *make_variable(struct parser *p, const struct token *t)
{
	if (printcall_is(t->text))
		parser_error(
			p, p->tokens.data[p->from].loc,
			arena_printf(
				p->s->arena,
				"expected '(' after '%s'; write the values to print in parentheses",
				t->text));
	return make_name(p, t);
}

/*
 * Splits x$ and x$$ into the name without its trailing dollars and their number. A name
 * that consists of dollars has no trailing ones.
 */
static const char *split_pretty(struct parser *p, const char *text, unsigned *depth)
{
	size_t len = strlen(text);

	*depth = 0;
	while (len > 1 && text[len - 1] == '$' && *depth < 2) {
		len--;
		++*depth;
	}
	if (strspn(text, "$") >= len) {
		*depth = 0;
		return text;
	}
	return arena_strndup(p->s->arena, text, len);
}

static void push_step(struct parser *p, struct node *target, struct path_step step)
{
	size_t n = target->path.count;

	if (n && target->path.data[n - 1].kind == STEP_PRETTY)
		parser_error(p, step.loc, "'$' gives a string: nothing can follow it");
	else
		vec_push(p->s->arena, &target->path, step);
}

static void push_pretty(struct parser *p, struct node *target, struct loc loc, enum pretty depth)
{
	if (depth)
		push_step(p, target,
			  (struct path_step){ .kind = STEP_PRETTY, .loc = loc, .depth = depth });
}

struct node *make_target(struct parser *p, const struct token *t)
{
	struct node *n = new_node(p, NODE_TARGET, t->loc);
	unsigned depth;

	n->target = TARGET_VAR;
	n->target_name = split_pretty(p, t->text, &depth);
	push_pretty(p, n, t->loc, depth);
	return n;
}

struct node *make_cast(struct parser *p, struct loc loc, struct node *value,
		       const struct token *type, const struct token *module)
{
	struct node *n = new_node(p, NODE_TARGET, loc);

	n->target = TARGET_CAST;
	n->operand = value;
	n->cast_type = type->text;
	n->module = module ? module->text : NULL;
	n->op_loc = type->loc;
	return n;
}

struct node *make_atvar(struct parser *p, struct loc loc, const struct token *name,
			const struct token *module)
{
	struct node *n = new_node(p, NODE_TARGET, loc);

	n->target = TARGET_ATVAR;
	n->target_name = name->text;
	n->module = module ? module->text : NULL;
	n->op_loc = name->loc;
	return n;
}

/*
 * Returns base if its path can grow; otherwise a new target whose type follows from base.
 */
static struct node *target_of(struct parser *p, struct loc loc, struct node *base)
{
	struct node *n;

	if (base->kind == NODE_TARGET && !base->address_of)
		return base;
	n = new_node(p, NODE_TARGET, loc);
	n->target = TARGET_AUTO;
	n->operand = base;
	return n;
}

struct node *make_member(struct parser *p, struct node *base, const struct token *member)
{
	struct node *n = target_of(p, base->loc, base);
	unsigned depth;

	push_step(p, n,
		  (struct path_step){ .kind = STEP_MEMBER,
				      .loc = member->loc,
				      .member = split_pretty(p, member->text, &depth) });
	push_pretty(p, n, member->loc, depth);
	n->loc = source_loc_join(n->loc, member->loc);
	return n;
}

/* Makes base$, for a base that ends in a bracket. */
struct node *make_pretty(struct parser *p, struct node *base, const struct token *dollars)
{
	struct node *n = target_of(p, base->loc, base);

	push_pretty(p, n, dollars->loc, (unsigned)strlen(dollars->text));
	n->loc = source_loc_join(n->loc, dollars->loc);
	return n;
}

/*
 * Returns the target's last index, searching from the one found last: a path may be long.
 */
static struct node *last_index(const struct node *target)
{
	for (size_t i = target->path.count; i > 0; i--)
		if (target->path.data[i - 1].kind == STEP_INDEX)
			return target->path.data[i - 1].index;
	return NULL;
}

struct node *make_index(struct parser *p, struct loc loc, struct node *base, struct node *keys)
{
	struct node *n, *last;

	/*
	 * (v)[i] is an element of what v points to; v[i] is an element of an array of the
	 * script.
	 */
	if (base->kind == NODE_NAME && !base->in_parens) {
		n = new_node(p, NODE_INDEX, loc);
		n->base = base;
		n->list = keys;
		return n;
	}
	if (keys->next || keys->kind == NODE_STAR)
		parser_error(
			p, keys->loc,
			"only one index is allowed here; only arrays of the script have several "
			"keys");
	if (base->kind == NODE_HISTOP) {
		atword_hist_placed(p, base);
		n = new_node(p, NODE_HISTINDEX, loc);
		n->hist = base;
		n->bucket = keys;
		return n;
	}
	keys->next = NULL;
	n = target_of(p, loc, base);
	last = last_index(n);
	if (last)
		last->next = keys;
	else
		n->list = keys;
	n->loc = loc;
	push_step(p, n, (struct path_step){ .kind = STEP_INDEX, .loc = keys->loc, .index = keys });
	return n;
}

struct node *make_address(struct parser *p, struct loc loc, struct loc op_loc, struct node *operand)
{
	if (operand->kind != NODE_TARGET) {
		parser_meaning_error(p, op_loc,
				     "'&' takes the address of a target variable: &$name->member");
		return operand;
	}
	operand->address_of = true;
	operand->loc = loc;
	return operand;
}

struct node *make_unary(struct parser *p, struct loc loc, struct loc op_loc, enum op op,
			struct node *operand)
{
	struct node *n = new_node(p, NODE_UNARY, loc);

	n->op = op;
	n->op_loc = op_loc;
	n->operand = operand;
	return n;
}

static struct node *make_two(struct parser *p, enum node_kind kind, struct loc op_loc, enum op op,
			     struct node *lhs, struct node *rhs)
{
	struct node *n = new_node(p, kind, source_loc_join(lhs->loc, rhs->loc));

	n->op = op;
	n->op_loc = op_loc;
	n->lhs = lhs;
	n->rhs = rhs;
	return n;
}

/*
 * Warns about a shift by a negative number: only the lowest six bits of the number count.
 */
static void check_shift(struct parser *p, enum op op, const struct node *count)
{
	if ((op == OP_SHL || op == OP_SHR || op == OP_USHR) && count->kind == NODE_UNARY &&
	    count->op == OP_NEG && count->operand->kind == NODE_NUMBER && count->operand->number)
		diag_warning(p->s, count->loc,
			     "the count is taken as %d, its lowest six bits; the other direction "
			     "has an operator of its own",
			     (int)(-(uint64_t)count->operand->number & 63));
}

struct node *make_binary(struct parser *p, struct loc op_loc, enum op op, struct node *lhs,
			 struct node *rhs)
{
	check_shift(p, op, rhs);
	return make_two(p, op == OP_LAND || op == OP_LOR ? NODE_LOGICAL : NODE_BINARY, op_loc, op,
			lhs, rhs);
}

/* Makes one node for a whole chain of dots. */
struct node *make_concat(struct parser *p, struct loc op_loc, struct node *lhs, struct node *rhs)
{
	struct node *n = lhs;

	if (lhs->kind != NODE_CONCAT) {
		n = new_node(p, NODE_CONCAT, lhs->loc);
		n->list = n->last_operand = lhs;
		n->op_loc = op_loc;
	}
	n->last_operand = n->last_operand->next = rhs;
	n->loc = source_loc_join(n->loc, rhs->loc);
	return n;
}

static bool is_lvalue(const struct node *n)
{
	return n->kind == NODE_NAME || n->kind == NODE_INDEX ||
	       (n->kind == NODE_TARGET && !n->address_of);
}

struct node *make_assign(struct parser *p, struct loc op_loc, enum op op, struct node *lhs,
			 struct node *rhs)
{
	if (lhs->kind == NODE_BINARY && lhs->op == OP_MUL && lhs->lhs->kind == NODE_NAME &&
	    lhs->rhs->kind == NODE_NAME)
		parser_error(p, lhs->loc,
			     "variables are not declared, and there are no pointer types; write "
			     "the name alone");
	else if (!is_lvalue(lhs))
		parser_meaning_error(p, lhs->loc,
				     "this cannot be assigned to; expected a variable, an array "
				     "element or a target variable");
	check_shift(p, op, rhs);
	return make_two(p, NODE_ASSIGN, op_loc, op, lhs, rhs);
}

struct node *make_incdec(struct parser *p, struct loc loc, struct loc op_loc, enum op op,
			 bool prefix, struct node *operand)
{
	struct node *n = new_node(p, NODE_INCDEC, loc);

	if (!is_lvalue(operand))
		parser_meaning_error(p, operand->loc,
				     "this cannot be counted up or down; "
				     "expected a variable, an array element or a target variable");
	n->op = op;
	n->op_loc = op_loc;
	n->prefix = prefix;
	n->operand = operand;
	return n;
}

struct node *make_ternary(struct parser *p, struct loc op_loc, struct node *cond, struct node *then,
			  struct node *els)
{
	struct node *n = new_node(p, NODE_TERNARY, source_loc_join(cond->loc, els->loc));

	n->op_loc = op_loc;
	n->cond = cond;
	n->then = then;
	n->els = els;
	return n;
}

struct node *make_regex(struct parser *p, struct loc op_loc, enum op op, struct node *lhs,
			const struct token *pattern)
{
	struct node *n = new_node(p, NODE_REGEX, source_loc_join(lhs->loc, pattern->loc));

	n->op = op;
	n->op_loc = op_loc;
	n->lhs = lhs;
	n->pattern = pattern->text;
	n->pattern_len = strnlen(pattern->text, pattern->len);
	n->literal_loc = pattern->loc;
	return n;
}

struct node *make_in(struct parser *p, struct loc loc, struct loc op_loc, struct node *keys,
		     const struct token *array)
{
	struct node *n = new_node(p, NODE_IN, loc);

	n->op_loc = op_loc;
	n->list = keys;
	n->rhs = make_name(p, array);
	return n;
}

static struct node *number_node(struct parser *p, struct loc loc, int64_t number)
{
	struct node *n = new_node(p, NODE_NUMBER, loc);

	n->type = TYPE_LONG;
	n->number = number;
	return n;
}

/* Makes index >= 0 && index < N: histograms have all of their buckets. */
struct node *make_in_hist(struct parser *p, struct loc loc, struct loc op_loc, struct node *index,
			  struct node *hist)
{
	struct node *n = new_node(p, NODE_LOGICAL, loc), *end;

	atword_hist_placed(p, hist);
	if (hist->kind != NODE_HISTOP || (index->kind != NODE_NAME && index->kind != NODE_NUMBER)) {
		parser_error(p, op_loc,
			     "'in' asks whether a name or number is an index of an array or a "
			     "histogram");
		return index;
	}
	end = number_node(p, hist->loc, node_hist_buckets(hist));
	n->op = OP_LAND;
	n->op_loc = op_loc;
	n->lhs = make_binary(p, op_loc, OP_GE, ast_clone(p->s->arena, index),
			     number_node(p, loc, 0));
	n->rhs = make_binary(p, op_loc, OP_LT, index, end);
	return n;
}

/* ---- calls ---- */

/* Makes text_of($x), whose value follows from the type of $x; NULL: that has none. */
static struct node *make_text_of(struct parser *p, struct loc loc, struct node *value)
{
	struct node *n;

	if (value->kind != NODE_TARGET && value->kind != NODE_NAME && value->kind != NODE_ENTRY)
		return NULL;
	n = target_of(p, value->loc, value);
	push_pretty(p, n, loc, PRETTY_TEXT);
	n->loc = loc;
	return n;
}

static bool is_word(const struct token *t, const char *text)
{
	return t->kind == TOKEN_WORD && !strcmp(t->text, text);
}

/* True: the script has a function of that name. */
static bool declares(const struct parser *p, const char *name)
{
	for (size_t i = 0; i + 1 < p->tokens.count; i++)
		if (is_word(&p->tokens.data[i], "function") &&
		    is_word(&p->tokens.data[i + 1], name))
			return true;
	return false;
}

struct node *make_call(struct parser *p, struct loc loc, const struct token *name,
		       struct node *args)
{
	struct node *n = printcall_make(p, loc, name, args);

	if (!n && !strcmp(name->text, "text_of") && args && !args->next && !declares(p, "text_of"))
		n = make_text_of(p, loc, args);
	if (n)
		return n;
	n = new_node(p, NODE_CALL, loc);
	n->op_loc = name->loc;
	n->name = name->text;
	n->list = args;
	return n;
}

struct node *make_embed(struct parser *p, const struct token *t)
{
	struct node *n = new_node(p, NODE_EMBED, t->loc);

	n->string = t->text;
	n->string_len = t->len;
	return n;
}

/* ---- statements ---- */

struct node_list make_list_add(struct node_list list, struct node *item)
{
	if (list.last)
		list.last->next = item;
	else
		list.first = item;
	list.last = item;
	return list;
}

struct each_key make_each_key(struct parser *p, struct each_key list, struct each_key item)
{
	list.names = node_append(list.names, item.names);
	list.count++;
	if (item.sort_direction && list.sort_direction) {
		parser_error(p, item.sort_loc, "foreach sorts by one thing only");
	} else if (item.sort_direction) {
		list.sort_loc = item.sort_loc;
		list.sort_column = (int)list.count;
		list.sort_direction = item.sort_direction;
	}
	return list;
}

void make_check_return(struct parser *p, int behind, struct loc loc)
{
	if (behind != '}' && !p->failed_here)
		parser_error(p, loc, "'return' is followed by a value, ';' or '}'");
}

void make_check_value(struct parser *p, struct loc before, const struct node *value)
{
	const struct source *source = before.source;

	if (!source || before.via || value->loc.source != source || value->loc.via ||
	    value->loc.begin < before.end ||
	    !memchr(source->text + before.end, '\n', value->loc.begin - before.end))
		return;
	diag_warning(p->s, before,
		     "this 'return' takes the next line as its value; 'return;' has none");
}

struct node *make_block(struct parser *p, struct loc loc, struct node *statements)
{
	struct node *n = new_node(p, NODE_BLOCK, loc);

	n->list = statements;
	return n;
}

struct node *make_simple(struct parser *p, enum node_kind kind, struct loc loc,
			 struct node *operand)
{
	struct node *n = new_node(p, kind, loc);

	n->operand = operand;
	return n;
}

struct node *make_if(struct parser *p, struct loc loc, struct node *cond, struct node *then,
		     struct node *els)
{
	struct node *n = new_node(p, NODE_IF, loc);

	n->cond = cond;
	n->then = then;
	n->els = els;
	return n;
}

struct node *make_for(struct parser *p, struct loc loc, enum node_kind kind, struct node *init,
		      struct node *test, struct node *step, struct node *body)
{
	struct node *n = new_node(p, kind, loc);

	n->init = init;
	n->test = test;
	n->step = step;
	n->body = body;
	return n;
}

struct element {
	struct parser *p;
	const struct node *array, *keys;
};

/*
 * Names the current element in @count(a) and similar operators, where a is the array that
 * the loop iterates over.
 */
static int name_element(struct node *n, void *ctx)
{
	const struct element *e = ctx;
	struct node *index;

	if ((n->kind != NODE_STATOP && n->kind != NODE_HISTOP) || n->operand->kind != NODE_NAME ||
	    strcmp(n->operand->name, e->array->name))
		return 0;
	index = node_new(e->p->s->arena, NODE_INDEX, n->operand->loc);
	index->base = n->operand;
	for (const struct node *key = e->keys; key; key = key->next) {
		struct node *name = node_new(e->p->s->arena, NODE_NAME, n->operand->loc);

		name->name = key->name;
		index->list = node_append(index->list, name);
	}
	n->operand = index;
	return 1;
}

struct node *make_foreach(struct parser *p, struct loc loc, struct each_head head,
			  struct each_array array, struct node *limit, struct node *body)
{
	struct node *n = new_node(p, NODE_FOREACH, loc);
	int sorts = !!head.keys.sort_direction + !!head.value_direction + !!array.direction;

	n->array = array.array;
	n->list = array.slice;
	n->slice = array.is_slice;
	n->limit = limit;
	n->value = head.value;
	n->each_body = body;
	n->keys = head.keys.names;
	if (sorts > 1)
		parser_error(p, array.direction ? array.sort_loc : head.keys.sort_loc,
			     "foreach sorts by one thing only");
	if (array.by_stat && !array.direction)
		parser_error(p, array.sort_loc,
			     "the statistic after an array is the sort key; "
			     "put '+' or '-' after it");
	if (head.keys.sort_direction) {
		n->sort_column = head.keys.sort_column;
		n->sort_direction = head.keys.sort_direction;
	} else if (sorts) {
		n->sort_column = -1;
		n->sort_direction = head.value_direction ? head.value_direction : array.direction;
		n->sort_stat = array.stat;
		n->sort_by_stat = array.by_stat;
	}
	atword_hist_placed(p, array.array);
	if (array.array->kind == NODE_NAME)
		ast_walk(body, name_element, NULL, &(struct element){ p, array.array, n->keys });
	else if (array.array->kind != NODE_HISTOP)
		parser_error(p, array.array->loc, "foreach goes over an array or a histogram");
	return n;
}

struct node *make_try(struct parser *p, struct loc loc, struct node *block, struct node *var,
		      struct node *handler)
{
	struct node *n = new_node(p, NODE_TRY, loc);

	n->block = block;
	n->catch_var = var;
	n->catch_block = handler;
	return n;
}
