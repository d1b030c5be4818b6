/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C functions of handlers, conditions, entry handlers and script functions. All have one
 * shape:
 *
 *   struct frame_X { keys, string storage };
 *   static T X(struct stp_ctx *c …)
 *   {
 *           locals
 *           enter: nesting, frame
 *           body
 *   out:
 *           leave: in reverse
 *   }
 *
 * The body is written first, to find out what it declares and stores.
 */
#include <string.h>

#include "base/diag.h"
#include "base/session.h"
#include "emit/limits.h"
#include "emit/linkparts.h"
#include "module/module.h"
#include "lang/ops.h"

struct body {
	struct emitter e;
	struct writer w, decls, frame;
};

static void body_open(struct emit_module *m, struct body *b, struct function *f, struct handler *h)
{
	*b = (struct body){ 0 };
	linkparts_writer(m->s, &b->w);
	linkparts_writer(m->s, &b->decls);
	linkparts_writer(m->s, &b->frame);
	b->w.depth = b->decls.depth = b->frame.depth = 1;
	b->e = (struct emitter){
		.s = m->s,
		.w = &b->w,
		.decls = &b->decls,
		.body_decls = &b->decls,
		.frame = &b->frame,
		.function = f,
		.handler = h,
		.fail_label = "out",
		.tables = &m->tables,
		.repeats = h ? h->repeats : m->repeats,
	};
}

static void declare_locals(struct body *b, struct symbol **locals, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct symbol *sym = locals[i];

		if (sym->type == TYPE_LONG) {
			writer_line(&b->decls, "int64_t %s STP_UNUSED = 0;", sym->c_name);
		} else if (sym->type == TYPE_STRING) {
			writer_line(&b->decls, "struct stp_str %s STP_UNUSED = STP_STR(\"\");",
				    sym->c_name);
			writer_line(&b->frame, "char %s[MAXSTRINGLEN];", sym->c_name);
			b->e.variables++;
		}
	}
}

/* Size of union stp_key on 64-bit processors. */
#define KEY_BYTES 16

/* Emits the frame struct; returns its size. */
static uint32_t emit_frame(struct emit_module *m, struct body *b, const char *tag)
{
	uint32_t count = b->e.variables + b->e.storage_most;

	if (!count && !b->e.keys_most)
		return 0;
	writer_open(m->w, "struct frame_%s", tag);
	if (b->e.keys_most)
		writer_line(m->w, "union stp_key keys[%u];", b->e.keys_most);
	writer_raw(m->w, b->frame.out.s, b->frame.out.len);
	for (unsigned i = 0; i < b->e.storage_most; i++)
		writer_line(m->w, "char s%u[MAXSTRINGLEN];", i);
	writer_close(m->w, ";\n");
	return b->e.keys_most * KEY_BYTES + count * limit_value(m->s, LIMIT_STRING);
}

/* The code around a body, which depends on its kind. */
struct shape {
	const char *tag, *signature;
	const char *result; /* declaration of r, or NULL for void */
	const char *leave;  /* lines at the end; or NULL */
	bool nests;	    /* a script function */
};

static void emit_enter(struct emit_module *m, const struct shape *shape, bool has_frame)
{
	if (shape->nests)
		writer_line(m->w, "%s(%s);", has_frame ? "STP_ENTER_FRAME" : "STP_ENTER",
			    shape->result ? "r" : "");
	else if (has_frame)
		writer_line(m->w, "fr = stp_frame_root(c, sizeof(*fr));");
}

/* True: the text goes to the end of the body. */
static bool may_leave(const char *text)
{
	return text && (strstr(text, "goto out;") || strstr(text, "(out, "));
}

/* Writes a body; returns the size of its frame. */
static uint32_t body_write(struct emit_module *m, struct body *b, const struct shape *shape)
{
	uint32_t bytes = emit_frame(m, b, shape->tag);
	bool leaves = may_leave(b->w.out.s);

	writer_line(m->w, "%s", shape->signature);
	writer_open(m->w, "%s", "");
	if (bytes)
		writer_line(m->w, "struct frame_%s *fr;", shape->tag);
	if (shape->result)
		writer_line(m->w, "%s;", shape->result);
	writer_raw(m->w, b->decls.out.s, b->decls.out.len);
	writer_line(m->w, "%s", "");
	emit_enter(m, shape, bytes != 0);
	writer_raw(m->w, b->w.out.s, b->w.out.len);
	if (leaves) {
		m->w->depth--;
		writer_line(m->w, "out:");
		m->w->depth++;
	}
	if (shape->leave)
		writer_raw(m->w, shape->leave, strlen(shape->leave));
	if (bytes && shape->nests)
		writer_line(m->w, "stp_frame_pop(c, sizeof(*fr));");
	if (shape->nests)
		writer_line(m->w, "stp_call_leave(c);");
	writer_line(m->w, shape->result ? "return r;" : "return;");
	writer_close(m->w, "\n");
	writer_release(&b->w);
	writer_release(&b->decls);
	writer_release(&b->frame);
	return bytes;
}

