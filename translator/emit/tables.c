/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables before the bodies: shapes for pretty-printing,
 * names of enumerators, variables of modules.
 */
#include "emit/tables.h"

#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "ast/decisions.h"
#include "base/session.h"
#include "core/pretty.h"
#include "emit/emit.h"
#include "emit/linkparts.h"
#include "kernel/exports.h"
#include "kernel/kernel.h"
#include "lib/strbuf.h"
#include "program/executable.h"
#include "types/enums.h"

void tables_init(struct emit_tables *t, struct session *s)
{
	*t = (struct emit_tables){ .s = s };
	hashmap_init(&t->format_index, s->arena);
	hashmap_init(&t->regexes, s->arena);
	hashmap_init(&t->names, s->arena);
	linkparts_writer(s, &t->text);
}

void tables_release(struct emit_tables *t)
{
	writer_release(&t->text);
}

static void write_row(struct strbuf *b, const struct stp_shape *row)
{
	static const char *const kinds[] = {
		[STP_SHAPE_END] = "END",
		[STP_SHAPE_OPEN] = "OPEN",
		[STP_SHAPE_CLOSE] = "CLOSE",
		[STP_SHAPE_TEXT] = "TEXT",
		[STP_SHAPE_SIGNED] = "SIGNED",
		[STP_SHAPE_UNSIGNED] = "UNSIGNED",
		[STP_SHAPE_CHAR] = "CHAR",
		[STP_SHAPE_POINTER] = "POINTER",
		[STP_SHAPE_STRING] = "STRING",
		[STP_SHAPE_BYTES] = "BYTES",
		[STP_SHAPE_NULL_POINTER] = "NULL_POINTER",
		[STP_SHAPE_DATA] = "DATA",
		[STP_SHAPE_COUNT] = "COUNT",
		[STP_SHAPE_SHORT] = "SHORT",
		[STP_SHAPE_BEHIND] = "BEHIND",
		[STP_SHAPE_BEHIND_BITS] = "BEHIND_BITS",
		[STP_SHAPE_LETTERS] = "LETTERS",
		[STP_SHAPE_RAW] = "RAW",
		[STP_SHAPE_SIZED] = "SIZED",
		[STP_SHAPE_USED] = "USED",
		[STP_SHAPE_BITS] = "BITS",
		[STP_SHAPE_LINKED] = "LINKED",
		[STP_SHAPE_CHUNKS] = "CHUNKS",
		[STP_SHAPE_DEQUE] = "DEQUE",
		[STP_SHAPE_RING] = "RING",
		[STP_SHAPE_EACH] = "EACH",
		[STP_SHAPE_NEXT] = "NEXT",
		[STP_SHAPE_INSIDE] = "INSIDE",
		[STP_SHAPE_VIRTUAL] = "VIRTUAL",
		[STP_SHAPE_OUTSIDE] = "OUTSIDE",
		[STP_SHAPE_SWITCH] = "SWITCH",
		[STP_SHAPE_CASE] = "CASE",
		[STP_SHAPE_JUMP] = "JUMP",
		[STP_SHAPE_NAMED] = "NAMED",
		[STP_SHAPE_NAME] = "NAME",
		[STP_SHAPE_FLOAT] = "FLOAT",
		[STP_SHAPE_WIDE] = "WIDE",
		[STP_SHAPE_HEX] = "HEX",
		[STP_SHAPE_LETTER] = "LETTER",
		[STP_SHAPE_SUFFIX] = "SUFFIX",
		[STP_SHAPE_TARGET] = "TARGET",
		[STP_SHAPE_SECONDS] = "SECONDS",
		[STP_SHAPE_NANOSECONDS] = "NANOSECONDS",
		[STP_SHAPE_DATE] = "DATE",
		[STP_SHAPE_GO_TIME] = "GO_TIME",
		[STP_SHAPE_DYNAMIC] = "DYNAMIC",
		[STP_SHAPE_TABLED] = "TABLED",
	};

	strbuf_adds(b, "\t{ ");
	strbuf_addquoted(b, row->text, strlen(row->text));
	strbuf_addf(b, ", %u, %u, STP_SHAPE_%s, %u, %u, %u },\n", row->offset, row->count,
		    kinds[row->kind], row->size, row->bit_offset, row->bit_size);
}

