/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The display is one node. Its statements say what it does: they are inferred, checked
 * and printed like those of a script. C has a row of a table for each global instead,
 * and one call of a function that all scripts share: statements of 600 globals took
 * compilers half of their time.
 */
#include "lang/display.h"

#include "ast/ast.h"
#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "emit/emit.h"
#include "lang/ops.h"
#include "lib/strbuf.h"
#include "probe/probe.h"

/* ---- the statements ---- */

/* The statements being built: all nodes have the location of the global. */
struct display {
	struct session *s;
	struct handler *handler;
	struct symbol *global;
};

static struct node *make(struct display *d, enum node_kind kind)
{
	return node_new(d->s->arena, kind, d->global->loc);
}

static struct node *make_name(struct display *d, struct symbol *sym)
{
	struct node *n = make(d, NODE_NAME);

	n->name = sym->name;
	n->symbol = sym;
	return n;
}

static struct node *make_printf(struct display *d, const struct strbuf *format, struct node *args)
{
	struct node *n = make(d, NODE_PRINT), *statement = make(d, NODE_EXPR);

	n->with_format = true;
	n->format = format->s;
	n->format_len = format->len;
	n->list = args;
	statement->operand = n;
	return statement;
}

/*
 * Makes the reference to the aggregate: the variable, or its element with the loop's
 * keys.
 */
static struct node *make_place(struct display *d, struct symbol **keys)
{
	struct node *name = make_name(d, d->global), *index;

	if (d->global->arity <= 0)
		return name;
	index = make(d, NODE_INDEX);
	index->base = name;
	for (int i = 0; i < d->global->arity; i++)
		index->list = node_append(index->list, make_name(d, keys[i]));
	return index;
}

/* The results of an aggregate, in the order of runtime/core/showunread.h. */
static const enum stat_op shown[] = { STAT_COUNT_OP, STAT_MIN, STAT_MAX, STAT_SUM, STAT_AVG };

#define SHOWN (sizeof(shown) / sizeof(shown[0]))

/* Sets *ret to the format of the global, or of one element. */
static void make_format(struct session *s, const struct symbol *g, struct strbuf *ret)
{
	strbuf_init(ret, s->arena);
	strbuf_adds(ret, g->name);
	for (int i = 0; i < g->arity; i++) {
		strbuf_adds(ret, i ? "," : "[");
		strbuf_adds(ret, g->key_types[i] == TYPE_STRING ? "\"%s\"" : "%d");
	}
	if (g->arity > 0)
		strbuf_addc(ret, ']');
	for (size_t i = 0; i < SHOWN && g->type == TYPE_STATS; i++)
		strbuf_addf(ret, " @%s=%%d", stat_op_names[shown[i]]);
	if (g->type != TYPE_STATS)
		strbuf_adds(ret, g->type == TYPE_STRING ? "=\"%s\"" : "=%d");
	strbuf_addc(ret, '\n');
}

static void make_empty_format(struct session *s, const struct symbol *g, struct strbuf *ret)
{
	strbuf_init(ret, s->arena);
	strbuf_addf(ret, "%s @count=0x0\n", g->name);
}

/* Makes the printf of one value; keys are the loop's variables, for arrays. */
static struct node *make_output(struct display *d, struct symbol **keys, struct symbol *value)
{
	const struct symbol *g = d->global;
	struct node *args = NULL, *op;
	struct strbuf format;

	make_format(d->s, g, &format);
	for (int i = 0; i < g->arity; i++)
		args = node_append(args, make_name(d, keys[i]));
	for (size_t i = 0; i < SHOWN && g->type == TYPE_STATS; i++) {
		op = make(d, NODE_STATOP);
		op->stat = shown[i];
		op->operand = make_place(d, keys);
		args = node_append(args, op);
	}
	if (g->type != TYPE_STATS)
		args = node_append(args, make_name(d, value));
	return make_printf(d, &format, args);
}

/* Makes a variable of a loop. C has none for it. */
static struct symbol *make_local(struct display *d, const char *name)
{
	struct symbol *sym = arena_new(d->s->arena, struct symbol);

	sym->kind = SYMBOL_LOCAL;
	sym->name = name;
	sym->loc = d->global->loc;
	return sym;
}

/* Makes the loop over an array, largest values first. */
static struct node *make_loop(struct display *d)
{
	struct node *n = make(d, NODE_FOREACH);
	struct symbol *keys[9] = { 0 }, *value = NULL;

	n->array = make_name(d, d->global);
	for (int i = 0; i < d->global->arity; i++) {
		keys[i] = make_local(d, arena_printf(d->s->arena, "key%d", i + 1));
		n->keys = node_append(n->keys, make_name(d, keys[i]));
	}
	if (d->global->type != TYPE_STATS) {
		value = make_local(d, "value");
		n->value = make_name(d, value);
	}
	n->sort_column = -1;
	n->sort_direction = -1;
	n->each_body = make_output(d, keys, value);
	return n;
}

/*
 * Makes the output of an aggregate. An empty one has no minimum: only its count is shown.
 */
static struct node *make_if_any(struct display *d, struct node *output)
{
	struct node *n = make(d, NODE_IF), *op = make(d, NODE_STATOP);
	struct strbuf format;

	op->stat = STAT_COUNT_OP;
	op->operand = make_name(d, d->global);
	n->cond = op;
	n->then = output;
	make_empty_format(d->s, d->global, &format);
	n->els = make_printf(d, &format, NULL);
	return n;
}

static bool is_shown(const struct symbol *g)
{
	return g->written && !g->read && !(g->source && g->source->is_tapset) &&
	       !source_is_library(g->loc);
}

