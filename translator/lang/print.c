/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * print println printf printd printdln and the s… forms. All become one format of the
 * module's table: the forms without a format get one from their arguments' types, with
 * literals put into its text.
 */
#include <inttypes.h>
#include <string.h>

#include "base/options.h"
#include "base/session.h"
#include "core/printf.h"
#include "emit/emit.h"
#include "emit/limits.h"
#include "lang/ops.h"
#include "lib/strbuf.h"
#include "lib/word.h"
#include "parse/literal.h"

#define ADDRESS_WIDTH 18 /* 0x and 16 digits */

/* ---- inference ---- */

struct checker {
	struct infer *in;
	struct node *print, *arg; /* the next argument */
	unsigned wanted;
	struct stp_directive missing; /* the first directive that has no argument; text: NULL */
};

static void check_argument(struct checker *ck, const struct stp_directive *d, enum type type)
{
	ck->wanted++;
	if (!ck->arg) {
		if (!ck->missing.text)
			ck->missing = *d;
		return;
	}
	typing_hinted(ck->in, ck->arg, type,
		      type == TYPE_LONG ? "strings are printed with '%s'"
		      : ck->arg->kind == NODE_TARGET
			      ? "user_string() and kernel_string() read the text at an address "
				"of a program or of the kernel; numbers are printed with '%d' or "
				"'%x'"
			      : "numbers are printed with '%d' or '%x'");
	ck->arg = ck->arg->next;
}

/* Returns the place of the directive in the script. */
static struct loc directive_loc(const struct node *n, const struct stp_directive *d)
{
	return literal_part(n->literal_loc, n->format, n->format_len, (size_t)(d->text - n->format),
			    d->len);
}

static void infer_format(struct infer *in, struct node *n)
{
	struct checker ck = { .in = in, .print = n, .arg = n->list };
	struct stp_directive d;
	const char *error = NULL; /* the parser has reported any error */
	uint32_t pos = 0;

	while (stp_format_next(n->format, n->format_len, &pos, &d, &error)) {
		if (d.width_star)
			check_argument(&ck, &d, TYPE_LONG);
		if (d.precision_star)
			check_argument(&ck, &d, TYPE_LONG);
		if (stp_directive_arg(d.kind))
			check_argument(&ck, &d,
				       stp_directive_arg(d.kind) == 's' ? TYPE_STRING : TYPE_LONG);
	}
	if (ck.wanted != node_count(n->list))
		typing_error(in, ck.arg ? ck.arg->loc : directive_loc(n, &ck.missing),
			     "the format takes %u argument%s, %u %s given", ck.wanted,
			     ck.wanted == 1 ? "" : "s", node_count(n->list),
			     node_count(n->list) == 1 ? "is" : "are");
}

static void infer_plain(struct infer *in, struct node *n)
{
	if (n->list && n->list->kind == NODE_HISTOP) {
		stats_infer_histogram(in, n->list);
		return;
	}
	for (struct node *arg = n->list; arg; arg = arg->next) {
		lang_infer(in, arg, TYPE_UNKNOWN);
		if (arg->type == TYPE_VOID) {
			typing_type(in, arg, TYPE_VOID, TYPE_LONG);
			arg->type = TYPE_ERROR;
		}
	}
}

static void infer(struct infer *in, struct node *n, enum type wanted)
{
	if (n->with_format)
		infer_format(in, n);
	else
		infer_plain(in, n);
	typing_type(in, n, n->to_string ? TYPE_STRING : TYPE_LONG, wanted);
}

/* ---- emission ---- */

/* A format and its arguments. */
struct output {
	struct strbuf text, letters;
	struct strbuf fields; /* the site's name and those of the arguments, separated by tabs */
	struct node *args;    /* arguments that are not literals */
};

static void add_text(struct strbuf *b, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '%')
			strbuf_addc(b, '%');
		strbuf_addc(b, s[i]);
	}
}

/* Adds the first name and returns the rest of the list; NULL: there is none. */
static const char *add_field(struct output *o, const char *names)
{
	size_t len = names ? strcspn(names, "\t") : 0;

	strbuf_addc(&o->fields, '\t');
	strbuf_add(&o->fields, names ? names : "", len);
	return names && names[len] ? names + len + 1 : NULL;
}

