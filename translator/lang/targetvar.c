/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Target variables: $var, @var, @cast and pointer members. target/ has turned each into
 * an access (ast/access.h) for its point; here every step becomes a line of C. @entry
 * values come from the slots that the entry handler filled.
 */
#include <inttypes.h>
#include <string.h>

#include "ast/access.h"
#include "ast/decisions.h"
#include "ast/ast.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/session.h"
#include "base/options.h"
#include "types/relocation.h"
#include "types/shape.h"
#include "emit/emit.h"
#include "emit/limits.h"
#include "formats/btf.h"
#include "lang/ops.h"
#include "lib/strbuf.h"
#include "probe/probe.h"
#include "program/executable.h"
#include "target/bpfparts.h"
#include "target/hint.h"

static bool is_pretty(const struct node *n)
{
	return n->path.count && n->path.data[n->path.count - 1].kind == STEP_PRETTY;
}

static bool is_string(const struct node *n)
{
	return is_pretty(n) || (n->access && n->access->own && n->access->own->is_string);
}

/* True: it is too early to report, or only dead code calls the function. */
static bool is_left_out(const struct infer *in)
{
	return !in->final || (in->function && !in->function->used);
}

/* Reports a variable that was not found. */
static void report(struct infer *in, const struct node *n)
{
	if (is_left_out(in))
		return;
	if (n->unresolved && typing_error(in, n->loc, "%s%s", n->unresolved, target_hint(in->s, n)))
		diag_page(in->s, PAGE_CONTEXTVARS);
	if (!n->unresolved && !n->access)
		typing_error(in, n->loc,
			     "'%s' has no meaning here; target variables belong to probes",
			     unparse_node(in->s->arena, n));
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	if (n->type == TYPE_ERROR) {
		if (n->unresolved)
			report(in, n);
		typing_wrong(in, n->operand);
		return;
	}
	if (n->operand)
		lang_infer(in, n->operand, TYPE_LONG);
	if (n->target == TARGET_AUTO)
		autocast_settle(in, n);
	if (n->type == TYPE_ERROR)
		return;
	for (struct node *index = n->list; index; index = index->next)
		lang_infer(in, index, TYPE_LONG);
	if (n->access && n->access->value && n->access->value != n->operand)
		lang_infer(in, n->access->value, TYPE_LONG);
	for (size_t i = 0; n->access && i < n->access->steps.count; i++) {
		if (n->access->steps.data[i].index)
			lang_infer(in, n->access->steps.data[i].index, TYPE_LONG);
	}
	report(in, n);
	if (in->final && n->access && n->access->drift)
		diag_taken(in->s, n->loc, "%s", n->access->drift);
	typing_type(in, n, is_string(n) ? TYPE_STRING : TYPE_LONG, wanted);
}

/* ---- emission ---- */

#define NO_REGISTER 0xff /* STP_NO_REGISTER */

/* Returns the C cast that cuts a 64-bit value to this many bytes. */
static const char *size_cast(struct emitter *e, unsigned size, bool is_signed)
{
	return arena_printf(e->s->arena, "(%sint%u_t)", is_signed ? "" : "u", size * 8);
}

/*
 * Returns the value's low `size` bytes; in shared code, widths are also constants.
 */
static const char *cut_text(struct emitter *e, const char *value, unsigned size, bool is_signed)
{
	if (!e->varies)
		return arena_printf(e->s->arena, "(int64_t)%s%s", size_cast(e, size, is_signed),
				    value);
	return arena_printf(e->s->arena, "stp_cut(%s, %s, %s)", value,
			    emit_varying(e, 64 - size * 8), emit_varying(e, is_signed));
}

static const char *load_text(struct emitter *e, const struct access *a, const char *at,
			     unsigned size, bool is_signed)
{
	const char *space = a->user ? "STP_USER" : "STP_KERNEL", *load;

	load = arena_printf(e->s->arena, "stp_load(c, %s, %s, %s)", space, at,
			    emit_varying(e, size));
	return cut_text(e, load, size, is_signed);
}

