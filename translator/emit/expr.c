/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The base of lang/'s emit callbacks: scopes, temporaries, string storage, labels,
 * operands. The C is three-address code: every value gets a name, in the left-to-right
 * order of the script's evaluation.
 */
#include "emit/emit.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "ast/ast.h"
#include "ast/ops.h"
#include "base/options.h"
#include "base/session.h"
#include "emit/limits.h"
#include "emit/linkparts.h"

void emit_scope_open(struct emitter *e, struct emit_scope *scope)
{
	scope->outer_w = e->w;
	scope->outer_decls = e->decls;
	scope->storage = e->storage;
	scope->keys = e->keys;
	linkparts_writer(e->s, &scope->w);
	linkparts_writer(e->s, &scope->decls);
	scope->w.depth = scope->decls.depth = e->w->depth;
	e->w = &scope->w;
	e->decls = &scope->decls;
}

/* Copies whole lines, indented one level deeper. */
static void add_deeper(struct writer *w, const char *text)
{
	while (*text) {
		const char *end = strchr(text, '\n');
		size_t len = end ? (size_t)(end - text) + 1 : strlen(text);

		if (len > 1 && *text != '#')
			strbuf_addc(&w->out, '\t');
		strbuf_add(&w->out, text, len);
		text += len;
	}
}

void emit_scope_close(struct emitter *e, struct emit_scope *scope)
{
	e->w = scope->outer_w;
	e->decls = scope->outer_decls;
	e->storage = scope->storage;
	e->keys = scope->keys;
	if (scope->decls.out.len == 0) {
		writer_raw(e->w, scope->w.out.s, scope->w.out.len);
	} else {
		writer_line(e->w, "{");
		add_deeper(e->w, scope->decls.out.s);
		writer_line(e->w, "%s", "");
		add_deeper(e->w, scope->w.out.s);
		writer_line(e->w, "}");
	}
	writer_release(&scope->decls);
	writer_release(&scope->w);
}

const char *emit_local(struct emitter *e, const char *c_type, const char *prefix)
{
	const char *name = arena_printf(e->s->arena, "%s%u", prefix, ++e->temps);
	size_t len = strlen(c_type);

	writer_line(e->decls, "%s%s%s STP_UNUSED;", c_type, c_type[len - 1] == '*' ? "" : " ",
		    name);
	return name;
}

const char *emit_temp(struct emitter *e, enum type type)
{
	return emit_local(e, type == TYPE_STRING ? "struct stp_str" : "int64_t", "t");
}

const char *emit_value(struct emitter *e, enum type type, const char *fmt, ...)
{
	const char *text, *t;
	va_list ap;

	va_start(ap, fmt);
	text = arena_vprintf(e->s->arena, fmt, ap);
	va_end(ap);
	/* A string is declared in a block of its own: other blocks can take its room. */
	if (type == TYPE_STRING)
		t = emit_temp(e, type);
	else
		t = arena_printf(e->s->arena, "t%u", ++e->temps);
	writer_line(e->w, "%s%s = %s;", type == TYPE_STRING ? "" : "int64_t ", t, text);
	return t;
}

const char *emit_storage(struct emitter *e)
{
	unsigned n = e->storage++;

	if (e->storage > e->storage_most)
		e->storage_most = e->storage;
	return arena_printf(e->s->arena, "fr->s%u", n);
}

const char *emit_string_at(struct emitter *e, struct node *n, const char *storage, bool *done)
{
	const struct node *outer = e->placed;
	const char *outer_place = e->place, *value;

	e->placed = n;
	e->place = storage;
	value = emit_expr(e, n);
	*done = !e->placed;
	e->placed = outer;
	e->place = outer_place;
	return value;
}

const char *emit_result_storage(struct emitter *e, const struct node *n)
{
	if (!e->placed || e->placed != n)
		return emit_storage(e);
	e->placed = NULL;
	return e->place;
}

const char *emit_label(struct emitter *e, const char *prefix)
{
	return arena_printf(e->s->arena, "%s%u", prefix, ++e->labels);
}

/*
 * Labels are placed whether or not anything jumps there; the attribute avoids warnings.
 */