/* Returns the name of `static const struct TYPE NAME[]` with those rows. */
static const char *table_name(struct emitter *e, const char *type, const char *prefix,
			      const char *rows)
{
	struct emit_tables *t = e->tables;
	const char *key = arena_printf(e->s->arena, "%s %s", type, rows),
		   *name = hashmap_get(&t->names, key);

	if (name)
		return name;
	name = arena_printf(e->s->arena, "%s_%u", prefix, t->count++);
	hashmap_put(&t->names, key, (void *)name);
	writer_line(&t->text, "static const struct %s %s[] = {\n%s};", type, name, rows);
	return name;
}

static const char *rows_text(struct emitter *e, const struct stp_shape *rows)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	for (const struct stp_shape *row = rows;; row++) {
		write_row(&b, row);
		if (row->kind == STP_SHAPE_END)
			break;
	}
	return b.s;
}

const char *emit_shape(struct emitter *e, const struct stp_shape *rows)
{
	return table_name(e, "stp_shape", "shape", rows_text(e, rows));
}

const char *emit_enumeration(struct emitter *e, const struct enumeration *enumeration)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	vec_each(&enumeration->rows, i)
		strbuf_addf(&b, "\t{ %s, %s },\n", emit_number(e, enumeration->rows.data[i].value),
			    strbuf_quoted_text(e->s->arena, enumeration->rows.data[i].name));
	strbuf_adds(&b, "\t{ 0, NULL },\n");
	return table_name(e, "stp_enumerator", "enumeration", b.s);
}

const char *tables_symbol(struct emit_tables *t, struct writer *w, const char *symbol,
			  const char *module)
{
	struct arena *a = t->s->arena;
	const char *key = arena_printf(a, "stp_variable %s:%s", module ? module : "", symbol),
		   *name = hashmap_get(&t->names, key);

	if (name)
		return name;
	name = arena_printf(a, "variable_%zu", t->variables.count);
	hashmap_put(&t->names, key, (void *)name);
	vec_push(a, &t->variables, name);
	writer_line(w, "static struct stp_variable %s = { .symbol = %s%s };", name,
		    strbuf_quoted_text(a, symbol),
		    module ? arena_printf(a, ", .module = %s", strbuf_quoted_text(a, module))
			   : exports_member(t->s, w, symbol));
	return name;
}

const char *emit_variable(struct emitter *e, const char *symbol, const char *module)
{
	return tables_symbol(e->tables, &e->tables->text, symbol, module);
}

void tables_write_variables(const struct emit_tables *t, struct writer *w)
{
	if (!t->variables.count)
		return;
	writer_open(w, "static struct stp_variable *const variables[] =");
	vec_each(&t->variables, i)
		writer_line(w, "&%s,", t->variables.data[i]);
	writer_close(w, ";\n");
}

unsigned emit_program(struct emitter *e, const struct executable *program)
{
	struct emit_tables *t = e->tables;

	vec_each(&t->programs, i)
		if (!strcmp(t->programs.data[i]->path, program->path))
			return (unsigned)i;
	vec_push(t->s->arena, &t->programs, program);
	return (unsigned)t->programs.count - 1;
}

/* ---- --runtime=bpf: types of the kernel ---- */

static const char *field_kind(const struct access_field *field)
{
	switch (field->kind) {
	case FIELD_MEMBER:
		return "MEMBER";
	case FIELD_PARAMETER:
		return "PARAMETER";
	case FIELD_RESULT:
		return "RESULT";
	case FIELD_ENUMERATOR:
		return "ENUMERATOR";
	case FIELD_NAMES:
		return "NAMES";
	case FIELD_NO_MEMBER:
		return "NO_MEMBER";
	case FIELD_NO_PARAMETER:
		return "NO_PARAMETER";
	case FIELD_VERSION:
		return "VERSION";
	case FIELD_KERNEL:
		break;
	}
	return "KERNEL";
}