/*
 * Returns which operations the word needs: operations come before those that use them.
 * The check that the process has the file mapped is always needed.
 */
static bool *expression_needs(struct emitter *e, const struct access_expression *x, uint32_t word)
{
	bool *needs = arena_array(e->s->arena, bool, x->operations.count);

	needs[word] = true;
	for (uint32_t i = word + 1; i-- > 0;) {
		const struct access_operation *o = &x->operations.data[i];
		bool two = o->kind == ACCESS_BINARY || o->kind == ACCESS_GIVEN ||
			   o->kind == ACCESS_RETURN_ADDRESS;
		bool one = o->kind == ACCESS_MEMORY || o->kind == ACCESS_CUT;

		needs[i] |= o->kind == ACCESS_FILE;
		if (needs[i] && (one || two))
			needs[o->a] = true;
		if (needs[i] && two)
			needs[o->b] = true;
	}
	return needs;
}

/* Returns the variable's name in the script, as a C string. */
static const char *quoted_name(struct emitter *e, const struct node *n)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	strbuf_addquoted(&b, n->target_name, strlen(n->target_name));
	return b.s;
}

/*
 * True: the word is a register plus a constant; either may be missing. Parameters at a
 * function's entry have this form.
 */
static bool is_plain_word(const struct access_expression *x, uint32_t word, int64_t *reg,
			  int64_t *offset)
{
	const struct access_operation *o = &x->operations.data[word], *a, *b;

	*reg = NO_REGISTER;
	*offset = 0;
	if (o->kind == ACCESS_CONSTANT)
		*offset = o->number;
	if (o->kind == ACCESS_REGISTER)
		*reg = o->number;
	if (o->kind == ACCESS_CONSTANT || o->kind == ACCESS_REGISTER)
		return true;
	if (o->kind != ACCESS_BINARY || o->op != OP_ADD)
		return false;
	a = &x->operations.data[o->a];
	b = &x->operations.data[o->b];
	*reg = a->number;
	*offset = b->number;
	return a->kind == ACCESS_REGISTER && b->kind == ACCESS_CONSTANT;
}

static bool asks_file(const struct access_expression *x, uint32_t word)
{
	for (uint32_t i = 0; i <= word; i++)
		if (x->operations.data[i].kind == ACCESS_FILE)
			return true;
	return false;
}