static void add_argument(struct emitter *e, struct output *o, const struct node *arg,
			 const char *name)
{
	struct node *copy;

	if (arg->kind == NODE_STRING) {
		add_text(&o->text, arg->string, strnlen(arg->string, arg->string_len));
		return;
	}
	if (arg->kind == NODE_NUMBER) {
		strbuf_addf(&o->text, "%" PRId64, arg->number);
		return;
	}
	add_field(o, name);
	strbuf_adds(&o->text, arg->type == TYPE_STRING ? "%s" : "%d");
	copy = arena_new(e->s->arena, struct node);
	*copy = *arg;
	copy->next = NULL;
	o->args = node_append(o->args, copy);
}

static void plain_output(struct emitter *e, struct node *n, struct output *o)
{
	const char *names = n->fields;

	for (struct node *arg = n->list; arg; arg = arg->next) {
		if (n->with_delimiter && arg != n->list)
			add_text(&o->text, n->format, n->format_len);
		add_argument(e, o, arg, names);
		names = names ? strchr(names, '\t') : NULL;
		names = names ? names + 1 : NULL;
	}
	if (n->with_newline)
		strbuf_addc(&o->text, '\n');
}

/* Emits a histogram. The drawing ends with an empty line, so println adds no newline. */
static const char *emit_histogram(struct emitter *e, struct node *n)
{
	struct node *hist = n->list;
	const char *data = stats_emit_data(e, hist->operand), *t;
	const char *desc = stats_emit_hist(e, hist);

	if (!n->to_string) {
		writer_line(e->w, "stp_hist_print(c, %s, %s);", data, desc);
		emit_check(e, n->loc);
		return "0";
	}
	t = emit_value(e, TYPE_STRING, "stp_hist_sprint(c, %s, %s, %s)", data, desc,
		       emit_storage(e));
	emit_check(e, n->loc);
	return t;
}

/* True: %m or %M reads memory at once, which can fault. */
static bool dumps_memory(const struct output *o)
{
	struct stp_directive d;
	const char *error = NULL;
	uint32_t pos = 0;

	while (stp_format_next(o->text.s, o->text.len, &pos, &d, &error)) {
		if (d.kind == STP_DIR_MEMORY || d.kind == STP_DIR_MEMORY_HEX)
			return true;
	}
	return false;
}

/* Emits C locals a0 … for the arguments. */
static void emit_arguments(struct emitter *e, const struct output *o, const char *const *operands)
{
	for (const struct node *arg = o->args; arg; arg = arg->next, operands++)
		writer_line(e->w, "const %s a%u = %s;",
			    arg->type == TYPE_STRING ? "struct stp_str" : "int64_t",
			    (unsigned)(node_count(o->args) - node_count(arg)), *operands);
}

/*
 * Emits straight-line stores that make the record's item: everything except the lengths
 * of its strings is known here.
 */
static void emit_item(struct emitter *e, const struct output *o, const char *const *operands,
		      unsigned format)
{
	struct strbuf size;
	unsigned i = 0;

	strbuf_init(&size, e->s->arena);
	strbuf_adds(&size, "sizeof(uint16_t)");
	for (const struct node *arg = o->args; arg; arg = arg->next, i++)
		strbuf_addf(&size,
			    arg->type == TYPE_STRING ? " + stp_item_string_bytes(a%u)"
						     : " + sizeof(a%u)",
			    i);
	writer_open(e->w, "%s", "");
	emit_arguments(e, o, operands);
	writer_line(e->w, "uint8_t *p = stp_item(c, %s);", size.s);
	writer_line(e->w, "%s", "");
	writer_open(e->w, "if (p)");
	writer_line(e->w, "p = stp_item_format(p, %s);", emit_varying(e, format));
	i = 0;
	for (const struct node *arg = o->args; arg; arg = arg->next, i++)
		writer_line(e->w, "p = stp_item_%s(p, a%u);",
			    arg->type == TYPE_STRING ? "string" : "long", i);
	writer_close(e->w, "");
	writer_close(e->w, "");
}

static const char *text_put(struct emitter *e, const char *text, size_t len)
{
	return arena_printf(e->s->arena, "stp_text_put(&x, %s, %s);",
			    emit_varying_text(e, text, len), emit_varying(e, (int64_t)len));
}

/*
 * Returns the call that puts one plain directive into the text x, with argument number i;
 * NULL: the directive is not a plain one.
 */