/* ---- functions ---- */

void body_write_prototype(struct emit_module *m, struct function *f)
{
	writer_line(m->w, "%s STP_UNUSED;", cnames_signature(m->s, f));
}

/* Gives a string parameter that is written its own bytes. */
static void own_parameters(struct body *b, struct function *f)
{
	vec_each(&f->params, i) {
		struct symbol *sym = f->params.data[i];

		if (sym->type != TYPE_STRING || !sym->assigned)
			continue;
		writer_line(&b->frame, "char %s[MAXSTRINGLEN];", sym->c_name);
		writer_line(&b->w, "%s = stp_str_copy(c, fr->%s, %s);", sym->c_name, sym->c_name,
			    sym->c_name);
		b->e.variables++;
	}
}

static uint32_t write_function(struct emit_module *m, struct function *f, bool varies)
{
	static const char *const results[TYPE_COUNT] = {
		[TYPE_LONG] = "int64_t r = 0",
		[TYPE_STRING] = "struct stp_str r = STP_STR(\"\")",
	};
	struct body b;

	body_open(m, &b, f, NULL);
	b.e.varies = varies;
	own_parameters(&b, f);
	declare_locals(&b, f->locals.data, f->locals.count);
	emit_spend(&b.e, f->body, f->loc);
	emit_statement(&b.e, f->body);
	return body_write(m, &b,
			  &(struct shape){
				  .tag = f->c_name,
				  .signature = cnames_signature(m->s, f),
				  .result = results[f->type],
				  .nests = true,
			  });
}

void body_write_function(struct emit_module *m, struct function *f)
{
	if (!f->body)
		embedded_write(m, f);
	else
		frame_add(m, f, f->body, write_function(m, f, false));
}

/* ---- handlers ---- */

/* Takes the lock of an element; returns the variable that has it. */
static const char *take_element(struct emitter *e, const struct lock_element *element)
{
	const struct symbol *array = e->s->program->globals.data[element->global];
	const char *name = array->c_name;
	const char *held = arena_printf(e->s->arena, "held_%s", name);
	const char *operands[ARRAY_KEYS_MAX];
	struct emit_scope scope;

	writer_line(e->body_decls, "struct stp_shard *%s = NULL;", held);
	emit_scope_open(e, &scope);
	emit_operands(e, element->keys, NULL, operands);
	writer_line(e->w, "%s = stp_shards_take%s(c, &lock_%s, %s, %s);", held,
		    array->arity == 1 ? "_i" : "", name, name,
		    array->arity == 1 ? operands[0] : emit_union(e, element->keys, operands));
	writer_line(e->w, "if (!%s)", held);
	writer_line(e->w, "\tgoto out;");
	emit_scope_close(e, &scope);
	return held;
}

/*
 * Takes the locks of the elements that the handler uses. Returns the lines that give them
 * back, the last one first; or NULL.
 */
static const char *take_elements(struct emit_module *m, struct body *b, const struct handler *h)
{
	const char *ret = NULL;

	b->e.keeps = true;
	vec_each(&m->locks.elements, i) {
		const struct lock_element *element = &m->locks.elements.data[i];

		if (element->handler == h)
			ret = arena_printf(m->s->arena, "\tstp_shards_release(%s);\n%s",
					   take_element(&b->e, element), ret ? ret : "");
	}
	b->e.keeps = false;
	return ret;
}

static uint32_t write_handler(struct emit_module *m, struct handler *h)
{
	const char *leave;
	struct body b;

	body_open(m, &b, NULL, h);
	b.e.varies = m->varies;
	declare_locals(&b, h->locals.data, h->locals.count);
	leave = take_elements(m, &b, h);
	/* Small bodies without loops cannot use up the budget. */
	if (emit_cost(h->body) > (int64_t)limit_value(m->s, LIMIT_ACTION) / 2)
		emit_spend(&b.e, h->body, h->loc);
	emit_statement(&b.e, h->body);
	return body_write(
		m, &b,
		&(struct shape){
			.tag = "h" MERGE_SELF,
			.leave = leave,
			.signature = "static void handler_" MERGE_SELF "(struct stp_ctx *c)",
		});
}