static const char *emit_expression(struct emitter *e, struct node *n, const struct access *a)
{
	const struct access_expression *x = a->expression;
	const char **values = arena_array(e->s->arena, const char *, x->operations.count);
	uint32_t word = x->words.data[a->number];
	const bool *needs = expression_needs(e, x, word);
	int64_t reg, offset;

	if (e->varies && is_plain_word(x, word, &reg, &offset) && !asks_file(x, word))
		return emit_value(e, TYPE_LONG, "stp_word(c, %s, %s)", emit_varying(e, reg),
				  emit_varying(e, offset));
	for (uint32_t i = 0; i <= word; i++) {
		const struct access_operation *o = &x->operations.data[i];

		if (!needs[i])
			continue;
		switch (o->kind) {
		case ACCESS_CONSTANT:
			values[i] = emit_varying(e, o->number);
			break;
		case ACCESS_REGISTER:
			values[i] = emit_value(e, TYPE_LONG, "stp_register(c, %s)",
					       emit_varying(e, o->number));
			break;
		case ACCESS_ANCHOR:
			values[i] = emit_value(e, TYPE_LONG, "stp_kernel_anchor()");
			break;
		case ACCESS_SYMBOL:
			values[i] = emit_value(e, TYPE_LONG, "stp_variable(c, &%s)",
					       emit_variable(e, o->symbol, o->module));
			emit_check(e, n->loc);
			break;
		case ACCESS_THREAD:
			values[i] = emit_value(e, TYPE_LONG, "stp_thread_pointer(c)");
			emit_check(e, n->loc);
			break;
		case ACCESS_FILE:
			values[i] = emit_value(e, TYPE_LONG, "stp_program_base(c, %u)",
					       emit_program(e, o->file));
			emit_check(e, n->loc);
			break;
		case ACCESS_MEMORY:
			values[i] = emit_value(e, TYPE_LONG, "%s",
					       load_text(e, a, values[o->a], o->size, false));
			emit_check(e, n->loc);
			break;
		case ACCESS_RETURN_ADDRESS:
			values[i] = emit_value(e, TYPE_LONG, "stp_return_address(%s, %s)",
					       values[o->a], values[o->b]);
			break;
		case ACCESS_GIVEN:
			writer_line(e->w, "if (!%s)", values[o->a]);
			writer_line(e->w, "\tstp_error(c, \"'%%s': %s\", %s);", o->symbol,
				    quoted_name(e, n));
			emit_check(e, n->loc);
			values[i] = values[o->b];
			break;
		case ACCESS_CUT:
			values[i] = emit_value(e, TYPE_LONG, "%s",
					       cut_text(e, values[o->a], o->size, false));
			break;
		case ACCESS_BINARY:
			values[i] = arith_emit_binary(e, o->op, values[o->a], values[o->b], n->loc);
			break;
		}
	}
	return values[word];
}

const char *targetvar_emit_own(struct emitter *e, const struct access_own *own)
{
	if (own->is_string)
		return emit_value(e, TYPE_STRING, "%s(c, %s)", own->get, emit_storage(e));
	return emit_value(e, TYPE_LONG, "%s(c)", own->get);
}

/* Returns whether the running kernel has all that @defined asks for. */
static const char *emit_asked(struct emitter *e, struct node *n, const struct access *a)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	vec_each(&a->asked, i)
		strbuf_addf(&b, "%s%s.is_found", i ? " & " : "",
			    emit_field(e, a->asked.data[i], n->loc));
	return emit_value(e, TYPE_LONG, "%s", b.s);
}

/* A member that @defined has asked for: elsewhere, reading it is an error. */
static void emit_need(struct emitter *e, struct node *n, const struct access_field *field)
{
	if (!field || !field->may_lack)
		return;
	writer_line(e->w, "stp_field_need(c, &%s);", emit_field(e, field, n->loc));
	emit_check(e, n->loc);
}

static const char *emit_base(struct emitter *e, struct node *n, const struct access *a)
{
	static const char *const calls[] = {
		[ACCESS_ARG] = "stp_arg",
		[ACCESS_RETURN] = "stp_retval",
		[ACCESS_TRACE_ARG] = "stp_trace_arg",
		[ACCESS_SYSCALL_ARG] = "stp_syscall_arg",
		[ACCESS_SAVED] = "stp_saved",
	};

	if (a->asked.count)
		return emit_asked(e, n, a);
	if (a->base == ACCESS_VALUE)
		return emit_operand(e, n->operand ? n->operand : a->value, n->list);
	if (a->origin && a->origin->kind == FIELD_ENUMERATOR)
		return emit_value(e, TYPE_LONG, "%s.offset", emit_field(e, a->origin, n->loc));
	if (a->base == ACCESS_EXPRESSION)
		return emit_expression(e, n, a);
	if (a->base == ACCESS_OWN)
		return targetvar_emit_own(e, a->own);
	if (a->base == ACCESS_ADDRESS)
		return emit_value(e, TYPE_LONG, "%s", emit_varying(e, a->number));
	if (a->base == ACCESS_RETURN)
		return emit_value(e, TYPE_LONG, "stp_retval(c)");
	return emit_value(e, TYPE_LONG, "%s(c, %s)", calls[a->base], emit_varying(e, a->number));
}