static const char *text_piece(struct emitter *e, const struct stp_directive *d, unsigned i)
{
	bool is_plain = d->len == 2;

	if (d->kind == STP_DIR_LITERAL)
		return text_put(e, d->text, d->len);
	if (is_plain && d->kind == STP_DIR_PERCENT)
		return "stp_text_put(&x, \"%\", 1);";
	if (is_plain && d->kind == STP_DIR_STRING)
		return arena_printf(e->s->arena, "stp_text_put(&x, a%u.s, a%u.len);", i, i);
	if (is_plain && (d->kind == STP_DIR_SIGNED || d->kind == STP_DIR_SIGNED_I))
		return arena_printf(e->s->arena, "stp_text_signed(&x, a%u);", i);
	if (is_plain && d->kind == STP_DIR_UNSIGNED)
		return arena_printf(e->s->arena, "stp_text_unsigned(&x, a%u);", i);
	if (d->kind == STP_DIR_HEX && (is_plain || (d->len == 3 && d->hash)))
		return arena_printf(e->s->arena, "stp_text_hex(&x, a%u, %s);", i,
				    d->hash ? "true" : "false");
	return NULL;
}

/*
 * Emits sprintf with plain directives only, piece by piece; false: the format has other
 * directives.
 */
static bool emit_text(struct emitter *e, const struct node *n, const struct output *o,
		      const char *const *operands, const char *t)
{
	VEC(const char *) pieces = { 0 };
	struct stp_directive d;
	const char *error = NULL;
	uint32_t pos = 0;
	unsigned i = 0;

	while (stp_format_next(o->text.s, o->text.len, &pos, &d, &error)) {
		const char *piece = text_piece(e, &d, i);

		if (!piece)
			return false;
		vec_push(e->s->arena, &pieces, piece);
		i += stp_directive_arg(d.kind) != 0;
	}
	/* At other points, $$parms may end in a text: "a=0x1 b=?". */
	if (e->varies && pieces.count && stp_directive_arg(d.kind))
		vec_push(e->s->arena, &pieces, text_put(e, "", 0));
	writer_open(e->w, "%s", "");
	emit_arguments(e, o, operands);
	writer_line(e->w, "struct stp_text x = { { %s, 0 }, false };\n", emit_result_storage(e, n));
	vec_each(&pieces, k)
		writer_line(e->w, "%s", pieces.data[k]);
	writer_line(e->w, "%s = stp_text_end(c, &x);", t);
	if (limit_value(e->s, LIMIT_STRING) > STRING_SHORT)
		writer_line(e->w, "stp_charge_later(c, %s.len);", t);
	writer_close(e->w, "");
	return true;
}

static const char *emit_output(struct emitter *e, struct node *n, struct output *o)
{
	unsigned count = node_count(o->args), format;
	const char **operands = arena_array(e->s->arena, const char *, count + 1), *args, *t = "0";

	emit_operands(e, o->args, NULL, operands);
	for (struct node *arg = o->args; arg; arg = arg->next)
		strbuf_addc(&o->letters, arg->type == TYPE_STRING ? 's' : 'd');
	if (n->to_string) {
		t = emit_temp(e, TYPE_STRING);
		if (emit_text(e, n, o, operands, t))
			return t;
	}
	format = emit_format(e, o->text.s, o->text.len, o->letters.s, o->fields.s);
	if (!n->to_string && !dumps_memory(o)) {
		emit_item(e, o, operands, format);
		return t;
	}
	args = emit_union(e, o->args, operands);
	if (n->to_string)
		writer_line(e->w, "%s = stp_sprintf(c, %s, %s, %s);", t, emit_result_storage(e, n),
			    emit_varying(e, format), args);
	else
		writer_line(e->w, "stp_printf(c, %s, %s);", emit_varying(e, format), args);
	if (dumps_memory(o))
		emit_check(e, n->loc);
	return t;
}

/*
 * Adds %p as it was before SystemTap 1.3: padded with zeros to the width of a whole
 * address; wider fields had spaces before the zeros.
 */
static void add_old_pointer(struct strbuf *b, const struct stp_directive *d)
{
	if (d->width_star)
		strbuf_adds(b, "%0*p");
	else if (d->width > ADDRESS_WIDTH && !d->minus)
		strbuf_addf(b, "%%%d.%dp", d->width, ADDRESS_WIDTH - 2);
	else
		strbuf_addf(b, "%%0%dp", d->width > 0 ? d->width : ADDRESS_WIDTH);
}