static const char *member_or_null(struct arena *a, const char *name, const char *text)
{
	return text ? arena_printf(a, ".%s = %s, ", name, strbuf_quoted_text(a, text)) : "";
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* True: both are the same place; only one may say what its type is. */
static bool is_same_field(const struct access_field *a, const struct access_field *b)
{
	return a->kind == b->kind && a->number == b->number && a->may_lack == b->may_lack &&
	       is_same_text(a->module, b->module) && !strcmp(a->type, b->type) &&
	       !strcmp(a->path, b->path) && (!a->is || !b->is || !strcmp(a->is, b->is));
}

static size_t add_field(struct emit_tables *t, const struct access_field *field, struct loc loc)
{
	struct field_row row = { field, source_loc_str(t->s->arena, loc) };

	vec_each(&t->fields, i) {
		const struct access_field **known = &t->fields.data[i].field;

		if (!is_same_field(*known, field))
			continue;
		*known = field->is ? field : *known;
		return i;
	}
	vec_push(t->s->arena, &t->fields, row);
	return t->fields.count - 1;
}

/* Returns the kernel of the translation, with its build if that is known. */
static const struct access_field *this_kernel(struct session *s, const struct access_field *f)
{
	struct access_field *ret = arena_new(s->arena, struct access_field);
	struct utsname running;

	*ret = *f;
	ret->type = s->kernel ? s->kernel->release : "";
	if (s->kernel && s->kernel->is_running && !uname(&running))
		ret->path = arena_strdup(s->arena, running.version);
	return ret;
}

static void write_field(struct session *s, struct writer *w, const struct field_row *row)
{
	const struct access_field *f =
		row->field->kind == FIELD_KERNEL ? this_kernel(s, row->field) : row->field;
	struct arena *a = s->arena;

	writer_line(w,
		    "{ .kind = STP_FIELD_%s, .type = %s, .path = %s, %s%s%s.number = %" PRId64
		    ", .place = %s },",
		    field_kind(f), strbuf_quoted_text(a, f->type), strbuf_quoted_text(a, f->path),
		    member_or_null(a, "module", f->module), member_or_null(a, "is", f->is),
		    f->may_lack ? ".may_lack = true, " : "", f->number,
		    strbuf_quoted_text(a, row->place));
}

const char *emit_field(struct emitter *e, const struct access_field *field, struct loc loc)
{
	return arena_printf(e->s->arena, "stp_fields[%s]",
			    emit_varying(e, (int64_t)add_field(e->tables, field, loc)));
}

const char *emit_placed_shape(struct emitter *e, const struct stp_shape *rows,
			      const struct access_field *origin,
			      const struct access_field *const *fields, size_t nfields,
			      struct loc loc)
{
	struct emit_tables *t = e->tables;
	struct arena *a = e->s->arena;
	const char *name = arena_printf(a, "shape_%u", t->count++);
	size_t beginning = add_field(t, origin, loc);

	writer_line(&t->text, "static struct stp_shape %s[] = {\n%s};", name, rows_text(e, rows));
	for (size_t i = 0; i < nfields; i++)
		if (fields[i])
			vec_push(a, &t->placed,
				 arena_printf(a, "{ &%s[%zu], %zu, %zu, %s },", name, i,
					      add_field(t, fields[i], loc), beginning,
					      strbuf_quoted_text(
						      a, arena_printf(a, "%s?", rows[i].text))));
	return name;
}

void tables_write_fields(struct emit_tables *t, struct writer *w)
{
	const decision_list *asked = decisions_all(t->s);

	for (size_t i = 0; asked && i < asked->count; i++)
		add_field(t, &asked->data[i].field, asked->data[i].loc);
	writer_open(w, "struct stp_field stp_fields[] =");
	vec_each(&t->fields, i)
		write_field(t->s, w, &t->fields.data[i]);
	writer_line(w, "{ .kind = STP_FIELD_KERNEL },");
	writer_close(w, ";");
	writer_open(w, "static const struct stp_field_row placed[] =");
	vec_each(&t->placed, i)
		writer_line(w, "%s", t->placed.data[i]);
	writer_line(w, "{ NULL },");
	writer_close(w, ";");
	writer_line(w, "const struct stp_field_row *const stp_field_rows = placed;");
	writer_line(w, "const uint32_t stp_fields_count = %zu;", t->fields.count);
	writer_line(w, "const char stp_fields_release[] = %s;\n",
		    strbuf_quoted_text(t->s->arena, t->s->kernel ? t->s->kernel->release : ""));
}
