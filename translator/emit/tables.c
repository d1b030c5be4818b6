/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables before the bodies: shapes for pretty-printing,
 * names of enumerators, variables of modules.
 */
#include "emit/tables.h"

#include <string.h>

#include "base/session.h"
#include "core/pretty.h"
#include "emit/emit.h"
#include "emit/linkparts.h"
#include "kernel/exports.h"
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

const char *emit_shape(struct emitter *e, const struct stp_shape *rows)
{
	struct strbuf b;

	strbuf_init(&b, e->s->arena);
	for (const struct stp_shape *row = rows;; row++) {
		write_row(&b, row);
		if (row->kind == STP_SHAPE_END)
			break;
	}
	return table_name(e, "stp_shape", "shape", b.s);
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