static bool is_uncut(const struct access *a)
{
	return a->base != ACCESS_VALUE && a->base != ACCESS_OWN && !a->steps.count && !a->pretty;
}

static const char *bits_text(struct emitter *e, const struct access_step *step, const char *value)
{
	unsigned left = 64 - step->bit_offset - step->bit_size, right = 64 - step->bit_size;

	if (e->varies && left == right)
		return arena_printf(e->s->arena, "stp_cut(%s, %s, %s)", value,
				    emit_varying(e, left), emit_varying(e, step->is_signed));
	return arena_printf(e->s->arena, "(int64_t)((%s)((uint64_t)%s << %u) >> %u)",
			    step->is_signed ? "int64_t" : "uint64_t", value, left, right);
}

/* Returns the C text of the distance between two places of a type. */
static const char *distance_text(struct emitter *e, struct node *n, const struct access_step *step)
{
	const char *to = step->field ? emit_field(e, step->field, n->loc) : NULL;
	bool from_origin = !step->since || !*step->since->path ||
			   step->since->path[strlen(step->since->path) - 1] == '*';

	if (!to)
		return step->offset ? emit_varying(e, step->offset) : NULL;
	return from_origin ? arena_printf(e->s->arena, "%s.offset", to)
			   : arena_printf(e->s->arena, "(%s.offset - %s.offset)", to,
					  emit_field(e, step->since, n->loc));
}

static const char *emit_load(struct emitter *e, struct node *n, const struct access_step *step,
			     const char *value)
{
	if (step->field)
		value = emit_value(e, TYPE_LONG, "stp_field_load(c, STP_KERNEL, %s, &%s)", value,
				   emit_field(e, step->field, n->loc));
	else
		value = emit_value(e, TYPE_LONG, "%s",
				   load_text(e, n->access, value, step->size, step->is_signed));
	/* For pretty-printing, stp_pretty() shows the failed read in the text. */
	if (!n->access->pretty || n->access->pretty == PRETTY_TEXT)
		emit_check(e, n->loc);
	return value;
}

static const char *emit_into(struct emitter *e, struct node *n, const struct access_step *step,
			     const char *at)
{
	const struct access_step pointer = { .kind = ACCESS_LOAD, .size = 8 }, number = {
		.kind = ACCESS_LOAD, .size = step->size, .field = step->field
	};
	const char *buffer = emit_load(e, n, &pointer, at);
	const char *offset =
		emit_load(e, n, &number,
			  emit_value(e, TYPE_LONG, "%s",
				     arith_emit(e, OP_ADD, at, distance_text(e, n, step))));

	return emit_value(e, TYPE_LONG, "%s", arith_emit(e, OP_ADD, buffer, offset));
}

/* Notes what is only compared when the program runs. */
static void note_origin(struct emitter *e, struct node *n)
{
	const struct access *a = n->access;

	if (a->origin)
		emit_field(e, a->origin, n->loc);
	if (a->bound)
		emit_field(e, a->bound, n->loc);
	if (a->base == ACCESS_EXPRESSION && !a->user && !a->origin &&
	    e->s->options->runtime == RUNTIME_BPF)
		emit_field(e, relocation_bound(e->s, "debuginfo has found the place"), n->loc);
}

