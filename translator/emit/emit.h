/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * C for the bodies of handlers and functions, against runtime/api.h. module/cfile.c
 * writes the file around them; runtime/example.c is an example.
 */
#ifndef STAP_EMIT_H
#define STAP_EMIT_H

#include <stdbool.h>

#include "ast/program.h"
#include "base/writer.h"

struct session;

struct access_field;
struct emit_tables;
struct enumeration;
struct executable;
struct stp_shape;

/*
 * linemarks.c: writes C as in the script at loc (its %{), with the script's line numbers;
 * `lead` is written before it in the same line.
 */
void emit_user_text(struct session *s, struct writer *w, struct loc loc, const char *lead,
		    const char *text, size_t len);
/* Fills in the finished file's own line numbers. */
void emit_set_lines(char *text);

/* A function whose value is needed only once in an execution of a body. */
struct memo {
	const struct function *function;
	/*
	 * the C local that holds the value; NULL: the function is called each time,
	 * because the value is used only once
	 */
	const char *name;
};

/* State while one function or handler is emitted. */
struct emitter {
	struct session *s;
	struct writer *w;
	struct writer *decls;	   /* declarations of the current scope: C locals */
	struct writer *body_decls; /* declarations of the whole body */
	VEC(struct memo) memos;
	/* members of this body's frame struct: storage of its string variables */
	struct writer *frame;
	struct function *function; /* NULL in a handler */
	struct handler *handler;   /* NULL in a function */
	unsigned temps;		   /* names t1, t2, … */
	unsigned labels;
	/* string temporaries s0 … in use; released when their scope ends */
	unsigned storage;
	unsigned storage_most; /* largest number ever in use: members of the frame */
	/* the expression whose string must be made at `place`, see emit_string_at() */
	const struct node *placed;
	const char *place;
	unsigned keys, keys_most; /* likewise fr->keys, the arrays that emit_union() makes */
	unsigned variables;	  /* string variables with storage in the frame */
	const char *fail_label;	  /* label that an error goes to: "out", or the current catch */
	const char *break_label, *continue_label; /* labels of the innermost loop */
	/*
	 * foreach loops around this place, outermost first: `return` and `next` end them
	 */
	VEC(const char *) iterators;
	struct emit_tables *tables;
	/* values of stable functions that are computed now are those of the whole body */
	bool keeps;
	/* a hit without permanent effects may be repeated: emit_lasting() */
	bool repeats;
	/* constants are marked: the body may be shared, see samecode.c */
	bool varies;
};

/*
 * A C block. Variables declared and values stored in it live until it is closed. Every
 * statement has one.
 */
struct emit_scope {
	struct writer *outer_w, *outer_decls;
	struct writer w, decls;
	unsigned storage, keys;
};
void emit_scope_open(struct emitter *e, struct emit_scope *scope);
void emit_scope_close(struct emitter *e, struct emit_scope *scope);

/*
 * Returns the index of a printf format in the module's table. `args` has one letter for
 * each argument: 'd' or 's'; `fields` the site's name and those of the arguments, tabs
 * between. Equal formats are shared.
 */
unsigned emit_format(struct emitter *e, const char *text, size_t len, const char *args,
		     const char *fields);
/* Returns the C name of the node's tables. Equal ones are shared. */
const char *emit_regex(struct emitter *e, const struct node *n);
/*
 * Returns the C name of the variable that finds the address of a module's symbol. Equal
 * ones are shared.
 */
const char *emit_variable(struct emitter *e, const char *symbol, const char *module);
/* Returns the program's or library's place among program_modules. */
unsigned emit_program(struct emitter *e, const struct executable *program);
/*
 * Returns the C name of the table with these rows, up to the END row. Equal ones are
 * shared.
 */
const char *emit_shape(struct emitter *e, const struct stp_shape *rows);
/*
 * The same for a structure at `origin` that the script prints at loc: the places of rows
 * are found again in the running kernel.
 */
const char *emit_placed_shape(struct emitter *e, const struct stp_shape *rows,
			      const struct access_field *origin,
			      const struct access_field *const *fields, size_t nfields,
			      struct loc loc);
const char *emit_enumeration(struct emitter *e, const struct enumeration *enumeration);
/* Returns the C text of the field's row, which is at loc: stp_fields[3]. */
const char *emit_field(struct emitter *e, const struct access_field *field, struct loc loc);
/* The kernel's limit for data of a call until its return: KRETPROBE_MAX_DATA_SIZE. */
#define EMIT_SAVED_BYTES 4096

