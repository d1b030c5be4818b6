/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lang/display.h"

#include "ast/program.h"
#include "base/options.h"
#include "base/session.h"
#include "lang/uses.h"
#include "lib/strbuf.h"
#include "probe/probe.h"

/*
 * If there are more globals than this, each has its own function. One long function takes
 * compilers longer, and functions share the room for strings.
 */
#define TOGETHER_MOST 8

/* The statements being built: all nodes have the location of the global. */
struct display {
	struct session *s;
	struct handler *handler;
	struct function *function; /* the global's own, or NULL */
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

static void add_stats(struct display *d, struct strbuf *format, struct node **args,
		      struct symbol **keys)
{
	static const enum stat_op shown[] = { STAT_COUNT_OP, STAT_MIN, STAT_MAX, STAT_SUM,
					      STAT_AVG };

	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		struct node *op = make(d, NODE_STATOP);

		op->stat = shown[i];
		op->operand = make_place(d, keys);
		*args = node_append(*args, op);
		strbuf_addf(format, " @%s=%%d", stat_op_names[shown[i]]);
	}
}

/* Makes the printf of one value; keys are the loop's variables, for arrays. */
static struct node *make_output(struct display *d, struct symbol **keys, struct symbol *value)
{
	const struct symbol *g = d->global;
	struct node *args = NULL;
	struct strbuf format;

	strbuf_init(&format, d->s->arena);
	strbuf_adds(&format, g->name);
	for (int i = 0; i < g->arity; i++) {
		strbuf_adds(&format, i ? "," : "[");
		strbuf_adds(&format, g->key_types[i] == TYPE_STRING ? "\"%s\"" : "%d");
		args = node_append(args, make_name(d, keys[i]));
	}
	if (g->arity > 0)
		strbuf_addc(&format, ']');
	if (g->type == TYPE_STATS) {
		add_stats(d, &format, &args, keys);
	} else {
		strbuf_adds(&format, g->type == TYPE_STRING ? "=\"%s\"" : "=%d");
		args = node_append(args, make_name(d, value));
	}
	strbuf_addc(&format, '\n');
	return make_printf(d, &format, args);
}

static struct symbol *make_local(struct display *d, const char *name)
{
	struct symbol *sym = arena_new(d->s->arena, struct symbol);

	sym->kind = SYMBOL_LOCAL;
	sym->name = name;
	sym->loc = d->global->loc;
	if (d->function)
		vec_push(d->s->arena, &d->function->locals, sym);
	else
		vec_push(d->s->arena, &d->handler->locals, sym);
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
	strbuf_init(&format, d->s->arena);
	strbuf_addf(&format, "%s @count=0x0\n", d->global->name);
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

/* Puts the statement into a function; returns the statement that calls it. */
static struct node *make_call(struct display *d)
{
	struct node *statement = make(d, NODE_EXPR), *call = make(d, NODE_CALL);
	struct function *f = arena_new(d->s->arena, struct function);

	f->name = arena_printf(d->s->arena, "display_%s", d->global->name);
	f->loc = d->global->loc;
	f->source = d->global->loc.source;
	f->type = TYPE_VOID;
	f->used = f->runs_once = true;
	d->function = f;
	f->body = make_statement(d);
	d->function = NULL;
	vec_push(d->s->arena, &d->s->program->functions, f);
	call->name = f->name;
	call->function = f;
	statement->operand = call;
	return statement;
}

static size_t count_shown(const struct program *p)
{
	size_t n = 0;

	vec_each(&p->globals, i)
		n += is_shown(p->globals.data[i]);
	return n;
}

struct handler *display_add(struct session *s)
{
	struct program *p = s->program;
	struct display d = { .s = s, .handler = arena_new(s->arena, struct handler) };
	bool are_many = count_shown(p) > TOGETHER_MOST;

	if (s->options->no_display)
		return NULL;
	vec_each(&p->globals, i) {
		d.global = p->globals.data[i];
		if (!is_shown(d.global))
			continue;
		if (!d.handler->body) {
			d.handler->loc = d.global->loc;
			d.handler->body = make(&d, NODE_BLOCK);
		}
		d.handler->body->list = node_append(d.handler->body->list,
						    are_many ? make_call(&d) : make_statement(&d));
	}
	return d.handler->body && add_probe(&d) ? d.handler : NULL;
}