static const char *emit_step(struct emitter *e, struct node *n, const struct access_step *step,
			     const char *value)
{
	const char *index, *size, *distance;

	emit_need(e, n, step->field);
	switch (step->kind) {
	case ACCESS_ADD:
		distance = distance_text(e, n, step);
		return distance ? emit_value(e, TYPE_LONG, "%s",
					     arith_emit(e, OP_ADD, value, distance))
				: value;
	case ACCESS_INDEX:
		index = emit_expr(e, step->index);
		size = step->field ? arena_printf(e->s->arena, "%s.bytes",
						  emit_field(e, step->field, n->loc))
				   : emit_varying(e, step->size);
		return emit_value(e, TYPE_LONG, "(int64_t)((uint64_t)%s + (uint64_t)%s * %s)",
				  value, index, size);
	case ACCESS_LOAD:
		return emit_load(e, n, step, value);
	case ACCESS_TRUNCATE:
		if (step->field)
			return emit_value(e, TYPE_LONG, "stp_field_cut(%s, &%s)", value,
					  emit_field(e, step->field, n->loc));
		return emit_value(e, TYPE_LONG, "%s",
				  cut_text(e, value, step->size, step->is_signed));
	case ACCESS_BITS:
		return step->field ? value
				   : emit_value(e, TYPE_LONG, "%s", bits_text(e, step, value));
	case ACCESS_DIVIDE:
		return emit_value(e, TYPE_LONG, "%s %c %s", value, step->is_rest ? '%' : '/',
				  emit_varying(e, step->offset));
	case ACCESS_NO_ERROR:
		return emit_value(e, TYPE_LONG, "(uint64_t)%s >= (uint64_t)-4095 ? 0 : %s", value,
				  value);
	case ACCESS_FIRST_AREA:
	case ACCESS_NEXT_AREA:
		value = emit_value(e, TYPE_LONG, "(int64_t)%s(c, %s)",
				   step->kind == ACCESS_FIRST_AREA ? "stp_area_first"
								   : "stp_area_next",
				   value);
		emit_check(e, n->loc);
		return value;
	case ACCESS_INTO:
		return emit_into(e, n, step, value);
	}
	return value;
}

const char *targetvar_emit_steps(struct emitter *e, struct node *n, const char *value, size_t from,
				 size_t to)
{
	if (!value)
		value = emit_base(e, n, n->access);
	note_origin(e, n);
	for (size_t i = from; i < to; i++)
		value = emit_step(e, n, &n->access->steps.data[i], value);
	if (e->varies && is_uncut(n->access))
		value = emit_value(e, TYPE_LONG, "%s", cut_text(e, value, 8, false));
	return value;
}

/* Returns the words that hold the value, as a C array. */
static const char *words_text(struct emitter *e, struct node *n, const struct access *a, bool known)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	for (unsigned i = 0; i < a->pretty_words; i++) {
		const struct access_expression *x =
			a->base == ACCESS_EXPRESSION ? a->expression : NULL;
		size_t at = (size_t)a->number + i;
		struct access one = *a;

		one.number += i;
		if (known)
			strbuf_addf(&b, "%s%#" PRIx64, i ? ", " : "",
				    x && at < x->known.count ? x->known.data[at] : UINT64_MAX);
		else
			strbuf_addf(&b, "%s%s", i ? ", " : "",
				    x && x->words.data[at] == ACCESS_NO_WORD
					    ? "0"
					    : emit_base(e, n, &one));
	}
	return b.s;
}

/*
 * Returns the distance between the addresses of the process and those in the file, by the
 * address of the hit, where that is a point in the same file. "0": it is not known.
 */
static const char *moved_by_hit(struct emitter *e, const struct executable *file)
{
	const struct derived *d = e->handler ? e->handler->point : NULL;

	if (!file->is_movable || !d || !d->family->is_program_code)
		return "0";
	for (size_t i = 0; i < file->segments.count; i++) {
		const struct executable_segment *part = &file->segments.data[i];
		struct strbuf b;

		if (!part->is_code)
			continue;
		strbuf_init(&b, e->s->arena);
		strbuf_addf(&b, "stp_bpf_program_base(c, %lld, ",
			    (long long)(part->address - part->offset));
		strbuf_addquoted(&b, file->seen, strlen(file->seen));
		strbuf_addc(&b, ')');
		return emit_value(e, TYPE_LONG, "%s", b.s);
	}
	return "0";
}

/*
 * Returns the distance between the addresses of the process and those in the file that
 * has the type.
 */