void emit_place_label(struct emitter *e, const char *label)
{
	writer_line(e->w, "%s: STP_UNUSED;", label);
}

const char *emit_number_text(struct session *s, int64_t n)
{
	if (n == INT64_MIN)
		return "(-INT64_C(9223372036854775807) - 1)";
	if (n >= INT32_MIN && n <= INT32_MAX)
		return arena_printf(s->arena, n < 0 ? "(%" PRId64 ")" : "%" PRId64, n);
	return arena_printf(s->arena, n < 0 ? "(-INT64_C(%" PRIu64 "))" : "INT64_C(%" PRIu64 ")",
			    n < 0 ? (uint64_t)-n : (uint64_t)n);
}

const char *emit_number(struct emitter *e, int64_t n)
{
	return emit_number_text(e->s, n);
}

/* A string ends at its first NUL byte and at MAXSTRINGLEN. */
const char *emit_literal(struct emitter *e, const char *s, size_t len)
{
	struct strbuf b;
	size_t limit = limit_value(e->s, LIMIT_STRING) - 1;

	len = strnlen(s, len < limit ? len : limit);
	if (e->varies)
		return arena_printf(e->s->arena, "STP_STR_OF(%s, %s)", emit_varying_text(e, s, len),
				    emit_varying(e, (int64_t)len));
	strbuf_init(&b, e->s->arena);
	strbuf_adds(&b, "STP_STR(");
	strbuf_addquoted(&b, s, len);
	strbuf_addc(&b, ')');
	return b.s;
}

/* Returns a text of that length which C writes so, as one that may vary. */
static const char *varying_written(struct emitter *e, const char *written, size_t len)
{
	return e->varies ? arena_printf(e->s->arena, "%c%zu:%s%c", EMIT_MARK_TEXT, len, written,
					EMIT_MARK_END)
			 : written;
}

/* ---- places of errors ---- */

static size_t word_length(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && (isalnum((unsigned char)s[n]) || strchr("_$@", s[n])))
		n++;
	return n;
}

/* Returns the length of the longest operator there; an assignment's '=' belongs to it. */
static size_t operator_length(const char *s, size_t rest)
{
	size_t n = 0;

	for (int i = 1; i < OP_COUNT; i++) {
		size_t len = strlen(op_texts[i]);

		if (len > n && len <= rest && !memcmp(s, op_texts[i], len))
			n = len;
	}
	return n && n < rest && s[n] == '=' ? n + 1 : n;
}

/* The token at a place: operator '/', identifier 'f'. */
struct token {
	const char *what, *text;
};

static struct token token_at(struct arena *a, struct loc loc)
{
	const char *s = loc.source->text + loc.begin;
	size_t rest = loc.source->len - loc.begin, n = word_length(s, rest);
	struct token ret = { .what = "operator" };

	if (n && *s != '@')
		ret.what = isdigit((unsigned char)*s) ? "number" : "identifier";
	if (!n)
		n = operator_length(s, rest);
	ret.text = arena_printf(a, "%.*s", (int)(n ? n : 1), s);
	return ret;
}

const struct source *emit_script_source(const struct session *s)
{
	const struct program *p = s->program;

	return p && p->units.count ? p->units.data[0]->source : NULL;
}

/*
 * Returns the short form of a place in the script's file, of which large scripts have
 * thousands (core/inline.h); NULL: there is none.
 */
static const char *short_place(struct emitter *e, struct loc loc, const struct token *token)
{
	bool is_name = !strcmp(token->what, "identifier");
	unsigned line, column;
	struct strbuf b;

	if (loc.source != emit_script_source(e->s) || (!is_name && strcmp(token->what, "operator")))
		return NULL;
	source_position(e->s->arena, loc.source, loc.begin, &line, &column);
	strbuf_init(&b, e->s->arena);
	strbuf_adds(&b, is_name ? "STP_ID(" : "STP_OP(");
	strbuf_addquoted(&b, token->text, strlen(token->text));
	strbuf_addf(&b, ", %u, %u)", line, column);
	return b.s;
}