unsigned body_saved_words(struct session *s, const struct handler *h)
{
	return emit_saved_place(s, h, h->saved.count);
}

static void emit_saved(struct emitter *e, unsigned i)
{
	struct node *n = e->handler->saved.data[i];
	const char *value = emit_expr(e, n);
	unsigned place = emit_saved_place(e->s, e->handler, i);

	if (n->type == TYPE_STRING)
		writer_line(e->w, "stp_str_copy(c, (char *)&c->saved[%u], %s);", place, value);
	else
		writer_line(e->w, "c->saved[%u] = %s;", place, value);
}

/* Makes statements from the expressions that entry_N saves. */
static struct node *saving(struct emit_module *m, const struct handler *h)
{
	struct node *all = node_new(m->s->arena, NODE_BLOCK, h->loc);

	vec_each(&h->saved, i) {
		struct node *statement = node_new(m->s->arena, NODE_EXPR, h->saved.data[i]->loc);

		statement->operand = h->saved.data[i];
		all->list = node_append(all->list, statement);
	}
	return all;
}

static void note_frame(struct emit_module *m, frame_list *frames, struct function *f,
		       struct node *body, uint32_t bytes)
{
	struct frame frame = { .function = f, .body = body, .bytes = bytes };

	vec_push(m->s->arena, frames, frame);
}

static uint32_t write_entry(struct emit_module *m, struct handler *h)
{
	unsigned words = body_saved_words(m->s, h);
	struct body b;

	if (words * 8 > EMIT_SAVED_BYTES)
		diag_error(m->s, h->loc,
			   "the values that this probe saves at entry (@entry, parameters) take "
			   "%u bytes%s%s; %u "
			   "can be kept",
			   words * 8, h->point ? " at " : "", h->point ? h->point->pp : "",
			   EMIT_SAVED_BYTES);
	writer_line(m->w, "enum { NSAVED_" MERGE_SELF " = %u };", words);
	body_open(m, &b, NULL, h);
	b.e.varies = m->varies;
	declare_locals(&b, h->entry_locals.data, h->entry_locals.count);
	vec_each(&h->saved, i) {
		struct emit_scope scope;

		emit_scope_open(&b.e, &scope);
		emit_saved(&b.e, i);
		emit_scope_close(&b.e, &scope);
	}
	return body_write(
		m, &b,
		&(struct shape){
			.tag = "e" MERGE_SELF,
			.signature = "static void entry_" MERGE_SELF "(struct stp_ctx *c)",
		});
}

static void write_parts(struct emit_module *m, struct handler *h, frame_list *frames)
{
	for (int declared = 0; declared < 2; declared++) {
		vec_each(&h->clones, i) {
			struct function *f = h->clones.data[i];

			if (!cnames_is_part(f) || !f->used)
				continue;
			if (!declared)
				body_write_prototype(m, f);
			else
				note_frame(m, frames, f, f->body, write_function(m, f, m->varies));
		}
	}
}

void body_write_handler(struct emit_module *m, struct handler *h)
{
	struct writer text, *file = m->w;
	frame_list frames = { 0 };

	linkparts_writer(m->s, &text);
	m->w = &text;
	write_parts(m, h, &frames);
	note_frame(m, &frames, NULL, h->body, write_handler(m, h));
	if (h->saved.count)
		note_frame(m, &frames, NULL, saving(m, h), write_entry(m, h));
	m->w = file;
	samecode_add(m, h, text.out.s, &frames);
	writer_release(&text);
}

void body_write_condition(struct emit_module *m, struct derived *d)
{
	struct body b;

	if (!d->condition)
		return;
	body_open(m, &b, NULL, NULL);
	writer_line(b.e.w, "r = %s != 0;", emit_expr(&b.e, d->condition));
	frame_add(
		m, NULL, d->condition,
		body_write(m, &b,
			   &(struct shape){
				   .tag = arena_printf(m->s->arena, "c%u", d->index),
				   .signature = arena_printf(
					   m->s->arena,
					   "static bool condition_%u(struct stp_ctx *c)", d->index),
				   .result = "bool r = false",
			   }));
}