static const char *moved_text(struct emitter *e, const struct access *a, const shape *rows)
{
	struct executable *file;

	if (!shape_is_moved(rows) || executable_read(e->s, btf_file(a->btf), &file))
		return "0";
	if (e->s->options->runtime == RUNTIME_BPF)
		return moved_by_hit(e, file);
	return emit_value(e, TYPE_LONG, "stp_program_base(c, %u)", emit_program(e, file));
}

static const char *space_text(const struct access *a)
{
	return a->user ? "STP_USER" : "STP_KERNEL";
}

/* Emits a structure or an array that is not in memory. */
static const char *emit_pretty_words(struct emitter *e, struct node *n, const struct access *a)
{
	const char *words = words_text(e, n, a, false);
	bool is_shown;
	shape_fields fields = { 0 };
	shape rows = { 0 };

	note_origin(e, n);
	shape_of(e->s, a, limit_value(e->s, LIMIT_STRING), &rows, &fields);
	is_shown = shape_is_shown(&rows);
	return emit_value(e, TYPE_STRING,
			  "%s(c, %s, %s, %s, (const int64_t[]){ %s }, (const "
			  "uint64_t[]){ %s }, %u, %u%s%s)",
			  is_shown ? "stp_show_words" : "stp_pretty_words", emit_storage(e),
			  emit_shape(e, rows.data), space_text(a), words, words_text(e, n, a, true),
			  a->pretty_words, a->pretty_offset, is_shown ? ", " : "",
			  is_shown ? moved_text(e, a, &rows) : "");
}

/* Emits a number that is already available. */
static const char *emit_pretty_number(struct emitter *e, const struct access *a, const char *value)
{
	shape rows = { 0 };

	shape_of_number(e->s, a, &rows);
	if (!shape_is_shown(&rows))
		return emit_value(e, TYPE_STRING, "stp_pretty_value(c, %s, %s, %s, %s)",
				  emit_storage(e), emit_shape(e, rows.data), space_text(a), value);
	return emit_value(e, TYPE_STRING,
			  "stp_show_words(c, %s, %s, %s, (const int64_t[]){ %s }, (const "
			  "uint64_t[]){ UINT64_MAX }, 1, 0, 0)",
			  emit_storage(e), emit_shape(e, rows.data), space_text(a), value);
}

static const char *emit_pretty(struct emitter *e, const struct access *a, const char *value,
			       struct loc loc)
{
	shape_fields fields = { 0 };
	const char *name, *storage;
	shape rows = { 0 };

	if (a->pretty_number)
		return emit_pretty_number(e, a, value);
	shape_of(e->s, a, limit_value(e->s, LIMIT_STRING), &rows, &fields);
	storage = emit_storage(e);
	name = fields.count
		       ? emit_placed_shape(e, rows.data, a->reached, fields.data, fields.count, loc)
		       : emit_shape(e, rows.data);
	if (!shape_is_shown(&rows))
		return emit_value(e, TYPE_STRING, "stp_pretty(c, %s, %s, %s, %s)", storage, name,
				  space_text(a), value);
	return emit_value(e, TYPE_STRING, "stp_show(c, %s, %s, %s, %s, %s)", storage, name,
			  space_text(a), value, moved_text(e, a, &rows));
}

static const char *emit(struct emitter *e, struct node *n)
{
	const char *value = n->access->pretty_words
				    ? NULL
				    : targetvar_emit_steps(e, n, NULL, 0, n->access->steps.count);

	if (n->access->pretty_words)
		value = emit_pretty_words(e, n, n->access);
	else if (n->access->pretty)
		value = emit_pretty(e, n->access, value, n->loc);
	else
		return value;
	if (e->repeats ||
	    n->access->pretty == PRETTY_TEXT) /* there is a text even if a page is missing */
		emit_check(e, n->loc);
	return value;
}

/* ---- @defined and @entry ---- */