const char *emit_place(struct emitter *e, struct loc loc)
{
	struct arena *a = e->s->arena;
	const char *place = source_loc_str(a, loc), *text, *written = NULL;

	if (loc.source && loc.begin < loc.source->len) {
		struct token token = token_at(a, loc);

		text = arena_printf(a, "near %s '%s' at %s", token.what, token.text, place);
		written = short_place(e, loc, &token);
	} else {
		text = arena_printf(a, "near %s", place);
	}
	return written ? varying_written(e, written, strlen(text))
		       : emit_varying_text(e, text, strlen(text));
}

void emit_lasting(struct emitter *e)
{
	if (e->repeats)
		writer_line(e->w, "stp_lasting(c);");
}

void emit_check(struct emitter *e, struct loc loc)
{
	writer_line(e->w, "STP_WHERE(%s, %s);", e->fail_label, emit_place(e, loc));
}

void emit_check_call(struct emitter *e, struct loc loc)
{
	writer_line(e->w, "STP_CALLED(%s, %s);", e->fail_label, emit_place(e, loc));
}

/*
 * This number of operations counts as one statement, if that is more than the statements
 * themselves.
 */
#define STATEMENT_OPERATIONS 8
#define STRING_OPERATION     8 /* an operation that makes a string counts as this many */

struct cost {
	int64_t statements, operations;
};

static int64_t operations_of(struct node *n)
{
	int64_t each = n->type == TYPE_STRING ? STRING_OPERATION : 1;

	if (n->kind <= NODE_STAR)
		return 0;
	return n->kind == NODE_CONCAT  ? each * (node_count(n->list) - 1)
	       : n->kind == NODE_PRINT ? each + node_count(n->list)
				       : each;
}

static int count_node(struct node *n, void *ctx)
{
	struct cost *cost = ctx;

	if (n->kind >= NODE_BLOCK)
		cost->statements++;
	else
		cost->operations += operations_of(n);
	return node_is_loop(n);
}

static int64_t cost_actions(const struct cost *cost)
{
	int64_t operations = cost->operations / STATEMENT_OPERATIONS;

	return cost->statements > operations ? cost->statements : operations ? operations : 1;
}

int64_t emit_cost(struct node *n)
{
	struct cost cost = { 0 };

	ast_walk(n, count_node, NULL, &cost);
	return cost_actions(&cost);
}

static void spend(struct emitter *e, int64_t actions, struct loc loc)
{
	writer_line(e->w, "STP_SPEND(%s, %lld, %s);", e->fail_label, (long long)actions,
		    emit_place(e, loc));
}

void emit_spend(struct emitter *e, struct node *n, struct loc loc)
{
	spend(e, emit_cost(n), loc);
}

void emit_spend_pass(struct emitter *e, struct node *n)
{
	struct cost cost = { 0 };

	ast_walk(n->test, count_node, NULL, &cost);
	ast_walk(n->step, count_node, NULL, &cost);
	ast_walk(n->body, count_node, NULL, &cost);
	spend(e, cost_actions(&cost), n->loc);
}

const char *emit_expr(struct emitter *e, struct node *n)
{
	return node_ops[n->kind]->emit(e, n);
}

/*
 * Notes the statement's place for the linker of BPF programs (bpf/clines.c), because the
 * kernel says only which instruction it refuses.
 */
static void emit_place_note(struct emitter *e, const struct node *n)
{
	const char *place;

	if (e->s->options->runtime != RUNTIME_BPF || n->kind == NODE_BLOCK || !n->loc.source ||
	    n->loc.source->is_tapset)
		return;
	place = source_loc_str(e->s->arena, n->loc);
	if (!strpbrk(place, "\\\n")) /* would go on in the next line, which would be no comment */
		writer_line(e->w, EMIT_PLACE_NOTE "%s", place);
}

void emit_statement(struct emitter *e, struct node *n)
{
	struct emit_scope scope;

	emit_scope_open(e, &scope);
	emit_place_note(e, n);
	node_ops[n->kind]->emit(e, n);
	emit_scope_close(e, &scope);
}

void emit_end_iterators(struct emitter *e, size_t down_to)
{
	for (size_t i = e->iterators.count; i > down_to; i--)
		writer_line(e->w, "stp_iter_end(c, &%s);", e->iterators.data[i - 1]);
}