/* Adds an end probe, after all others without a number. */
static bool add_probe(struct display *d)
{
	struct point *p = arena_new(d->s->arena, struct point);
	struct component end = { .name = "end", .loc = d->handler->loc };
	derived_list probes = { 0 };

	p->loc = d->handler->loc;
	vec_push(d->s->arena, &p->components, end);
	if (probe_resolve(d->s, p, &probes) || !probes.count)
		return false;
	vec_each(&probes, i) {
		probes.data[i]->handler = d->handler;
		probes.data[i]->pp = probes.data[i]->pn = "end";
		probes.data[i]->index = d->s->program->probes.count;
		vec_push(d->s->arena, &d->s->program->probes, probes.data[i]);
	}
	d->handler->index = d->s->program->handlers.count;
	vec_push(d->s->arena, &d->s->program->handlers, d->handler);
	return true;
}

/* Makes the statement that prints the global. */
static struct node *make_statement(struct display *d)
{
	struct node *output = d->global->arity > 0 ? make_loop(d) : make_output(d, NULL, d->global);

	if (d->global->arity <= 0 && d->global->type == TYPE_STATS)
		return make_if_any(d, output);
	return output;
}

struct handler *display_add(struct session *s)
{
	struct program *p = s->program;
	struct display d = { .s = s, .handler = arena_new(s->arena, struct handler) };
	struct node *display = NULL;

	if (s->options->no_display)
		return NULL;
	vec_each(&p->globals, i) {
		d.global = p->globals.data[i];
		if (!is_shown(d.global))
			continue;
		if (!display) {
			d.handler->loc = d.global->loc;
			d.handler->body = make(&d, NODE_BLOCK);
			d.handler->body->list = display = make(&d, NODE_DISPLAY);
			display->operand = make(&d, NODE_BLOCK);
		}
		display->list = node_append(display->list, make_name(&d, d.global));
		display->operand->list = node_append(display->operand->list, make_statement(&d));
	}
	return display && add_probe(&d) ? d.handler : NULL;
}

/* ---- the node ---- */

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	lang_infer(in, n->operand, TYPE_UNKNOWN);
}

static void uses(struct uses *u, struct node *n, bool wanted)
{
	uses_effect(u, n->operand);
}

static enum effect effect(const struct node *n)
{
	return EFFECT_OUTSIDE;
}

static void check(struct checking *ck, struct node *n)
{
	checking_node(ck, n->operand);
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	const struct node *first = n->operand->list;

	node_ops[first->kind]->print(out, first, depth);
	for (const struct node *item = first->next; item; item = item->next)
		ast_print_statement(out, item, depth);
}

/* ---- emission ---- */

/* Returns the number of strings that an element has. */
static unsigned strings_of(const struct symbol *g)
{
	unsigned strings = g->arity > 0 && g->type == TYPE_STRING;

	for (int i = 0; i < g->arity; i++)
		strings += g->key_types[i] == TYPE_STRING;
	return strings;
}

static unsigned value_format(struct emitter *e, const struct symbol *g)
{
	struct strbuf text, letters, fields;

	make_format(e->s, g, &text);
	strbuf_init(&letters, e->s->arena);
	strbuf_init(&fields, e->s->arena);
	for (int i = 0; i < g->arity; i++)
		strbuf_addc(&letters, g->key_types[i] == TYPE_STRING ? 's' : 'd');
	for (size_t i = 0; i < SHOWN && g->type == TYPE_STATS; i++)
		strbuf_addc(&letters, 'd');
	if (g->type != TYPE_STATS)
		strbuf_addc(&letters, g->type == TYPE_STRING ? 's' : 'd');
	strbuf_adds(&fields, g->name);
	for (size_t i = 0; i < letters.len; i++)
		strbuf_addc(&fields, '\t');
	return emit_format(e, text.s, text.len, letters.s, fields.s);
}

static unsigned empty_format(struct emitter *e, const struct symbol *g)
{
	struct strbuf text;

	make_empty_format(e->s, g, &text);
	return emit_format(e, text.s, text.len, "", g->name);
}

static void emit_row(struct emitter *e, const struct node *name)
{
	const struct symbol *g = name->symbol;

	writer_line(e->body_decls, "{ %u, %u, %u, %s },", g->index, value_format(e, g),
		    g->arity <= 0 && g->type == TYPE_STATS ? empty_format(e, g) : 0,
		    emit_place(e, name->loc));
}

static const char *emit(struct emitter *e, struct node *n)
{
	unsigned count = node_count(n->list), strings = 0;
	bool varies = e->varies, are_scalars = true;
	const char *storage = "NULL";

	e->varies = false; /* no other handler can have this code */
	writer_open(e->body_decls, "static const struct stp_unread unread[] =");
	for (struct node *name = n->list; name; name = name->next) {
		const struct symbol *g = name->symbol;

		emit_row(e, name);
		are_scalars &= g->arity <= 0 && g->type != TYPE_STATS;
		if (strings < strings_of(g))
			strings = strings_of(g);
	}
	writer_close(e->body_decls, ";");
	e->varies = varies;
	/* The places of one body follow one another. */
	if (strings)
		storage = emit_storage(e);
	for (unsigned i = 1; i < strings; i++)
		emit_storage(e);
	if (are_scalars)
		writer_line(e->w, "stp_unread_scalars(c, unread, %u);", count);
	else
		writer_line(e->w, "stp_unread_all(c, unread, %u, %s);", count, storage);
	return NULL;
}

LANG_OPS(display, uses, effect, print, checking_reach_nothing, .infer = infer, .emit = emit,
	 .check = check);