/*
 * Returns the place in c->saved where the handler's value number i begins: numbers take
 * one word, strings MAXSTRINGLEN bytes.
 */
unsigned emit_saved_place(struct session *s, const struct handler *h, size_t i);
/*
 * Declares a new C local of the type at the head of the scope and returns its name. The
 * bytes of a string are kept elsewhere: emit_storage().
 */
const char *emit_temp(struct emitter *e, enum type type);
/* Declares a C local `TYPE NAME` and returns NAME, the prefix and a number. */
const char *emit_local(struct emitter *e, const char *c_type, const char *prefix);
/*
 * Reserves a char array of MAXSTRINGLEN bytes in the frame until the scope is closed;
 * returns the C expression for it.
 */
const char *emit_storage(struct emitter *e);
/* The script's file, whose name places in it leave out: STP_SCRIPT_FILE. NULL: none. */
const struct source *emit_script_source(const struct session *s);
/* Returns "near …" with the place, for messages of errors, as a C string. */
const char *emit_place(struct emitter *e, struct loc loc);
/*
 * Emits the value of the string n; *done becomes true if it was made in `storage` at
 * once, as n is an operation that makes strings. n must not read anything in the storage,
 * and the storage must not be read if n fails.
 */
const char *emit_string_at(struct emitter *e, struct node *n, const char *storage, bool *done);
/*
 * Returns storage for the string that n makes, once all of its operands are emitted: the
 * place that emit_string_at() requests, or emit_storage().
 */
const char *emit_result_storage(struct emitter *e, const struct node *n);
/* Makes a name for a C label; emit_place_label() places it. */
const char *emit_label(struct emitter *e, const char *prefix);
void emit_place_label(struct emitter *e, const char *label);
const char *emit_number(struct emitter *e, int64_t n);
const char *emit_number_text(struct session *s, int64_t n);
#define EMIT_MARK_NUMBER '\x01' /* EMIT_MARK_NUMBER number EMIT_MARK_END */
#define EMIT_MARK_TEXT	 '\x02' /* EMIT_MARK_TEXT length ':' C literal EMIT_MARK_END */
#define EMIT_MARK_END	 '\x03'
/*
 * Returns a number, or a text as a C literal, that may differ in another place: handlers
 * that differ only in such constants share their code (samecode.c). The result must be
 * used where C allows any expression.
 */
const char *emit_varying(struct emitter *e, int64_t n);
const char *emit_varying_text(struct emitter *e, const char *text, size_t len);
const char *emit_literal(struct emitter *e, const char *s, size_t len);
/* Returns a new temporary that holds the C expression. */
const char *emit_value(struct emitter *e, enum type type, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/*
 * Evaluates operands, left to right. An operand is copied when it is a variable that may
 * be changed by something evaluated after it, but before its use: by the siblings after
 * it, or by `then` and its siblings (then may be NULL).
 */
const char *emit_operand(struct emitter *e, struct node *n, const struct node *then);
void emit_operands(struct emitter *e, struct node *list, const struct node *then, const char **ret);
/*
 * Returns a `union stp_key` array, in the frame until the scope is closed, made from
 * operands of those nodes' types (STAR: left out); NULL if there are none.
 */
const char *emit_union(struct emitter *e, struct node *list, const char *const *operands);
/* Ends the loops from the innermost to iterator number `down_to`. */
void emit_end_iterators(struct emitter *e, size_t down_to);
/* Called between the reads of a permanent change and the change itself. */
void emit_lasting(struct emitter *e);
/* Emits `if (stp_failed(c)) goto fail;` after something that can fail at loc. */
void emit_check(struct emitter *e, struct loc loc);
/* Does the same after a call: loc joins the chain of calls. */
void emit_check_call(struct emitter *e, struct loc loc);
/*
 * Returns the cost of one pass over n: its statements, without those of inner loops, or
 * an eighth of its operations when that is more.
 */
int64_t emit_cost(struct node *n);
/* Subtracts the cost of n from the hit's budget. */
void emit_spend(struct emitter *e, struct node *n, struct loc loc);
/* Subtracts the cost of one pass of a while or for loop from the hit's budget. */
void emit_spend_pass(struct emitter *e, struct node *n);
const char *emit_expr(struct emitter *e, struct node *n);
/* Begins the comment that comes before a statement's C, with its place, for BPF. */
#define EMIT_PLACE_NOTE "// at "
void emit_statement(struct emitter *e, struct node *n);

#endif