/* ---- operands ---- */

struct hazard {
	bool globals; /* the operand reads a global */
	bool assigns; /* something later assigns a variable */
	bool calls;   /* something later runs code that may assign globals */
};

static int find_globals(struct node *n, void *ctx)
{
	struct hazard *h = ctx;

	if (n->kind == NODE_NAME && n->symbol && n->symbol->kind == SYMBOL_GLOBAL)
		h->globals = true;
	return 0;
}

static int find_effects(struct node *n, void *ctx)
{
	struct hazard *h = ctx;

	if (n->kind == NODE_ASSIGN || n->kind == NODE_INCDEC)
		h->assigns = true;
	if (n->kind == NODE_EMBED ||
	    (n->kind == NODE_CALL && (n->function->body || n->function->overload ||
				      strstr(n->function->code, "STAP_GLOBAL_SET"))))
		h->calls = true;
	return 0;
}

/* True if the operand's C expression is a variable, or may point into one. */
static bool is_variable(const struct node *n)
{
	switch (n->kind) {
	case NODE_NAME:
	case NODE_ASSIGN:
		return true;
	case NODE_TERNARY:
		return n->type == TYPE_STRING;
	default:
		return false;
	}
}

static bool may_change(struct node *n, const struct node *later, const struct node *then)
{
	struct hazard h = { 0 };

	if (!is_variable(n))
		return false;
	ast_walk(n, find_globals, NULL, &h);
	for (; later; later = later->next)
		ast_walk((struct node *)later, find_effects, NULL, &h);
	for (; then; then = then->next)
		ast_walk((struct node *)then, find_effects, NULL, &h);
	return h.assigns || (h.calls && h.globals);
}

static const char *operand(struct emitter *e, struct node *n, const struct node *later,
			   const struct node *then)
{
	const char *value = emit_expr(e, n);

	if (!may_change(n, later, then))
		return value;
	if (n->type == TYPE_STRING)
		return emit_value(e, TYPE_STRING, "stp_str_copy(c, %s, %s)", emit_storage(e),
				  value);
	return emit_value(e, TYPE_LONG, "%s", value);
}

const char *emit_operand(struct emitter *e, struct node *n, const struct node *then)
{
	return operand(e, n, NULL, then);
}

void emit_operands(struct emitter *e, struct node *list, const struct node *then, const char **ret)
{
	for (struct node *n = list; n; n = n->next)
		*ret++ = n->kind == NODE_STAR ? NULL : operand(e, n, n->next, then);
}

const char *emit_union(struct emitter *e, struct node *list, const char *const *operands)
{
	unsigned count = node_count(list), i = 0;
	const char *name;

	if (!count)
		return "NULL";
	for (struct node *n = list; n; n = n->next, i++) {
		if (n->kind != NODE_STAR)
			writer_line(e->w, "fr->keys[%u].%c = %s;", e->keys + i,
				    n->type == TYPE_STRING ? 's' : 'i', operands[i]);
		else
			writer_line(e->w, "fr->keys[%u].i = 0;", e->keys + i);
	}
	name = arena_printf(e->s->arena, "&fr->keys[%u]", e->keys);
	e->keys += count;
	if (e->keys > e->keys_most)
		e->keys_most = e->keys;
	return name;
}

/* ---- values saved at entry ---- */

unsigned emit_saved_place(struct session *s, const struct handler *h, size_t i)
{
	unsigned words = 0;

	for (size_t k = 0; k < i; k++)
		words += h->saved.data[k]->type == TYPE_STRING
				 ? (unsigned)(limit_value(s, LIMIT_STRING) + 7) / 8
				 : 1;
	return words;
}

/* ---- constants that may vary ---- */

const char *emit_varying(struct emitter *e, int64_t n)
{
	if (!e->varies)
		return emit_number(e, n);
	return arena_printf(e->s->arena, "%c%" PRId64 "%c", EMIT_MARK_NUMBER, n, EMIT_MARK_END);
}

const char *emit_varying_text(struct emitter *e, const char *text, size_t len)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	strbuf_addquoted(&b, text, len);
	return varying_written(e, b.s, len);
}
