/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables that bodies refer to by name or number. They are filled while the bodies are
 * written and precede them in the C file; equal ones are shared.
 */
#ifndef STAP_EMIT_TABLES_H
#define STAP_EMIT_TABLES_H

#include "base/writer.h"
#include "lib/hashmap.h"
#include "lib/vec.h"

struct access_field;
struct executable;
struct program;
struct session;

struct format {
	/* the printf format; a letter for each argument's type, see emit_format() */
	const char *text, *letters;
	const char *fields; /* the site's name and those of the arguments, tabs between */
	size_t len;
};

/* Something of the kernel's types, and the first place in the script that uses it. */
struct field_row {
	const struct access_field *field;
	const char *place;
};

struct emit_tables {
	struct session *s;
	VEC(struct format) formats;
	struct hashmap format_index; /* text and letters -> position + 1 */
	struct hashmap regexes;	     /* "noted:pattern" -> C name */
	size_t nregexes;
	struct hashmap names;	      /* the text of a table's rows, or a symbol -> C name */
	VEC(struct field_row) fields; /* --runtime=bpf: stp_fields[] */
	VEC(const char *) placed;     /* stp_field_rows[]: rows of shapes with a field */
	struct writer text;	      /* definitions: shapes, enumerations, symbols of modules */
	unsigned count;		      /* shapes and enumerations so far */
	VEC(const char *) variables;  /* variables that find symbols of modules: C names */
	/*
	 * programs whose variables are read from anywhere: the first of program_modules
	 */
	VEC(const struct executable *) programs;
};

void tables_init(struct emit_tables *t, struct session *s);
void tables_release(struct emit_tables *t);

/* formats.c: writes the array of all formats. */
void emit_write_formats(const struct emit_tables *t, struct writer *w);
/* regexes.c: writes the whole program's regular expressions, before all bodies. */
void emit_write_regexes(struct emit_tables *t, const struct program *p, struct writer *w);
/* Writes stp_fields[], with the questions of ast/decisions.h. */
void tables_write_fields(struct emit_tables *t, struct writer *w);
/* Writes the array of all variables, after their definitions. */
void tables_write_variables(const struct emit_tables *t, struct writer *w);
/*
 * Returns the name of the variable that finds the address of a module's symbol; w gets
 * its definition unless there is one already.
 */
const char *tables_symbol(struct emit_tables *t, struct writer *w, const char *symbol,
			  const char *module);

#endif