struct question {
	struct infer *in;
	bool open, absent;
};

static int ask_target(struct node *n, void *ctx)
{
	struct question *q = ctx;

	if (n->kind == NODE_TARGET && n->target == TARGET_AUTO)
		autocast_settle(q->in, n);
	if (n->kind == NODE_NAME && n->symbol)
		n->symbol->asked = true;
	q->absent |= node_unresolved(n) != NULL || node_has_drifted(n);
	q->open |= node_is_open(n);
	return 0;
}

/*
 * Infers a @defined that target/ left open: it depends on the type that a variable of the
 * script points to. Outside probes it occurs in functions or in conditions.
 */
static void defined_infer(struct infer *in, struct node *n, enum type wanted)
{
	struct question q = { .in = in };

	if (in->function || in->handler) {
		ast_walk(n->operand, NULL, ask_target, &q);
		if (q.absent || !q.open || in->guess) {
			decisions_defined(in->s, n->operand, !q.absent && !q.open);
			literals_set_number(n, !q.absent && !q.open);
			in->changed = in->settled = true;
		}
		return;
	}
	if (in->final && n->type != TYPE_ERROR)
		typing_error(
			in, n->loc,
			"@defined asks about a probe's target variables; it has no meaning here");
	typing_type(in, n, TYPE_LONG, wanted);
}

/* Reports an @entry that target/ has not handled. */
static void report_entry(struct infer *in, const struct node *n)
{
	if (is_left_out(in))
		return;
	if (in->handler && in->handler->point && probe_is_return(in->handler->point))
		typing_error(in, n->loc, "@entry: '$return' is not known at entry");
	else
		typing_error(in, n->loc, "@entry is for return probes: function(\"…\").return");
}

static void entry_infer(struct infer *in, struct node *n, enum type wanted)
{
	if (!n->operand) {
		typing_type(in, n, n->entry_of->saved.data[n->slot]->type, wanted);
		return;
	}
	report_entry(in, n);
	n->type = TYPE_ERROR;
}

static const char *entry_emit(struct emitter *e, struct node *n)
{
	const char *place = emit_varying(e, emit_saved_place(e->s, n->entry_of, n->slot));

	if (n->type == TYPE_STRING)
		return emit_value(e, TYPE_STRING, "stp_str_from(c, (char *)&c->saved[%s])", place);
	return emit_value(e, TYPE_LONG, "stp_saved(c, %s)", place);
}

/* ---- checks, text ---- */

static void check_runtime(struct checking *ck, const struct node *n)
{
	const char *lacks = bpfparts_lacking(ck->in.s, n->access);

	if (lacks)
		typing_error(&ck->in, n->loc,
			     "'%s' needs a module, --runtime=kernel: --runtime=bpf has no %s",
			     n->target_name, lacks);
}

static void check(struct checking *ck, struct node *n)
{
	const struct access *a = n->access;

	check_runtime(ck, n);
	if (a && a->own && a->own->unread && n->type != TYPE_ERROR)
		typing_error(&ck->in, n->loc, "'%s' cannot be read: %s", n->target_name,
			     a->own->unread);
	checking_children(ck, n);
}

/*
 * Values that the point itself offers, including its arguments, follow the point's own
 * row. Everything else that does not belong to a program counts as the kernel's memory.
 */
static enum stp_privilege_reach reach(const struct node *n)
{
	const struct access *a = n->access;

	if (!a)
		return PRIVILEGE_REACH_NOTHING;
	if (a->user)
		return PRIVILEGE_REACH_OWN_PROCESS;
	switch (a->base) {
	case ACCESS_ARG:
	case ACCESS_RETURN:
	case ACCESS_TRACE_ARG:
	case ACCESS_SYSCALL_ARG:
	case ACCESS_SAVED:
	case ACCESS_VALUE:
	case ACCESS_OWN:
		return a->steps.count || (a->pretty && !a->pretty_number)
			       ? PRIVILEGE_REACH_KERNEL_MEMORY
			       : PRIVILEGE_REACH_NOTHING;
	case ACCESS_ADDRESS:
		if (a->asked.count || (a->origin && a->origin->kind == FIELD_ENUMERATOR))
			return PRIVILEGE_REACH_NOTHING;
		break;
	case ACCESS_EXPRESSION:
		break;
	}
	return PRIVILEGE_REACH_KERNEL_MEMORY;
}