/* Adds the format without the names of its values, which are in a separate table. */
static void add_format(struct strbuf *b, const struct node *n, bool old_pointers)
{
	struct stp_directive d;
	const char *error = NULL;
	uint32_t pos = 0;

	while (stp_format_next(n->format, n->format_len, &pos, &d, &error)) {
		size_t name = d.name_len ? d.name_len + 2 : 0;

		if (old_pointers && d.kind == STP_DIR_POINTER && !d.precision_star) {
			add_old_pointer(b, &d);
			continue;
		}
		strbuf_add(b, d.text, 1);
		strbuf_add(b, d.text + 1 + name, d.len - 1 - name);
	}
}

/* ---- the site: the name of this print's records in data ---- */

#define SITE_MOST 48

static void add_words(struct strbuf *b, const char *s, size_t len)
{
	bool gap = false;

	for (size_t i = 0; i < len && b->len < SITE_MOST; i++) {
		bool word = word_char(s[i]);

		if (word && gap && b->len)
			strbuf_addc(b, '_');
		if (word)
			strbuf_addc(b, s[i]);
		gap = !word;
	}
}

/*
 * Adds the name of the function, or the first point of the probe as written in the
 * script, joined by '_': syscall_open for syscall.open.
 */
static void add_site(struct strbuf *b, const struct emitter *e)
{
	const struct loc *l = e->handler ? &e->handler->loc : NULL;
	const char *s;
	size_t len;

	if (!l || !l->source) {
		strbuf_adds(b, e->function ? e->function->name : "print");
		return;
	}
	s = l->source->text + l->begin;
	len = l->source->len - l->begin;
	if (len > 5 && !memcmp(s, "probe", 5)) {
		s += 5;
		len -= 5;
	}
	for (size_t i = 0; i < len; i++)
		if (strchr("{,?!=", s[i]))
			len = i;
	add_words(b, s, len);
	if (!b->len)
		strbuf_adds(b, "print");
}

static const char *emit(struct emitter *e, struct node *n)
{
	struct output o = { 0 };

	if (n->list && n->list->kind == NODE_HISTOP)
		return emit_histogram(e, n);
	strbuf_init(&o.text, e->s->arena);
	strbuf_init(&o.letters, e->s->arena);
	strbuf_init(&o.fields, e->s->arena);
	if (!n->to_string)
		add_site(&o.fields, e);
	if (n->with_format) {
		const char *names = n->fields;

		add_format(&o.text, n, !options_speak(e->s, "1.3"));
		o.args = n->list;
		for (const struct node *arg = o.args; arg; arg = arg->next)
			names = add_field(&o, names);
	} else {
		plain_output(e, n, &o);
	}
	if (!o.text.len && n->to_string)
		return "STP_STR(\"\")";
	return o.text.len ? emit_output(e, n, &o) : "0";
}

/* ---- effect and text ---- */

static enum effect effect(const struct node *n)
{
	return n->to_string ? EFFECT_NONE : EFFECT_OUTSIDE;
}

static bool only_computes(const struct node *n)
{
	return n->to_string;
}

static const enum stp_privilege_reach conversion_reaches[STP_DIR_COUNT] = {
#define CONVERSION(kind, letter, arg, what, reach) [STP_DIR_##kind] = PRIVILEGE_REACH_##reach,
#include "uapi/printf.def"
#undef CONVERSION
};

static enum stp_privilege_reach reach(const struct node *n)
{
	enum stp_privilege_reach ret = PRIVILEGE_REACH_NOTHING, of_one;
	struct stp_directive d;
	const char *error = NULL;
	uint32_t pos = 0;

	while (n->with_format && stp_format_next(n->format, n->format_len, &pos, &d, &error)) {
		of_one = conversion_reaches[d.kind];
		if (of_one == PRIVILEGE_REACH_KERNEL_MEMORY && d.hash)
			of_one = PRIVILEGE_REACH_OWN_PROCESS;
		if (of_one > ret)
			ret = of_one;
	}
	return ret;
}

static void print(struct strbuf *out, const struct node *n, unsigned depth)
{
	strbuf_addf(out, "%sprint%s%s(", n->to_string ? "s" : "",
		    n->with_format	? "f"
		    : n->with_delimiter ? "d"
					: "",
		    n->with_newline ? "ln" : "");
	if (n->with_format || n->with_delimiter) {
		strbuf_addquoted(out, n->format, n->format_len);
		if (n->list)
			strbuf_adds(out, ", ");
	}
	unparse_list(out, n->list);
	strbuf_addc(out, ')');
}

LANG_OPS(print, uses_children, effect, print, reach, .infer = infer, .emit = emit,
	 .only_computes = only_computes);