static void print_steps(struct strbuf *out, const struct node *n)
{
	const struct node *index = n->list;

	vec_each(&n->path, i) {
		const struct path_step *step = &n->path.data[i];

		switch (step->kind) {
		case STEP_MEMBER:
			strbuf_addf(out, "->%s", step->member);
			break;
		case STEP_INDEX:
			strbuf_addc(out, '[');
			unparse_expr(out, index ? index : step->index, false);
			strbuf_addc(out, ']');
			index = index ? index->next : NULL;
			break;
		case STEP_PRETTY:
			strbuf_adds(out, step->depth == PRETTY_FLAT   ? "$"
					 : step->depth == PRETTY_DEEP ? "$$"
								      : ")");
			break;
		case STEP_DRIFT:
			break;
		}
	}
}

/* Prints the expression that a path starts from: `&` binds less than `->`. */
static void print_base(struct strbuf *out, const struct node *n)
{
	bool parens =
		(n->kind == NODE_TARGET && n->address_of) || (n->kind == NODE_NAME && n->in_parens);

	strbuf_adds(out, parens ? "(" : "");
	unparse_expr(out, n, true);
	strbuf_adds(out, parens ? ")" : "");
}

static void print_module(struct strbuf *out, const struct node *n)
{
	if (n->module) {
		strbuf_adds(out, ", ");
		strbuf_addquoted(out, n->module, strlen(n->module));
	}
	strbuf_addc(out, ')');
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	if (is_pretty(n) && n->path.data[n->path.count - 1].depth == PRETTY_TEXT)
		strbuf_adds(out, "text_of(");
	if (n->address_of)
		strbuf_addc(out, '&');
	switch (n->target) {
	case TARGET_VAR:
		strbuf_adds(out, n->target_name);
		break;
	case TARGET_CAST:
		unparse_after(out, "@cast(", n->operand);
		strbuf_adds(out, ", ");
		strbuf_addquoted(out, n->cast_type, strlen(n->cast_type));
		print_module(out, n);
		break;
	case TARGET_ATVAR:
		strbuf_adds(out, "@var(");
		strbuf_addquoted(out, n->target_name, strlen(n->target_name));
		print_module(out, n);
		break;
	case TARGET_AUTO:
		print_base(out, n->operand);
		break;
	}
	print_steps(out, n);
}

static void defined_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, "@defined(", n->operand);
	strbuf_addc(out, ')');
}

static void entry_check_change(struct checking *ck, const struct node *n, struct loc loc)
{
	typing_error(&ck->in, n->loc,
		     "'%s' cannot be written: here it is the value that was saved when the "
		     "function was entered",
		     unparse_node(ck->in.s->arena, n->entry_of->saved.data[n->slot]));
}

static void entry_print(struct strbuf *out, const struct node *n, unsigned depth)
{
	unparse_after(out, "@entry(", n->operand ? n->operand : n->entry_of->saved.data[n->slot]);
	strbuf_addc(out, ')');
}

LANG_OPS(target, uses_children, effects_none, print, reach, .infer = infer, .emit = emit,
	 .check = check, .check_change = targetplace_check);
LANG_OPS(defined, uses_children, effects_none, defined_print, checking_reach_nothing,
	 .infer = defined_infer);
LANG_OPS(entry, uses_children, effects_none, entry_print, checking_reach_nothing,
	 .infer = entry_infer, .emit = entry_emit, .check_change = entry_check_change);
